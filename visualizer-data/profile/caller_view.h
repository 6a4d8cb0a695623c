/* caller_view.h - threads and allocation functions of a process, from the lists
   of its end record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CALLER_VIEW_H
#define HP_CALLER_VIEW_H

#include "profile/profile_inside.h"

/* Sets thread_uses and call_uses of PROCESS's view, once its rules are set. */
hp_status hp_process_describe_callers(struct hp_profile *profile,
                                      struct hp_profile_process *process,
                                      struct hp_error *error);

#endif
