/* run_values.c - see run_values.h: bounds and words are those of the runtime's options.def.
   What a file that is included says is the runtime's to refuse.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MOST 6

static const struct range {
  const char *name;
  uint64_t least, greatest;
} ranges[] = {
#define HP_OPTION_RANGE(name, least, greatest) {#name, least, greatest},
#define HP_OPTION_WORDS(name, ...)
#include "run_values.inc"
#undef HP_OPTION_RANGE
#undef HP_OPTION_WORDS
};

struct words {
  const char *name;
  const char *words[WORDS_MOST + 1]; /* ended by NULL */
};

static const struct words word_lists[] = {
#define HP_OPTION_RANGE(name, least, greatest)
#define HP_OPTION_WORDS(name, ...) {#name, {__VA_ARGS__}},
#include "run_values.inc"
#undef HP_OPTION_RANGE
#undef HP_OPTION_WORDS
};

static const struct words truths = {"",
                                    {"0", "1", "no", "yes", "false", "true"}};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static char must_be[128];

static const char *by_words(const struct words *list, const char *value) {
  size_t used = (size_t)snprintf(must_be, sizeof must_be, "one of ");
  for (size_t i = 0; list->words[i]; i++) {
    if (strcmp(list->words[i], value) == 0)
      return NULL;
    used += (size_t)snprintf(must_be + used, sizeof must_be - used, "%s%s",
                             i ? ", " : "", list->words[i]);
  }
  return must_be;
}

static bool is_number(const char *value, uint64_t least, uint64_t greatest) {
  char *end;
  errno = 0;
  const unsigned long long number = strtoull(value, &end, 10);
  return *value >= '0' && *value <= '9' && !*end && !errno && number >= least &&
         number <= greatest;
}

static const char *by_range(const char *name, const char *value,
                            uint64_t greatest) {
  uint64_t least = 0;
  for (size_t i = 0; i < COUNT_OF(ranges); i++)
    if (strcmp(ranges[i].name, name) == 0) {
      least = ranges[i].least;
      greatest = ranges[i].greatest;
    }
  if (is_number(value, least, greatest))
    return NULL;
  snprintf(must_be, sizeof must_be, "a number from %" PRIu64 " to %" PRIu64,
           least, greatest);
  return must_be;
}

const char *hp_run_value_must_be(enum hp_run_type type, const char *name,
                                 const char *value) {
  if (type == HP_RUN_bool)
    return by_words(&truths, value);
  if (type != HP_RUN_string)
    return by_range(name, value, type == HP_RUN_int ? INT32_MAX : UINT64_MAX);
  for (size_t i = 0; i < COUNT_OF(word_lists); i++)
    if (strcmp(word_lists[i].name, name) == 0)
      return by_words(&word_lists[i], value);
  return NULL;
}
