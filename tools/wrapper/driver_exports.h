/* driver_exports.h - libraries find the runtime's functions in the executable,
   whatever else the linker is told to hide there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DRIVER_EXPORTS_H
#define HP_DRIVER_EXPORTS_H

#include "driver_arguments.h"
#include "driver_linker.h"

/* Changes ARGUMENTS, of a call that links an executable.
     --exclude-libs=ALL  names each archive but the runtime
     --version-script=   if it makes symbols local: those of DYNAMIC_LIST become
                         global in a copy in memory.  Not if it has versions, for
                         these functions have none; *HIDES is then its name if it
                         hides all that it does not name, else NULL.
   Returns false (errno set) if that memory cannot be had. */
bool hp_exports_keep(struct hp_linker *linker, struct hp_arguments *arguments,
                     const char *dynamic_list, const char **hides);

#endif
