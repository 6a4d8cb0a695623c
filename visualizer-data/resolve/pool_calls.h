/* pool_calls.h - which names that a program was built with as its pools' functions are of
   none that it calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POOL_CALLS_H
#define HP_POOL_CALLS_H

#include <libelf.h>

/* A line, to be freed, of the items of -heapprof-pools by which nothing was found in any
   file of PATH, whose ELF is CODE (NULL: none), and why; NULL if there is none, or memory
   is out. */
char *hp_pool_calls_missing(Elf *code, const char *path);

#endif
