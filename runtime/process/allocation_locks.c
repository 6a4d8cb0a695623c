/* allocation_locks.c - see allocation_locks.h: points, slots, rules of frames.
   In the order in which whoever needs two of them takes them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/allocation_locks.h"

#include "chunk/mapping.h"
#include "chunk/pooled.h"
#include "heap/beside_table.h"
#include "heap/primary.h"
#include "heap/secondary.h"
#include "origin/point.h"
#include "unwind/unwind_rule.h"

void hp_allocation_lock(void) {
  hp_mappings_lock();
  hp_pooled_fork_lock();
  hp_point_lock();
  hp_secondary_lock();
  hp_primary_lock();
  hp_beside_lock();
  hp_rules_lock();
}

void hp_allocation_unlock(void) {
  hp_rules_unlock();
  hp_beside_unlock();
  hp_primary_unlock();
  hp_secondary_unlock();
  hp_point_unlock();
  hp_pooled_fork_unlock();
  hp_mappings_unlock();
}

void hp_expect_handlers(void) {
  if (!hp_lock_expect_handlers())
    return;
  hp_allocation_lock(); /* after all who took them unmasked */
  hp_allocation_unlock();
}
