/* gate.c - see gate.h: a word that says closed, and one in each thread's rings
   that says inside.  Ordering them is left to who closes, which is rare.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "thread/gate.h"

#include "system/waiting.h"

#define HP_GATE_PAUSE_NS 50000u
#define HP_GATE_PAUSES 20000u /* a second */
/* Where the kernel has no barrier for us: long enough for any store of a thread
   that runs to be seen by all. */
#define HP_GATE_SETTLE_NS 10000000u

_Alignas(HP_CACHE_LINE) union hp_gate hp_gate = {
    {.begins_slowly = true, .ends_slowly = true, .bare_slowly = true}};
_Static_assert(offsetof(union hp_gate, begins_slowly) == 1 &&
                   offsetof(union hp_gate, ends_slowly) == 2 &&
                   offsetof(union hp_gate, bare_slowly) == 3,
               "as HP_GATE_BEGINS and the others say");
static uint32_t waiting_for; /* futex: 1 while the gate is closed */

HP_COLD void hp_gate_wait(struct hp_thread *self) {
  uint64_t *inside = &self->events.entered, entered = *inside;
  do {
    __atomic_store_n(inside, 0, __ATOMIC_SEQ_CST);
    hp_sys_futex_wait(&waiting_for, 1);
    __atomic_store_n(inside, entered, __ATOMIC_SEQ_CST);
  } while (__atomic_load_n(&hp_gate.closed, __ATOMIC_SEQ_CST));
}

static bool others_inside(const struct hp_thread *self) {
  for (struct hp_thread *t = hp_threads_all(); t; t = t->next)
    if (t != self && __atomic_load_n(&t->events.entered, __ATOMIC_ACQUIRE))
      return true;
  return false;
}

/* A thread stores that it is inside before it looks at the gate.  So one that did
   not see the gate closed is seen inside after the barrier. */
void hp_gate_close(bool mine) {
  const struct hp_thread *self = mine ? hp_thread_self : NULL;
  __atomic_store_n(&waiting_for, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&hp_gate.closed, true, __ATOMIC_SEQ_CST);
  if (!hp_sys_barrier())
    hp_sys_sleep_ns(HP_GATE_SETTLE_NS);
  for (unsigned i = 0; others_inside(self) && i < HP_GATE_PAUSES; i++)
    hp_sys_sleep_ns(HP_GATE_PAUSE_NS);
}

void hp_gate_open(void) {
  __atomic_store_n(&hp_gate.closed, false, __ATOMIC_SEQ_CST);
  __atomic_store_n(&waiting_for, 0, __ATOMIC_SEQ_CST);
  hp_sys_futex_wake_all(&waiting_for);
}

void hp_gate_reset(void) {
  for (struct hp_thread *t = hp_threads_all(); t; t = t->next)
    if (t != hp_thread_self)
      t->events.entered = 0;
  hp_gate.closed = false;
  waiting_for = 0;
}
