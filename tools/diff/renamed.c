/* renamed.c - stacks are compared with a blank for each name that one run alone has.
   Then types are left out where one of the runs does not know them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "renamed.h"

#include "lone.h"
#include "names.h"

/* What takes part: all of both runs, or those of one that have no type. */
enum turn { NAMES, OLD_UNTYPED, NEW_UNTYPED, TURNS };

struct renaming {
  struct hp_lone_rule rule; /* first, so that it leads here */
  struct hp_names only[2];  /* the names that only the old, the new run has */
  enum turn turn;
};

static const char blank[] = "";

static const struct renaming *of(const struct hp_lone_rule *rule) {
  return (const struct renaming *)rule;
}

static const char *masked(const struct hp_names *only, const char *name) {
  return hp_names_have(only, name) ? blank : name;
}

static bool takes_part(const struct hp_lone_rule *rule,
                       const struct hp_point *point, bool is_new) {
  return !point->type || of(rule)->turn != (is_new ? NEW_UNTYPED : OLD_UNTYPED);
}

static const char *type(const struct hp_lone_rule *rule,
                        const struct hp_point *point, bool is_new) {
  return of(rule)->turn == NAMES && point->type
             ? masked(&of(rule)->only[is_new], point->type)
             : blank;
}

static struct hp_step step(const struct hp_lone_rule *rule,
                           const struct hp_frame *frame, bool is_new) {
  return frame->function ? (struct hp_step){masked(&of(rule)->only[is_new],
                                                   frame->function),
                                            0}
                         : hp_step_of_place(frame);
}

static bool are_both_left(const struct hp_pairs *pairs) {
  bool is_left[2] = {false, false};
  for (size_t i = 0; i < pairs->count; i++) {
    is_left[0] |= !pairs->items[i].new_point;
    is_left[1] |= !pairs->items[i].old_point;
  }
  return is_left[0] && is_left[1];
}

bool hp_pair_renamed(struct hp_points old_points, struct hp_points new_points,
                     struct hp_pairs *pairs) {
  struct renaming renaming = {.rule = {.takes_part = takes_part,
                                       .type = type,
                                       .step = step,
                                       .which = HP_ALIKE}};
  struct hp_names *only = renaming.only;
  if (!are_both_left(pairs))
    return true;
  bool ok =
      hp_names_of(&only[0], old_points) && hp_names_of(&only[1], new_points);
  if (ok)
    hp_names_differ(&only[0], &only[1]);
  for (; ok && renaming.turn < TURNS; renaming.turn++)
    ok = hp_pair_lones(&renaming.rule, pairs);
  hp_names_free(&only[0]);
  hp_names_free(&only[1]);
  return ok;
}
