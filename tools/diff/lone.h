/* lone.h - points that have no pair yet, put together by what a rule compares of their stacks.
   A rule says who takes part, and what of a frame counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LONE_H
#define HP_LONE_H

#include "align.h"

/* What is compared of a frame. */
struct hp_step {
  const char *name;
  uint64_t address;
};

struct hp_lone_rule {
  /* Of POINT the frames that are compared; NULL: those of its stack. */
  const struct hp_frame *const *(*frames)(const struct hp_lone_rule *,
                                          const struct hp_point *,
                                          size_t *count);
  bool (*takes_part)(const struct hp_lone_rule *, const struct hp_point *,
                     bool is_new);
  const char *(*type)(const struct hp_lone_rule *, const struct hp_point *,
                      bool is_new);
  struct hp_step (*step)(const struct hp_lone_rule *, const struct hp_frame *,
                         bool is_new);
  bool
      is_of_calls; /* frames that are inlined do not count; the order is that of
                       the addresses, not of the lines */
  enum hp_align_which which;
};

/* PAIRS have all points of both runs.  Those that are alone and take part go
   together where all steps are the same.  False without memory. */
bool hp_pair_lones(const struct hp_lone_rule *rule, struct hp_pairs *pairs);

/* A frame without a function: its module and address. */
struct hp_step hp_step_of_place(const struct hp_frame *frame);

#endif
