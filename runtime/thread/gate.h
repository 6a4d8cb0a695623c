/* gate.h - the way into the allocator and out of it: keeps threads out while
   the dump is written.  Who enters writes only to its own block, one word.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GATE_H
#define HP_GATE_H

#include "thread/thread_state.h"

extern HP_HIDDEN bool hp_gate_closed;
void hp_gate_wait(struct hp_thread *self);

/* Around every use of the allocator; waits while the gate is closed.  That the
   thread is inside is said by events.entered (event.h).  A signal handler that
   enters while its thread is inside does not wait, since the gate waits for that
   thread.  Returns what hp_gate_leave() takes: 0, or that this is a handler's,
   and the thread's caches may be in the middle of a change. */
HP_INLINE uint64_t hp_gate_enter(struct hp_thread *self) {
  uint64_t outer = hp_events_enter(&self->events, self->last_event);
  /* Here who closes has the kernel execute a barrier. */
  if (HP_UNLIKELY(__atomic_load_n(&hp_gate_closed, __ATOMIC_RELAXED)) && !outer)
    hp_gate_wait(self);
  return outer;
}

/* Who empties rings here is outside: it may wait for who is inside. */
HP_INLINE void hp_gate_leave(struct hp_thread *self, uint64_t outer,
                             enum hp_events_kind kind) {
  hp_events_leave(&self->events, outer, kind);
}

/* Returns when no other thread is inside; gives up after a second, since a
   thread inside may wait for one that waits for the gate.  MINE: the calling
   thread is one of the program's, and may be inside itself. */
void hp_gate_close(bool mine);
void hp_gate_open(void);

/* In a forked child: only the calling thread is left. */
void hp_gate_reset(void);

#endif
