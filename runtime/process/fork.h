/* fork.h - the order of the runtime's locks around fork, and what becomes of
   the runtime in the child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FORK_H
#define HP_FORK_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Once, at start.  False: libc takes no more handlers. */
bool hp_fork_start(void);

/* Around another way to copy the process, of which libc says nothing: so that no lock
   is taken in the copy, of which nothing is profiled.  In the copy by who called the
   first. */
void hp_fork_begins(void);
void hp_fork_ended(void);
void hp_fork_ended_in_copy(void);

#ifdef __cplusplus
}
#endif
#endif
