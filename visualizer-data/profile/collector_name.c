/* collector_name.c - see collector_name.h: words in the name, of which gc stands alone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/collector_name.h"

#include <stdio.h>
#include <string.h>

#include "base/saturate.h"

static const char *const words[] = {
#define HP_COLLECTOR(name) name,
#include "profile/plumbing.def"
};

bool hp_name_collects(const char *function) {
  char between[128]; /* so that a word may begin and end it */
  if (!function || snprintf(between, sizeof between, "_%s_", function) >=
                       (int)sizeof between)
    return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(between, words[i]))
      return true;
  return false;
}

static const struct hp_frame *collector_in(const struct hp_freed *freed,
                                           const struct hp_frame *turn) {
  for (size_t i = 0; i < freed->stack_count; i++) {
    const char *function = freed->stack[i]->function;
    if (turn && function && function == turn->function)
      return NULL;
    if (hp_name_collects(function))
      return freed->stack[i];
  }
  return NULL;
}

const struct hp_frame *hp_collector_of(const struct hp_point *point,
                                       const struct hp_frame *turn) {
  const struct hp_frame *collector = NULL;
  uint64_t collected = 0, known = 0;
  for (size_t i = 0; i < point->freed_count; i++) {
    const struct hp_freed *freed = &point->freed[i];
    const struct hp_frame *by = collector_in(freed, turn);
    known = hp_add(known, freed->chunks);
    if (by)
      collected = hp_add(collected, freed->chunks);
    collector = by && !collector ? by : collector;
  }
  return collected > known / 2 ? collector : NULL;
}
