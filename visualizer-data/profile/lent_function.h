/* lent_function.h - functions of the program that code without hooks allocates
   by: what it was given as a malloc.  Their chunks are that code's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LENT_FUNCTION_H
#define HP_LENT_FUNCTION_H

#include "profile/profile_inside.h"

/* Points of PROFILE that were allocated so become ones of unknown accesses. */
hp_status hp_lent_find(struct hp_profile *profile, struct hp_error *error);

#endif
