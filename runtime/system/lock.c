/* lock.c - the runtime's lock: a futex word, three states.
   Needs nothing of libc: works before libc is ready and in a forked child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/forbidden_calls.h"
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

/* What the thread has taken with signals let in; and its mask from before one that
   would end it there, until all are released.  Of the runtime's own threads, which
   get no signal and whose variables may not reach so far, nothing is noted. */
static HP_THREAD_LOCAL struct {
  uint32_t open;
  bool waits;
  uint64_t mask;
} taken;

static void note_open(void) {
  if (!hp_thread_is_runtimes())
    taken.open++;
}

static void note_released(void) {
  if (hp_thread_is_runtimes() || --taken.open || HP_LIKELY(!taken.waits))
    return;
  taken.waits = false;
  hp_sys_restore_signals(&taken.mask);
}

bool hp_lock_hold_back(uint64_t *mask) {
  if (!taken.open)
    return false;
  taken.mask = *mask;
  taken.waits = true;
  *mask = ~(uint64_t)0;
  return true;
}

bool hp_lock_expect_handlers(void) {
  return !__atomic_exchange_n(&has_handlers, true, __ATOMIC_SEQ_CST);
}

/* A thread may take the lock while there are no handlers, and so hold no signal
   back.  Before the first handler is installed, the thread that installs it
   takes each such lock once, and so waits for that thread. */
uint64_t hp_lock_take_held(struct hp_lock *lock) {
  uint64_t mask = HP_NO_MASK;
  if (__atomic_load_n(&has_handlers, __ATOMIC_RELAXED))
    hp_sys_block_signals(&mask);
  else
    note_open();
  hp_lock_take(lock);
  if (HP_LIKELY(mask != HP_NO_MASK ||
                !__atomic_load_n(&has_handlers, __ATOMIC_SEQ_CST)))
    return mask;
  hp_lock_release_held(lock, mask);
  return hp_lock_take_held(lock);
}

void hp_lock_release_held(struct hp_lock *lock, uint64_t mask) {
  hp_lock_release(lock);
  if (mask != HP_NO_MASK)
    hp_sys_restore_signals(&mask);
  else
    note_released();
}
