/* bare.c - see bare.h: where the range is, and how slots are numbered.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/bare.h"

#include "system/limit.h"
#include "system/memory.h"

bool hp_bare_is_on, hp_bare_has_range;

/* clang-format off */
#define FACTOR(sixteenths) (UINT64_MAX / (sixteenths) + 1)
#define FOUR(least)                                                            \
  FACTOR(UINT64_C(5) * (least)), FACTOR(UINT64_C(6) * (least)),                \
      FACTOR(UINT64_C(7) * (least)), FACTOR(UINT64_C(8) * (least))
/* Of class 0, whose slots are one 16th long, it is no number of 64 bits. */
const uint64_t hp_bare_factors[HP_BARE_CLASS_COUNT] = {
    0,         FACTOR(2), FACTOR(3), FACTOR(4),
    FACTOR(5), FACTOR(6), FACTOR(7), FACTOR(8),
    FOUR(2), FOUR(4), FOUR(8), FOUR(16), FOUR(32)};
/* clang-format on */

bool hp_bare_reserve(void) {
  hp_bare_has_range = hp_heap_reserved && !hp_memory_is_limited() &&
                      hp_sys_reserve_at((void *)HP_BARE_BASE, HP_BARE_SIZE);
  return hp_bare_has_range;
}
