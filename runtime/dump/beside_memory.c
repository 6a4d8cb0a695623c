/* beside_memory.c - see beside_memory.h: each live chunk is looked up among the ranges.
   What has no room in the list counts as a mapping of the program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/beside_memory.h"

#include "heap/beside_table.h"
#include "system/memory.h"

#define RANGES_MAX ((size_t)16384)

struct range {
  uintptr_t begin, end;
  uint64_t resident, live;
};
static struct {
  struct range *list; /* NULL: not yet, or no memory */
  size_t count;
} ranges;

void hp_beside_memory_start(void) {
  ranges.count = 0;
  if (hp_beside && !ranges.list)
    ranges.list = hp_sys_map(RANGES_MAX * sizeof(struct range));
}

void hp_beside_memory_add(uintptr_t begin, uintptr_t end, uint64_t resident) {
  if (ranges.list && ranges.count < RANGES_MAX)
    ranges.list[ranges.count++] = (struct range){begin, end, resident, 0};
}

static void place(const struct hp_chunk *record, void *arg) {
  const uintptr_t at = *hp_beside_place(record);
  size_t low = 0, high = ranges.count; /* the first that ends behind it */
  (void)arg;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (ranges.list[middle].end <= at)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < ranges.count && ranges.list[low].begin <= at)
    ranges.list[low].live += hp_chunk_size(record);
}

struct hp_beside_memory hp_beside_memory_end(void) {
  struct hp_beside_memory sum = {0, 0};
  if (ranges.list)
    hp_beside_each(place, NULL);
  for (size_t i = 0; i < ranges.count; i++) {
    const struct range *range = &ranges.list[i];
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): none are counted without a list */
    if (!range->live)
      continue;
    const uint64_t live =
        range->live < range->resident ? range->live : range->resident;
    sum.live += live;
    sum.retained += range->resident - live;
  }
  return sum;
}
