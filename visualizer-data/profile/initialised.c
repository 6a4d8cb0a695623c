/* initialised.c - see initialised.h: accesses of what takes chunks down count only if
   others are among them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/initialised.h"

#include "base/failure.h"
#include "profile/teardown.h"

hp_status hp_initialised_find(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              const struct hp_dump_point *raw,
                              struct hp_point *view, struct hp_error *error) {
  view->initialised = (struct hp_initialised){0};
  if (!raw->summary || hp_is_merged(process) || !view->accesses_known)
    return HP_OK;
  const struct hp_initialised_sum *sum = &raw->summary->initialised;
  struct hp_initialised *to = &view->initialised;
  *to = (struct hp_initialised){.chunks = sum->chunks,
                                .lost = sum->lost,
                                .filled = sum->filled,
                                .bytes = sum->bytes,
                                .only = sum->only};
  if (sum->settled == sum->only || sum->overflow)
    return HP_OK;
  bool all;
  HP_TRY(hp_teardown_takers(profile, process, raw, sum->readers, &all,
                            &to->reader, error));
  if (all)
    to->only = sum->settled;
  return HP_OK;
}
