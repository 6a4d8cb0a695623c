/* sides.c - see sides.h: each set of a run is asked once, while that run is whole.
   Answers are kept, since the other run is asked when the first is no longer that.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "whole_runs.h"

/* Which points of both runs have, or are paired with one that has, chunks in a
   set of one run. */
struct hp_side_answer {
  struct hp_side_answer *next;
  bool is_new;
  char *name;
  bool *has[2]; /* old, new; by the number of the point */
};

/* What one of a pair has counts for both. */
static void share(const struct hp_sides *sides, struct hp_side_answer *answer) {
  for (size_t i = 0; i < sides->pair_count; i++) {
    const struct hp_point *o = sides->pairs[i].old_point,
                          *n = sides->pairs[i].new_point;
    if (!o || !n)
      continue;
    const bool has =
        answer->has[answer->is_new][answer->is_new ? n->id : o->id];
    answer->has[0][o->id] = answer->has[1][n->id] = has;
  }
}

static size_t most_id(const struct hp_sides *sides, bool is_new) {
  uint64_t most = 0;
  for (size_t i = 0; i < sides->pair_count; i++) {
    const struct hp_point *point =
        is_new ? sides->pairs[i].new_point : sides->pairs[i].old_point;
    most = point && point->id > most ? point->id : most;
  }
  return (size_t)most;
}

static hp_status ask(struct hp_sides *sides, struct hp_side_answer *answer,
                     struct hp_error *error) {
  for (int i = 0; i < 2; i++)
    answer->has[i] = calloc(most_id(sides, i) + 1, sizeof *answer->has[i]);
  if (!answer->name || !answer->has[0] || !answer->has[1])
    return hp_command_no_memory(error);
  const hp_status status =
      hp_profile_has_set(sides->profiles[answer->is_new], answer->name,
                         sides->sets_file, answer->has[answer->is_new], error);
  if (status == HP_OK)
    share(sides, answer);
  return status;
}

hp_status hp_sides_find(void *context, bool is_new, const char *name,
                        const bool **has, struct hp_error *error) {
  struct hp_sides *sides = context;
  struct hp_side_answer *answer = sides->answers;
  hp_status status = HP_OK;
  while (answer &&
         (answer->is_new != is_new || strcmp(answer->name, name) != 0))
    answer = answer->next;
  if (!answer) {
    answer = calloc(1, sizeof *answer);
    if (!answer)
      return hp_command_no_memory(error);
    *answer = (struct hp_side_answer){
        .next = sides->answers, .is_new = is_new, .name = strdup(name)};
    sides->answers = answer;
    if (!sides->pairs)
      status = hp_pair_runs(sides->profiles, &sides->pairs, &sides->pair_count,
                            error);
    if (status == HP_OK)
      status = ask(sides, answer, error);
  }
  *has = answer->has[sides->of_new];
  return status;
}

void hp_sides_free(struct hp_sides *sides) {
  for (struct hp_side_answer *a = sides->answers, *next; a; a = next) {
    next = a->next;
    free(a->name);
    free(a->has[0]);
    free(a->has[1]);
    free(a);
  }
  free(sides->pairs);
}
