/* unseen_modules.h - whose code nobody could watch: modules that own chunks and
   have no hooks there, and how much of the profile that is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNSEEN_MODULES_H
#define HP_UNSEEN_MODULES_H

#include "profile/profile_inside.h"

struct hp_unseen_module {
  const char *path; /* NULL: code in no module */
  uint64_t points, first;
};

/* Sets PROFILE's list of them, and what its whole says of unknown accesses. */
hp_status hp_unseen_find(struct hp_profile *profile, struct hp_error *error);

#endif
