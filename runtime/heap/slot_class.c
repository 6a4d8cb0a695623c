/* slot_class.c - see slot_class.h: the table.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/slot_class.h"

/* How far into its range a class begins, and what is kept of plain ones, an
   eighth of its bytes at most: each at another place in the pages, too. */
#define FIRST(number)                                                          \
  (((uintptr_t)(number) << HP_PLAIN_REGION_SHIFT) +                            \
   ((uintptr_t)(2 * (number) + 5) << HP_START_SHIFT))
_Static_assert(16 / sizeof(uint16_t) == 8, "the least slot, over its word");

#define CLASS(number, size, range, kept)                                       \
  {UINT64_MAX / (size) + 1, (range) + FIRST(number), (kept), (size)}
#define PLAIN(number, sixteenths)                                              \
  CLASS(number, UINT64_C(16) * (sixteenths), HP_PLAIN_BASE,                    \
        HP_PLAIN_SIZES_BASE + FIRST(number) / 8)
#define BARE(number, sixteenths)                                               \
  CLASS(number, UINT64_C(16) * (sixteenths) + HP_BARE_MORE, HP_BARE_BASE,      \
        HP_BARE_RECORDS_BASE + FIRST(number))

/* clang-format off */
#define FOUR(IN, number, least)                                                \
  IN(number, 5 * (least)), IN((number) + 1, 6 * (least)),                      \
  IN((number) + 2, 7 * (least)), IN((number) + 3, 8 * (least))
#define UP_TO_8_KIB(IN)                                                        \
  IN(0, 1), IN(1, 2), IN(2, 3), IN(3, 4), IN(4, 5), IN(5, 6), IN(6, 7),        \
  IN(7, 8), FOUR(IN, 8, 2), FOUR(IN, 12, 4), FOUR(IN, 16, 8),                  \
  FOUR(IN, 20, 16), FOUR(IN, 24, 32), FOUR(IN, 28, 64)

const struct hp_slot_class hp_plain_classes[HP_PLAIN_CLASS_COUNT] = {
    UP_TO_8_KIB(PLAIN), FOUR(PLAIN, 32, 128), FOUR(PLAIN, 36, 256),
    FOUR(PLAIN, 40, 512)};
const struct hp_slot_class hp_bare_classes[HP_BARE_CLASS_COUNT] = {
    UP_TO_8_KIB(BARE)};
/* clang-format on */
