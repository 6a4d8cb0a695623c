/* waiting.h - the system's time, and waiting: for it, for a word, for threads.
   errno stays as it is, whatever the program forbids its threads.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WAITING_H
#define HP_WAITING_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

uint64_t hp_sys_monotonic_ns(void);
uint64_t hp_sys_realtime_ns(void);
uint64_t hp_sys_cpu_ns(void); /* of all threads; 0: the program forbids it */
void hp_sys_sleep_ns(uint64_t ns);
void hp_sys_yield(void);
void hp_sys_futex_wait(uint32_t *word, uint32_t while_value);
/* The same for NS at most; false: the time is over. */
bool hp_sys_futex_wait_for(uint32_t *word, uint32_t while_value, uint64_t ns);
void hp_sys_futex_wake(uint32_t *word);     /* one thread */
void hp_sys_futex_wake_all(uint32_t *word); /* every one */
/* Every thread of the process that runs passes a memory barrier before this
   returns; false if the kernel cannot do that. */
bool hp_sys_barrier(void);
/* Says to the kernel that a barrier will be asked for, which takes it some 10 ms
   once there are several threads; a child has to say it anew.  False as above. */
bool hp_sys_barrier_begin(void);

#ifdef __cplusplus
}
#endif
#endif
