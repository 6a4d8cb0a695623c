/* hooked.h - which code of a module has hooks, by the records of its functions.
   Accesses that other code makes are seen by nobody; hook_abi.h has the records.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HOOKED_H
#define HP_HOOKED_H

#include "system/platform.h"

/* Takes down the records around MARK for the module that they lie in.  The load map
   has it. */
void hp_hooked_add(const void *mark);

#endif
