/* record_budget.c - see record_budget.h: what slots and records take is a sum
   over the classes, so that nothing is counted beside them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/record_budget.h"

#include "heap/share.h"
#include "system/limit.h"

bool hp_record_budget_allows(uint64_t limit, uint64_t all, uint64_t large,
                             unsigned shift) {
  const uint64_t own = limit / 2 < HP_BUDGET_OWN ? limit / 2 : HP_BUDGET_OWN;
  const uint64_t left = limit - own;
  return all < left / HP_BUDGET_ALL &&
         (shift < HP_BUDGET_LARGE_SHIFT || large < left / HP_BUDGET_LARGE);
}

/* The program may raise its limit.  Where the budget is spent, each allocation
   comes here, so that the system is asked now and then. */
static uint64_t limit_now(void) {
  static uint64_t limit;
  static uint32_t turns;
  if (__atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED) % 64 == 0)
    __atomic_store_n(&limit, hp_limit_least(), __ATOMIC_RELAXED);
  return __atomic_load_n(&limit, __ATOMIC_RELAXED);
}

bool hp_record_budget_is_left(const uint64_t used[HP_CLASS_COUNT],
                              unsigned size_class) {
  const uint64_t record =
      sizeof(struct hp_cold) * (HP_RECORD_KINDS + hp_share_areas());
  uint64_t all = 0, large = 0;
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++) {
    const unsigned shift = hp_heap_slot_shift(c);
    const uint64_t slots = __atomic_load_n(&used[c], __ATOMIC_RELAXED);
    const uint64_t bytes = slots + (slots >> shift) * record;
    all += bytes;
    large += shift >= HP_BUDGET_LARGE_SHIFT ? bytes : 0;
  }
  return hp_record_budget_allows(limit_now(), all, large,
                                 hp_heap_slot_shift(size_class));
}
