/* bare.c - see bare.h: where the range is, and how slots are numbered.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/bare.h"

#include "system/limit.h"
#include "system/memory.h"

bool hp_bare_is_on, hp_bare_has_range;

/* clang-format off */
#define CLASS(number, sixteenths)                                              \
  {UINT64_MAX / (sixteenths) + 1,                                              \
   HP_BARE_BASE + ((uintptr_t)(number) << HP_PLAIN_REGION_SHIFT) +             \
       ((uintptr_t)(2 * (number) + 5) << HP_START_SHIFT),                      \
   UINT64_C(16) * (sixteenths)}
#define FOUR(number, least)                                                    \
  CLASS(number, UINT64_C(5) * (least)),                                        \
      CLASS((number) + 1, UINT64_C(6) * (least)),                              \
      CLASS((number) + 2, UINT64_C(7) * (least)),                              \
      CLASS((number) + 3, UINT64_C(8) * (least))
/* Of class 0, whose slots are one 16th long, the factor is no number of 64 bits. */
const struct hp_bare_class hp_bare_classes[HP_BARE_CLASS_COUNT] = {
    CLASS(0, 1), CLASS(1, 2), CLASS(2, 3), CLASS(3, 4),
    CLASS(4, 5), CLASS(5, 6), CLASS(6, 7), CLASS(7, 8),
    FOUR(8, 2),  FOUR(12, 4), FOUR(16, 8), FOUR(20, 16), FOUR(24, 32),
    FOUR(28, 64)};
/* clang-format on */

bool hp_bare_reserve(void) {
  hp_bare_has_range = hp_heap_reserved && !hp_memory_is_limited() &&
                      hp_sys_reserve_at((void *)HP_BARE_BASE, HP_BARE_SIZE);
  return hp_bare_has_range;
}
