/* gate.h - keeps threads out of the allocator while the dump is written.
   Entered by every allocation and free; outermost entry of a thread counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GATE_H
#define HP_GATE_H

#include "platform.h"

/* Waits while the gate is closed.  A signal handler that enters while its
   thread is inside does not wait, since the gate waits for that thread. */
void hp_gate_enter(void);
void hp_gate_leave(void);

/* Returns when no other thread is inside; gives up after a second, since a
   thread inside may wait for one that waits for the gate. */
void hp_gate_close(void);
void hp_gate_open(void);

/* In a forked child: only the calling thread is left. */
void hp_gate_reset(void);

#endif
