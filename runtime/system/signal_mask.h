/* signal_mask.h - which signals wait for the calling thread, and which it gets.
   The kernel's set of 64: libc holds back two of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SIGNAL_MASK_H
#define HP_SIGNAL_MASK_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps every signal from the calling thread; *SAVED is its mask before. */
void hp_sys_block_signals(uint64_t *saved);
void hp_sys_restore_signals(const uint64_t *saved);
void hp_sys_mask_signal(int number, bool blocked); /* one of them */
/* Those that wait for the calling thread; and NUMBER no longer does, where it is
   not one of BEFORE. */
uint64_t hp_sys_pending_signals(void);
void hp_sys_forget_signal(int number, uint64_t before);
/* Makes a signal do what it does where nobody has asked for anything else. */
void hp_sys_reset_signal(int number);
/* Sends a signal to the calling thread, as it was sent before; where a filter
   of system calls refuses that, by those that libc uses.  False: by none. */
bool hp_sys_queue_signal(int number, const void *info);

#ifdef __cplusplus
}
#endif
#endif
