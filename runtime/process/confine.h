/* confine.h - the program is about to forbid its threads system calls (seccomp).
   What the runtime does from then on must not be what the program is killed for.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CONFINE_H
#define HP_CONFINE_H

#include "system/call_filter.h"
#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Around the system call that sets a filter of COUNT steps, NULL: strict mode;
   for the calling thread and those it starts, or TO_ALL.  The runtime's threads
   bear no filter that was set after they began, so they do what the program's
   must not.  Where the filter is set for all threads, and in strict mode, which
   takes the cycle counter away, the profile ends here, and a line says so. */
void hp_confine_begin(const struct hp_filter_step *steps, uint32_t count,
                      bool to_all);
void hp_confine_end(bool done); /* false: the kernel has refused it */

#ifdef __cplusplus
}
#endif
#endif
