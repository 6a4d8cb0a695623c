/* notes.h - what the reader of the numbers should know, a line each.
   What was lost, estimated, or joined to find room.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_NOTES_H
#define HP_NOTES_H

#include "profile/profile_inside.h"

/* One more line for hp_profile_note_at. */
hp_status hp_profile_note(struct hp_profile *profile, struct hp_error *error,
                          const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Of PROCESS, whose points are measured: */
hp_status hp_note_losses(struct hp_profile *profile,
                         const struct hp_profile_process *process,
                         struct hp_error *error);
hp_status hp_note_estimates(struct hp_profile *profile,
                            const struct hp_profile_process *process,
                            struct hp_error *error);
hp_status hp_note_coarse_groups(struct hp_profile *profile,
                                const struct hp_profile_process *process,
                                struct hp_error *error);

#endif
