/* warm_slots.c - see warm_slots.h: lists by class, linked as those of the cold ones
   are, and a bit for each of the first slots.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/warm_slots.h"

#define CLASSES (HP_ALL_CLASS_COUNT - HP_CLASS_COUNT)
#define SLOTS 16384u /* of a class; others are always cold */

/* A class keeps as many as were missed: taken cold, though it had free ones.  So a
   buffer that grows from class to class leaves nothing behind. */
static struct list {
  struct hp_chunk *head;
  uint32_t count, missed;
} lists[HP_RANGES][CLASSES];
static size_t all_bytes;

static uint64_t bits[HP_RANGES][CLASSES][SLOTS / 64];

struct bit {
  uint64_t *in; /* NULL: it has none */
  uint64_t mask;
};

static struct bit bit_of(const struct hp_chunk *chunk, enum hp_range range) {
  const unsigned c = hp_chunk_class(chunk);
  const uint64_t slot =
      ((uintptr_t)chunk - hp_heap_class_base(c)) >> hp_heap_slot_shift(c);
  if (slot >= SLOTS)
    return (struct bit){NULL, 0};
  return (struct bit){&bits[range][c - HP_CLASS_COUNT][slot / 64],
                      (uint64_t)1 << slot % 64};
}

static struct list *list_of(unsigned size_class, enum hp_range range) {
  return &lists[range][size_class - HP_CLASS_COUNT];
}

void hp_warm_missed(unsigned size_class, enum hp_range range) {
  list_of(size_class, range)->missed++;
}

bool hp_warm_is_wanted(unsigned size_class, enum hp_range range) {
  const struct list *list = list_of(size_class, range);
  return list->count < list->missed;
}

bool hp_warm_put(struct hp_chunk *chunk, enum hp_range range, size_t bytes) {
  const struct bit bit = bit_of(chunk, range);
  struct list *list = list_of(hp_chunk_class(chunk), range);
  if (!bit.in || bytes > HP_WARM_MAX - all_bytes)
    return false;
  struct hp_cold *record = hp_large_record(chunk, range);
  record->first = bytes;
  record->t0 = (uintptr_t)list->head;
  list->head = chunk;
  list->count++;
  __atomic_store_n(&all_bytes, all_bytes + bytes, __ATOMIC_RELAXED);
  __atomic_fetch_or(bit.in, bit.mask, __ATOMIC_RELAXED);
  return true;
}

struct hp_chunk *hp_warm_take(unsigned size_class, enum hp_range range) {
  struct list *list = list_of(size_class, range);
  struct hp_chunk *chunk = list->head;
  if (!chunk)
    return NULL;
  struct hp_cold *record = hp_large_record(chunk, range);
  __atomic_store_n(&all_bytes, all_bytes - record->first, __ATOMIC_RELAXED);
  record->first = 0;
  list->head = (struct hp_chunk *)(uintptr_t)record->t0;
  list->count--;
  return chunk;
}

void hp_warm_forget(void) {
  for (unsigned r = 0; r < HP_RANGES; r++)
    for (unsigned c = 0; c < CLASSES; c++)
      lists[r][c] = (struct list){0};
  all_bytes = 0;
}

size_t hp_warm_bytes(void) {
  return __atomic_load_n(&all_bytes, __ATOMIC_RELAXED);
}

bool hp_slot_is_warm(const struct hp_chunk *chunk, enum hp_range range) {
  const struct bit bit = bit_of(chunk, range);
  return bit.in && __atomic_load_n(bit.in, __ATOMIC_RELAXED) & bit.mask;
}

void hp_slot_is_cold(const struct hp_chunk *chunk, enum hp_range range) {
  const struct bit bit = bit_of(chunk, range);
  if (bit.in)
    __atomic_fetch_and(bit.in, ~bit.mask, __ATOMIC_RELAXED);
}
