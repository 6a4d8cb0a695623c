/* gate.h - keeps threads out of the allocator while the dump is written.
   Around every allocation and free; who enters writes only to its own block.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GATE_H
#define HP_GATE_H

#include "thread/thread_state.h"

extern HP_HIDDEN bool hp_gate_closed;
void hp_gate_wait(struct hp_thread *self);

/* Waits while the gate is closed.  A signal handler that enters while its
   thread is inside does not wait, since the gate waits for that thread.
   Returns what hp_gate_leave() takes. */
HP_INLINE struct hp_thread *hp_gate_enter(void) {
  struct hp_thread *self = hp_thread_get();
  if (HP_UNLIKELY(!self))
    return NULL; /* no memory: it will not get at any chunk */
  uint32_t depth = self->inside;
  __atomic_store_n(&self->inside, depth + 1, __ATOMIC_RELAXED);
  /* Here who closes has the kernel execute a barrier. */
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (HP_UNLIKELY(__atomic_load_n(&hp_gate_closed, __ATOMIC_RELAXED)) && !depth)
    hp_gate_wait(self);
  return self;
}

HP_INLINE void hp_gate_leave(struct hp_thread *self) {
  if (HP_LIKELY(self != NULL))
    __atomic_store_n(&self->inside, self->inside - 1, __ATOMIC_RELEASE);
}

/* Returns when no other thread is inside; gives up after a second, since a
   thread inside may wait for one that waits for the gate.  MINE: the calling
   thread is one of the program's, and may be inside itself. */
void hp_gate_close(bool mine);
void hp_gate_open(void);

/* In a forked child: only the calling thread is left. */
void hp_gate_reset(void);

#endif
