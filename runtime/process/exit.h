/* exit.h - the process ends by exit or by quick_exit: the profile ends after
   the program's own handlers and after the destructors of every library.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EXIT_H
#define HP_EXIT_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Once, at start; LIBC_BEGIN..LIBC_END is where libc's code lies.  False: libc
   takes no more handlers. */
bool hp_exit_start(uintptr_t libc_begin, uintptr_t libc_end);

/* In a forked child: it has not ended, whatever its parent was about. */
void hp_exit_after_fork_child(void);

/* What quick_exit was called with, for the handler that it runs. */
extern int hp_quick_exit_status;

#ifdef __cplusplus
}
#endif
#endif
