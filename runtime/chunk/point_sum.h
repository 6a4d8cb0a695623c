/* point_sum.h - adds to the sums of a point_table, from any thread and any handler.
   Without order: who reads them has waited for those who add.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POINT_SUM_H
#define HP_POINT_SUM_H

#include "system/platform.h"

HP_INLINE void hp_sum_add(uint64_t *to, uint64_t more) {
  if (more)
    __atomic_fetch_add(to, more, __ATOMIC_RELAXED);
}

/* Keeps PC, which is not 0, once among COUNT of READERS, of which those that are 0
   are free; where none is left, OVERFLOW counts. */
HP_INLINE void hp_sum_reader(uint64_t *readers, uint32_t count,
                             uint64_t *overflow, uint64_t pc) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t seen = 0;
    if (__atomic_compare_exchange_n(&readers[i], &seen, pc, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
        seen == pc)
      return;
  }
  hp_sum_add(overflow, 1);
}

#endif
