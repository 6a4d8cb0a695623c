/* whole_runs.c - see whole_runs.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "whole_runs.h"

#include "command.h"

hp_status hp_pair_runs(hp_profile *const profiles[2], struct hp_pair **pairs,
                       size_t *count, struct hp_error *error) {
  const struct hp_query query = {.sz = sizeof query};
  struct hp_points points[2];
  for (int i = 0; i < 2; i++) {
    const hp_status status = hp_profile_query(
        profiles[i], &query, &points[i].points, &points[i].count, error);
    if (status != HP_OK)
      return status;
  }
  return hp_pair_up(points[0], points[1], pairs, count)
             ? HP_OK
             : hp_command_no_memory(error);
}
