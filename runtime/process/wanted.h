/* wanted.h - whether this process is one that the user wants a profile of.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WANTED_H
#define HP_WANTED_H

#include "system/platform.h"

/* By the options only_programs and only_ranks.  Ends the process if the latter
   is no list of ranks.  Once, at start. */
bool hp_process_is_wanted(void);

#endif
