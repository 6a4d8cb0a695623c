/* spin_lock.h - a lock for a few instructions, without any memory of libc's.
   Zero is unlocked.  Who does not get it gives its processor away.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SPIN_LOCK_H
#define HP_SPIN_LOCK_H

#include <stdbool.h>

struct hp_spin_lock {
  int taken;
};

void hp_spin_lock_take(struct hp_spin_lock *lock);
bool hp_spin_lock_try(struct hp_spin_lock *lock);
void hp_spin_lock_give(struct hp_spin_lock *lock);

#endif
