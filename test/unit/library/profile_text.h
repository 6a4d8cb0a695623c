/* profile_text.h - everything a reader of a profile can see, as text.
   Equal texts are equal numbers, to twelve digits.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROFILE_TEXT_H
#define HP_PROFILE_TEXT_H

#include "heapprof.h"

/* Owned by the caller.  Paths of dumps are left out.  Aborts on failure. */
char *hp_profile_text(hp_profile *profile);

#endif
