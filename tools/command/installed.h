/* installed.h - where the other parts of heapprof are, by the place of the command that runs.
   So a build tree, an installation and a moved installation work alike.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COMMAND_INSTALLED_H
#define HP_COMMAND_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/* PATH, of SIZE bytes, becomes REST in the directory UP levels above the
   command: 1 is PREFIX/bin, 2 is PREFIX.  Nobody looks whether it is there.
   False: /proc does not say where we are, or it does not fit. */
bool hp_command_beside(char *path, size_t size, int up, const char *rest);

#endif
