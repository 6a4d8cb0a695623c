/* lock.c - the runtime's lock: a futex word, three states.
   Needs nothing of libc: works before libc is ready and in a forked child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/platform.h"
#include "system/signal_mask.h"
#include "system/waiting.h"

bool hp_lock_try(struct hp_lock *lock) {
  uint32_t expected = 0;
  return __atomic_compare_exchange_n(&lock->state, &expected, 1, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

#define HP_LOCK_LONG_NS ((uint64_t)50 * 1000 * 1000)
static void (*when_long)(void);

void hp_lock_when_long(void (*look)(void)) { when_long = look; }

static HP_NOINLINE void wait_for(struct hp_lock *lock) {
  while (__atomic_exchange_n(&lock->state, 2, __ATOMIC_ACQUIRE) != 0)
    if (!hp_sys_futex_wait_for(&lock->state, 2, HP_LOCK_LONG_NS) && when_long)
      when_long();
}

void hp_lock_take(struct hp_lock *lock) {
  if (HP_LIKELY(hp_lock_try(lock)))
    return;
  wait_for(lock);
}

void hp_lock_release(struct hp_lock *lock) {
  if (__atomic_exchange_n(&lock->state, 0, __ATOMIC_RELEASE) == 2)
    hp_sys_futex_wake(&lock->state);
}

#define HP_NO_MASK (~(uint64_t)0) /* no mask has SIGKILL in it */
static bool has_handlers;

bool hp_lock_expect_handlers(void) {
  return !__atomic_exchange_n(&has_handlers, true, __ATOMIC_SEQ_CST);
}

/* A thread may take the lock while there are no handlers, and so hold no signal
   back.  Before the first handler is installed, the thread that installs it
   takes each such lock once, and so waits for that thread. */
uint64_t hp_lock_take_held(struct hp_lock *lock) {
  uint64_t mask = HP_NO_MASK;
  if (!__atomic_load_n(&has_handlers, __ATOMIC_RELAXED)) {
    hp_lock_take(lock);
    if (HP_LIKELY(!__atomic_load_n(&has_handlers, __ATOMIC_SEQ_CST)))
      return mask;
    hp_lock_release(lock);
  }
  hp_sys_block_signals(&mask);
  hp_lock_take(lock);
  return mask;
}

void hp_lock_release_held(struct hp_lock *lock, uint64_t mask) {
  hp_lock_release(lock);
  if (mask != HP_NO_MASK)
    hp_sys_restore_signals(&mask);
}
