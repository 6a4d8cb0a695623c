/* plain_guard.h - a thread's mark that it changes its caches of chunks that are no
   samples, and its live bytes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PLAIN_GUARD_H
#define HP_PLAIN_GUARD_H

#include "thread/thread_state.h"

/* Between these the thread's plain caches change; where they do already, a
   handler of a signal calls, which leaves them alone. */
HP_INLINE void hp_plain_enter(struct hp_thread *self) {
  self->in_plain = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

HP_INLINE void hp_plain_leave(struct hp_thread *self) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  self->in_plain = false;
}

#endif
