/* unseen_members.h - what rules about members could say, had the run counted them.
   Asked only where none was counted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNSEEN_MEMBERS_H
#define HP_UNSEEN_MEMBERS_H

#include "base/store.h"
#include "heapprof.h"

/* *TEXT is a line or two, kept in STORE; NULL: a run with them would say no more. */
hp_status hp_unseen_members_tell(const char **text, const hp_profile *profile,
                                 const struct hp_point *const *points,
                                 size_t count, struct hp_store *store,
                                 struct hp_error *error);

#endif
