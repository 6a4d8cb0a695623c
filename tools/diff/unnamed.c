/* unnamed.c - compares what both programs have: functions that are not inlined, or addresses, or modules.
   Where modules alone are the same, numbers have to be, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unnamed.h"

#include "lone.h"

/* Points of one run, of which less is known, and those of the other, of which more
   is. */
struct unnamed {
  struct hp_lone_rule rule;      /* first, so that it leads here */
  struct hp_names has_functions; /* modules of the run of which less is known */
  bool is_low_new;
  enum hp_naming low;
};

static const struct unnamed *of(const struct hp_lone_rule *rule) {
  return (const struct unnamed *)rule;
}

enum hp_naming hp_naming_of(const struct hp_point *point) {
  bool is_own = false, has_line = false;
  for (size_t i = 0; i < point->stack_count; i++) {
    const struct hp_frame *frame = point->stack[i];
    if (hp_frame_library(frame) || (!frame->function && !frame->module))
      continue;
    if (!frame->function)
      return HP_ADDRESSES;
    is_own = true;
    has_line |= frame->line != 0;
  }
  return is_own && !has_line ? HP_FUNCTIONS : HP_LINES;
}

bool hp_is_of_stripped(const struct hp_names *has_functions,
                       const struct hp_point *point) {
  for (size_t i = 0; i < point->stack_count; i++)
    if (!point->stack[i]->function &&
        hp_names_have(has_functions, hp_module_name(point->stack[i])))
      return false;
  return true;
}

static bool takes_part(const struct hp_lone_rule *rule,
                       const struct hp_point *point, bool is_new) {
  const struct unnamed *u = of(rule);
  const enum hp_naming naming = hp_naming_of(point);
  if (is_new != u->is_low_new)
    return naming > u->low;
  return naming == u->low && (u->rule.which != HP_SAME_NUMBERS ||
                              hp_is_of_stripped(&u->has_functions, point));
}

static const char *type(const struct hp_lone_rule *rule,
                        const struct hp_point *point, bool is_new) {
  (void)rule;
  (void)is_new;
  return point->type;
}

static struct hp_step function_of(const struct hp_lone_rule *rule,
                                  const struct hp_frame *frame, bool is_new) {
  (void)rule;
  (void)is_new;
  return frame->function ? (struct hp_step){frame->function, 0}
                         : hp_step_of_place(frame);
}

static struct hp_step place_of(const struct hp_lone_rule *rule,
                               const struct hp_frame *frame, bool is_new) {
  (void)rule;
  (void)is_new;
  return hp_step_of_place(frame);
}

static struct hp_step module_of(const struct hp_lone_rule *rule,
                                const struct hp_frame *frame, bool is_new) {
  (void)rule;
  (void)is_new;
  return (struct hp_step){hp_module_name(frame), 0};
}

static bool take_turns(struct unnamed *u, struct hp_pairs *pairs) {
  u->low = HP_FUNCTIONS;
  u->rule.step = function_of;
  u->rule.which = HP_ALL;
  if (!hp_pair_lones(&u->rule, pairs))
    return false;
  u->low = HP_ADDRESSES;
  u->rule.step = place_of;
  if (!hp_pair_lones(&u->rule, pairs))
    return false;
  u->rule.step = module_of;
  u->rule.which = HP_SAME_NUMBERS;
  return hp_pair_lones(&u->rule, pairs);
}

bool hp_pair_unnamed(struct hp_points old_points, struct hp_points new_points,
                     struct hp_pairs *pairs) {
  bool ok = true;
  for (int is_new = 0; ok && is_new < 2; is_new++) {
    struct unnamed u = {
        .rule = {.takes_part = takes_part, .type = type, .is_of_calls = true},
        .is_low_new = is_new != 0};
    ok = hp_names_of_modules(&u.has_functions,
                             is_new ? new_points : old_points) &&
         take_turns(&u, pairs);
    hp_names_free(&u.has_functions);
  }
  return ok;
}
