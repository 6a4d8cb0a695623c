/* member_rows.c - see member_rows.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/member_rows.h"

hp_status hp_member_rows_find(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              const struct hp_dump_point *raw,
                              struct hp_profile_point *point,
                              struct hp_error *error) {
  (void)profile;
  (void)process;
  (void)raw;
  (void)error;
  point->members = (struct hp_members){0};
  return HP_OK;
}
