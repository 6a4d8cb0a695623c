/* member_rows.c - see member_rows.h: what the process says, and of how many chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/member_rows.h"

hp_status hp_member_rows_find(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              const struct hp_dump_point *raw,
                              struct hp_profile_point *point,
                              struct hp_error *error) {
  (void)profile;
  (void)error;
  point->members = (struct hp_members){0};
  if (!raw->summary || hp_is_merged(process))
    return HP_OK;
  const struct hp_summary *s = raw->summary;
  const struct hp_member_sum *from = &s->members;
  const double of_each =
      from->chunks ? (double)s->chunks / (double)from->chunks : 0;
  point->members =
      (struct hp_members){.rows = from->rows,
                          .count = from->count,
                          .chunks_counted = from->chunks,
                          .weight = from->chunks && of_each < 1 ? 1 : of_each,
                          .lost = from->lost,
                          .lines = from->lines,
                          .line_count = from->line_count};
  return HP_OK;
}
