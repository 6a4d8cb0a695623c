/* allocation_locks.h - the locks that an allocation may need, as one: around
   fork, and before the program gets its first handler of a signal.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ALLOCATION_LOCKS_H
#define HP_ALLOCATION_LOCKS_H

#ifdef __cplusplus
extern "C" {
#endif

void hp_allocation_lock(void);
void hp_allocation_unlock(void);

/* Before the program gets a handler of a signal: from now on no handler finds
   its thread with a lock that an allocation may need. */
void hp_expect_handlers(void);

#ifdef __cplusplus
}
#endif
#endif
