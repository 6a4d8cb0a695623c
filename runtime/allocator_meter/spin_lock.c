/* spin_lock.c - see spin_lock.h.
   A short while of looking, then sched_yield.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/spin_lock.h"

#include <sched.h>

#define LOOKS 100

bool hp_spin_lock_try(struct hp_spin_lock *lock) {
  return !__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE);
}

void hp_spin_lock_take(struct hp_spin_lock *lock) {
  while (!hp_spin_lock_try(lock))
    for (int i = 0; __atomic_load_n(&lock->taken, __ATOMIC_RELAXED); i++)
      if (i >= LOOKS)
        sched_yield();
}

void hp_spin_lock_give(struct hp_spin_lock *lock) {
  __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
}
