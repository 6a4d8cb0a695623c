/* gate.h - the way into the allocator and out of it: keeps threads out while
   the dump is written.  Who enters writes only to its own block, one word.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GATE_H
#define HP_GATE_H

#include "system/check.h"
#include "system/clock.h"
#include "thread/thread_state.h"

/* What who enters looks at.  The others are set by whoever knows what beginnings
   and ends ask for (chunk/quick_chunk.h), here so that all is one question. */
union hp_gate {
  struct {
    bool closed, begins_slowly, ends_slowly, bare_slowly;
  };
  uint32_t all;
};
#define HP_GATE_BEGINS 0x0000ffffu
#define HP_GATE_ENDS 0x00ff00ffu
#define HP_GATE_BARE 0xff0000ffu /* beginnings of bare chunks */
extern HP_HIDDEN union hp_gate hp_gate;
void hp_gate_wait(struct hp_thread *self);

/* Begins a use of the allocator; waits while the gate is closed.

   The mark events.entered says that the thread is inside, both to whoever closes
   the gate and to the collector, and holds a time that no later event of this use
   is older than: the coarse clock's, or that of the thread's last event if that is
   later.  The coarse clock alone would stand still behind a thread that allocates
   all the time, and the collector would wait for it.

   A handler of a signal may enter while its thread is inside.  It does not wait,
   since the gate waits for that thread.  For hp_gate_leave() it is returned
   whether this is such a nested use: not 0, and the thread's caches may be in the
   middle of a change. */
HP_INLINE uint64_t hp_gate_enter(struct hp_thread *self) {
  const uint64_t outer = self->events.entered, last = self->last_event;
  uint64_t coarse = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  if (HP_LIKELY(!outer))
    __atomic_store_n(&self->events.entered, coarse > last ? coarse : last,
                     __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* before the clock is read */
  /* hp_gate_close() has the kernel execute a barrier here. */
  if (HP_UNLIKELY(__atomic_load_n(&hp_gate.closed, __ATOMIC_RELAXED)) && !outer)
    hp_gate_wait(self);
  return outer;
}

/* The rings to which a use of the allocator may have appended. */
enum hp_events_kind { HP_A_BEGIN = 1, HP_AN_END = 2, HP_ANY_EVENT = 3 };

/* Ends the use, and empties the thread's rings if one of KIND is nearly full.  That
   comes after the mark is gone, since emptying may wait for threads inside.  A
   nested use leaves it to the code that it interrupted, unless there is no room
   at all: that code may never go on. */
HP_INLINE void hp_gate_leave(struct hp_thread *self, uint64_t outer,
                             enum hp_events_kind kind) {
  struct hp_events *events = &self->events;
  if (HP_LIKELY(!outer)) {
    uint64_t entered = events->entered;
    HP_CHECK(entered);
    __atomic_store_n(&events->entered, 0, __ATOMIC_RELEASE);
    if (((kind & HP_A_BEGIN) &&
         HP_UNLIKELY(hp_begins_full(events, HP_EVENTS_SPARE))) ||
        ((kind & HP_AN_END) &&
         HP_UNLIKELY(hp_ends_full(events, HP_EVENTS_SPARE))) ||
        HP_UNLIKELY(entered >
                    __atomic_load_n(&hp_events_due, __ATOMIC_RELAXED)))
      hp_events_empty(events);
  } else if (HP_UNLIKELY(hp_events_full(events, HP_EVENTS_LEAST))) {
    hp_events_empty(events);
  }
}

/* Returns when no other thread is inside; gives up after a second, since a
   thread inside may wait for one that waits for the gate.  MINE: the calling
   thread is one of the program's, and may be inside itself. */
void hp_gate_close(bool mine);
void hp_gate_open(void);

/* In a forked child: only the calling thread is left. */
void hp_gate_reset(void);

#endif
