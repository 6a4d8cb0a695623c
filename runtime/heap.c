/* heap.c - reserves the address range of heap.h, as large as the system grants.
   Nothing in it can be touched until primary.c and secondary.c make it so.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap.h"
#include "sanitizer_binding.h"

#define HP_REGION_SHIFT_MAX 38u /* 34 TiB in all */
#define HP_REGION_SHIFT_MIN 26u /* 9 GiB in all */

struct hp_heap hp_heap;

bool hp_heap_reserve(void) {
  for (unsigned shift = HP_REGION_SHIFT_MAX; shift >= HP_REGION_SHIFT_MIN;
       shift--) {
    size_t region = (size_t)1 << shift;
    size_t data = (HP_CLASS_COUNT + 16) * region;
    size_t records = HP_CLASS_COUNT * 4 * region;
    size_t large_records = region >> 4;
    size_t large_numbers = (16 * region >> HP_GRANULE_SHIFT) * sizeof(uint32_t);
    /* A slot is aligned to its size only if base is aligned to the greatest
       slot; one granule more lets it be moved there. */
    char *p = hp_sys_reserve(HP_GRANULE + data + 2 * (records + large_records) +
                             large_numbers);
    if (!p)
      continue;
    uintptr_t base =
        ((uintptr_t)p + HP_GRANULE - 1) & ~(uintptr_t)(HP_GRANULE - 1);
    hp_heap.base = base;
    hp_heap.region_shift = shift;
    hp_heap.records = (struct hp_chunk *)(base + data);
    hp_heap.large_records = (struct hp_chunk *)(base + data + records);
    hp_heap.foreign_distance = records + large_records;
    hp_heap.large_numbers =
        (const uint32_t *)(base + data + 2 * hp_heap.foreign_distance);
    if (shift == HP_INLINE_REGION_SHIFT)
      hp_heap.inline_size = HP_CLASS_COUNT * region;
    hp_heap.data_size = data;
    return true;
  }
  return false;
}
