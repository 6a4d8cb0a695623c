/* initialised.c - see initialised.h: accesses of what takes chunks down count only if
   others are among them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/initialised.h"

#include "base/failure.h"
#include "base/saturate.h"
#include "profile/teardown.h"

/* Of one process: what was taken down by others is not told. */
static hp_status add_numbers(struct hp_profile *profile,
                             const struct hp_profile_process *process,
                             const struct hp_dump_point *raw,
                             const struct hp_initialised_sum *sum,
                             struct hp_initialised *to,
                             struct hp_error *error) {
  const struct hp_frame *reader = NULL;
  bool all = false;
  if (sum->settled != sum->only && !sum->overflow)
    HP_TRY(hp_teardown_takers(profile, process, raw, sum->readers, &all,
                              &reader, error));
  to->reader = to->reader ? to->reader : reader;
  to->chunks = hp_add(to->chunks, sum->chunks);
  to->lost = hp_add(to->lost, sum->lost);
  to->filled = hp_add(to->filled, sum->filled);
  to->bytes = hp_add(to->bytes, sum->bytes);
  to->only = hp_add(to->only, all ? sum->settled : sum->only);
  return HP_OK;
}

hp_status hp_initialised_find(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              const struct hp_dump_point *raw,
                              struct hp_point *view, struct hp_error *error) {
  view->initialised = (struct hp_initialised){0};
  if (!hp_knows_code(process) || !view->accesses_known)
    return HP_OK;
  for (const struct hp_summary *s = raw->summary; s; s = s->next)
    HP_TRY(add_numbers(profile, process, raw, &s->initialised,
                       &view->initialised, error));
  return HP_OK;
}
