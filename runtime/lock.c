/* lock.c - the runtime's lock: a futex word, three states.
   Needs nothing of libc: works before libc is ready and in a forked child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "platform.h"
#include "sanitizer_binding.h"

bool hp_lock_try(struct hp_lock *lock) {
  uint32_t expected = 0;
  return __atomic_compare_exchange_n(&lock->state, &expected, 1, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void hp_lock_take(struct hp_lock *lock) {
  if (HP_LIKELY(hp_lock_try(lock)))
    return;
  while (__atomic_exchange_n(&lock->state, 2, __ATOMIC_ACQUIRE) != 0)
    hp_sys_futex_wait(&lock->state, 2);
}

void hp_lock_release(struct hp_lock *lock) {
  if (__atomic_exchange_n(&lock->state, 0, __ATOMIC_RELEASE) == 2)
    hp_sys_futex_wake(&lock->state);
}

uint64_t hp_lock_take_held(struct hp_lock *lock) {
  uint64_t mask;
  hp_sys_block_signals(&mask);
  hp_lock_take(lock);
  return mask;
}

void hp_lock_release_held(struct hp_lock *lock, uint64_t mask) {
  hp_lock_release(lock);
  hp_sys_restore_signals(&mask);
}
