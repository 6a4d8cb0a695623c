/* same_modules.h - whether two processes had the same modules: what is found in
   the files of one's is so in the other's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SAME_MODULES_H
#define HP_SAME_MODULES_H

#include "read/raw_dump.h"

/* Files, builds, code with hooks, and which were there at the start; not where
   they lay, or when they were loaded. */
bool hp_has_same_modules(const struct hp_dump *a, const struct hp_dump *b);

#endif
