/* lifecycle.h - order of start-up, fork and exit: the one place that calls every part in turn.
   hp_init() runs before any constructor (.preinit_array) or at the first hook, whichever is first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIFECYCLE_H
#define HP_LIFECYCLE_H

#include "platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0 not begun, 1 running (allocations come from the interceptors' own small
   allocator), 2 done. */
extern int hp_init_state;
void hp_init(void);

/* Ends the window and writes the dump; a second call does nothing.  REASON as
   in the end record; STATUS < 0: none. */
void hp_finish(const char *reason, int status);

#ifdef __cplusplus
}
#endif
#endif
