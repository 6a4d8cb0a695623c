/* moved.c - see moved.h; the line is part of such a row's key, and so no two are the same.
   What a change of the program put above a line is no change of its allocations.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "moved.h"

#include "lone.h"
#include "names.h"

struct moved {
  struct hp_lone_rule rule; /* first, so that it leads here */
  bool by_site;
};

static const struct hp_frame *const *frame(const struct hp_lone_rule *rule,
                                           const struct hp_point *row,
                                           size_t *count) {
  const bool by_site = ((const struct moved *)rule)->by_site;
  const struct hp_frame *const *frame = by_site ? &row->site : &row->place;
  *count = *frame ? 1 : 0;
  return frame;
}

static bool takes_part(const struct hp_lone_rule *rule,
                       const struct hp_point *row, bool is_new) {
  size_t count;
  const struct hp_frame *at = *frame(rule, row, &count);
  (void)is_new;
  return count && at->function && at->file && at->line;
}

static const char *file(const struct hp_lone_rule *rule,
                        const struct hp_point *row, bool is_new) {
  size_t count;
  (void)is_new;
  return hp_file_name((*frame(rule, row, &count))->file);
}

static struct hp_step function(const struct hp_lone_rule *rule,
                               const struct hp_frame *at, bool is_new) {
  (void)rule;
  (void)is_new;
  return (struct hp_step){at->function, 0};
}

bool hp_pair_moved(struct hp_pairs *pairs, bool by_site) {
  const struct moved moved = {.rule = {.frames = frame,
                                       .takes_part = takes_part,
                                       .type = file,
                                       .step = function,
                                       .which = HP_ALL},
                              .by_site = by_site};
  return hp_pair_lones(&moved.rule, pairs);
}
