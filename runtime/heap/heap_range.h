/* heap_range.h - whether an address lies in the heap: one comparison, for the
   runtime and its interceptors alike.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HEAP_RANGE_H
#define HP_HEAP_RANGE_H

#include "hook_abi.h"
#include "system/platform.h"

/* Whether P lies in the range of profiled chunks, in a slot or not. */
HP_INLINE bool hp_heap_holds(const void *p) {
  return ((uintptr_t)p >> HP_REGION_SHIFT) - HP_REGION_FIRST <
         HP_REGION_COUNT - HP_REGION_FIRST;
}

/* The same, or in the range of chunks of a process without hooks (bare_range.h), which
   is behind it: of what libc's functions do something may be told. */
#define HP_MAY_HOLD_END 48
HP_INLINE bool hp_heap_may_hold(const void *p) {
  return ((uintptr_t)p >> HP_REGION_SHIFT) - HP_REGION_FIRST <
         HP_MAY_HOLD_END - HP_REGION_FIRST;
}

/* Whether P, or P and Q, are outside for sure, as nearly all is in a run of
   samples: one bit. */
HP_INLINE bool hp_heap_is_elsewhere(const void *p) {
  return (uintptr_t)p >> HP_ELSEWHERE_BIT & 1;
}
HP_INLINE bool hp_heap_are_elsewhere(const void *p, const void *q) {
  return ((uintptr_t)p & (uintptr_t)q) >> HP_ELSEWHERE_BIT & 1;
}

#endif
