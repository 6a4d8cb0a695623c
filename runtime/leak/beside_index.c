/* beside_index.c - see beside_index.h: places in ascending order, sorted by one byte after the other, and
   a bit for each GiB that chunks lie in, which most words are not the address of.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/beside_index.h"

#include "system/memory.h"

#define BYTE_VALUES 256u
#define PLACE_BITS 48u
#define STRIDE_BITS 30u
#define STRIDE_BYTES ((size_t)1 << (PLACE_BITS - STRIDE_BITS - 3))

struct place {
  uintptr_t at;
  const struct hp_chunk *record;
};
static struct {
  struct place *list, *other; /* room for ROOM each */
  size_t count, room;
  uint8_t *strides; /* STRIDE_BYTES */
  uint64_t (*size_of)(const struct hp_chunk *record);
} all;

static void note_strides(uintptr_t at, uint64_t size) {
  for (uintptr_t i = at >> STRIDE_BITS; i <= (at + size) >> STRIDE_BITS; i++)
    all.strides[i / 8] |= (uint8_t)(1u << i % 8);
}

static void add(const struct hp_chunk *record, void *arg) {
  (void)arg;
  const uintptr_t at = *hp_beside_place(record);
  if (all.count == all.room)
    return;
  all.list[all.count++] = (struct place){at, record};
  note_strides(at, all.size_of(record));
}

/* By 8 bits from SHIFT on; equal ones keep their order. */
static void sort_by(unsigned shift) {
  size_t begins[BYTE_VALUES] = {0}, at = 0;
  for (size_t i = 0; i < all.count; i++)
    begins[all.list[i].at >> shift & (BYTE_VALUES - 1)]++;
  for (unsigned value = 0; value < BYTE_VALUES; value++) {
    const size_t count = begins[value];
    begins[value] = at;
    at += count;
  }
  for (size_t i = 0; i < all.count; i++)
    all.other[begins[all.list[i].at >> shift & (BYTE_VALUES - 1)]++] =
        all.list[i];
  struct place *sorted = all.other;
  all.other = all.list;
  all.list = sorted;
}

bool hp_beside_index_start(uint64_t (*size_of)(const struct hp_chunk *record)) {
  all.size_of = size_of;
  all.room = hp_beside_count() + 1;
  all.count = 0;
  all.list = hp_sys_map(all.room * sizeof(struct place));
  all.other = hp_sys_map(all.room * sizeof(struct place));
  all.strides = hp_sys_map(STRIDE_BYTES);
  if (!all.list || !all.other || !all.strides) {
    hp_beside_index_end();
    return false;
  }
  hp_beside_each(add, NULL);
  for (unsigned shift = 0; shift < PLACE_BITS; shift += 8)
    sort_by(shift);
  return true;
}

size_t hp_beside_index_first(uintptr_t address) {
  size_t low = 0, high = all.count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (all.list[middle].at < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uintptr_t hp_beside_index_place(size_t number) {
  return number < all.count ? all.list[number].at : UINTPTR_MAX;
}

const struct hp_chunk *hp_beside_index_find(uintptr_t address) {
  const uintptr_t stride = address >> STRIDE_BITS;
  if (!all.strides || HP_LIKELY(!(all.strides[stride / 8] >> stride % 8 & 1)))
    return NULL;
  size_t behind = hp_beside_index_first(address);
  behind += behind < all.count && all.list[behind].at == address;
  return behind ? all.list[behind - 1].record : NULL;
}

void hp_beside_index_end(void) {
  if (all.list)
    hp_sys_unmap(all.list, all.room * sizeof(struct place));
  if (all.other)
    hp_sys_unmap(all.other, all.room * sizeof(struct place));
  if (all.strides)
    hp_sys_unmap(all.strides, STRIDE_BYTES);
  all.list = all.other = NULL;
  all.strides = NULL;
  all.count = 0;
}
