/* teardown.c - see teardown.h: told by the names of those who read.
   A chunk that was read by one other function was used.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/teardown.h"

#include <string.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "profile/collector_name.h"
#include "resolve/stack.h"
#include "text/member_name.h"

/* In the name of the function itself, not of its class. */
static const char *const words[] = {
#define HP_TAKER(name) name,
#include "profile/plumbing.def"
};

static bool has_word(struct hp_text_part name) {
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    for (size_t i = 0, n = strlen(words[w]); i + n <= name.length; i++)
      if (strncasecmp(name.begin + i, words[w], n) == 0)
        return true;
  return false;
}

static struct hp_text_part own_name(const char *function) {
  const struct hp_text_part member = hp_member_parse(function).member;
  return member.length ? member
                       : (struct hp_text_part){function, strlen(function)};
}

/* One of the COUNT frames at one address takes something down, or collects garbage:
   what is inlined into it does so for it. */
static const struct hp_frame *taker_of(const struct hp_frame *frames,
                                       size_t count) {
  for (size_t i = 0; i < count; i++)
    if (frames[i].function && (has_word(own_name(frames[i].function)) ||
                               hp_name_collects(frames[i].function)))
      return &frames[i];
  return NULL;
}

/* Of one more process. */
static void add_numbers(struct hp_teardown_sum *to,
                        const struct hp_teardown_sum *more) {
#define ADD(name) to->name = hp_add(to->name, more->name);
  HP_TEARDOWN_SUMS(ADD)
#undef ADD
}

static struct hp_teardown numbers_of(const struct hp_teardown_sum *sum) {
  const double freed = (double)sum->freed * (double)HP_TEARDOWN_UNIT;
  return (struct hp_teardown){
      .watched = sum->watched,
      .freed = sum->freed,
      .torn = sum->torn,
      .late = sum->late,
      .unread = sum->unread,
      .useful_lifetime =
          freed > 0 ? (double)sum->useful / freed : HP_NULL_SCORE,
      .settled_lifetime =
          freed > 0 ? (double)sum->settled / freed : HP_NULL_SCORE};
}

hp_status hp_teardown_takers(struct hp_profile *profile,
                             const struct hp_profile_process *process,
                             const struct hp_dump_point *raw,
                             const uint64_t readers[HP_TEARDOWN_READERS],
                             bool *all, const struct hp_frame **reader,
                             struct hp_error *error) {
  *all = true;
  *reader = NULL;
  for (size_t i = 0; *all && i < HP_TEARDOWN_READERS && readers[i]; i++) {
    const struct hp_frame *frames, *taker;
    size_t count;
    HP_TRY(hp_stack_frames(&frames, &count, profile->symbolizer, process->dump,
                           raw, readers[i], error));
    taker = taker_of(frames, count);
    *all = taker != NULL;
    *reader = *reader ? *reader : taker;
  }
  if (!*all)
    *reader = NULL;
  return HP_OK;
}

hp_status hp_teardown_find(struct hp_profile *profile,
                           const struct hp_profile_process *process,
                           const struct hp_dump_point *raw,
                           struct hp_point *view, struct hp_error *error) {
  struct hp_teardown_sum sum = {0};
  bool all = true;
  view->teardown = (struct hp_teardown){.useful_lifetime = HP_NULL_SCORE,
                                        .settled_lifetime = HP_NULL_SCORE};
  if (!raw->summary || !hp_knows_code(process) || !view->accesses_known)
    return HP_OK;
  struct hp_teardown *to = &view->teardown;
  for (const struct hp_summary *s = raw->summary; s; s = s->next)
    add_numbers(&sum, &s->teardown);
  *to = numbers_of(&sum);
  for (const struct hp_summary *s = raw->summary; s && all; s = s->next) {
    const struct hp_frame *reader;
    HP_TRY(hp_teardown_takers(profile, process, raw, s->teardown.readers, &all,
                              &reader, error));
    to->reader = to->reader ? to->reader : reader;
  }
  if (!all || sum.overflow) { /* they were used, to the last */
    to->torn = to->late = to->unread = 0;
    to->settled_lifetime = to->useful_lifetime;
    to->reader = NULL;
  }
  return HP_OK;
}
