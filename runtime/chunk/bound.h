/* bound.h - the least and the most that several threads have seen of something.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_CHUNK_BOUND_H
#define HEAPPROF_CHUNK_BOUND_H

#include <stdint.h>

#include "hook_abi.h"

/* WORD is VALUE or more from now on. */
HP_INLINE void hp_bound_raise(uint64_t *word, uint64_t value) {
  uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value > seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* WORD is VALUE or less. */
HP_INLINE void hp_bound_lower(uint64_t *word, uint64_t value) {
  uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (value < seen &&
         !__atomic_compare_exchange_n(word, &seen, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

#endif
