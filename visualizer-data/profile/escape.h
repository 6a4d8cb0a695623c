/* escape.h - modules whose code without hooks may get chunks from hooked code.
   What is said of accesses in such a process is likely, and no more.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ESCAPE_H
#define HP_ESCAPE_H

#include "profile/profile_inside.h"

/* For each dump of PROFILE whose process held such modules, or whose code with
   hooks calls functions of libc that nobody counts: its points of known accesses
   become shared ones, and PROFILE keeps the modules' paths and those names.
   A note tells of memory of jemalloc's own functions.
   So do points with chunks that lived when their process made a child. */
hp_status hp_escape_find(struct hp_profile *profile,
                         const struct hp_open_options *o,
                         struct hp_error *error);
void hp_escape_free(struct hp_profile *profile);

#endif
