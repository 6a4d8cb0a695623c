/* resizes.c - see resizes.h: a table by point; the largest jump is one word, so
   that its two sizes are of one call.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/resizes.h"

#include "chunk/point_sum.h"
#include "chunk/point_table.h"

#define ENTRIES 2048u /* a power of two */
struct entry {
  uint32_t point;      /* 0: free */
  struct hp_lock lock; /* of who changes the jump */
  struct hp_resize_sum sum;
};
static struct hp_point_map resizes;
static bool is_used;

static struct entry *entry_of(uint32_t point, bool take) {
  struct entry *table =
      hp_point_map_entries(&resizes, ENTRIES * sizeof *table, take);
  return table ? hp_point_table_find(table, sizeof *table, ENTRIES, point, take)
               : NULL;
}

static uint64_t value_of(const uint64_t *from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

static void store(uint64_t *to, uint64_t value) {
  __atomic_store_n(to, value, __ATOMIC_RELAXED);
}

/* Who finds another at it for long, as a handler may that interrupted it, leaves
   its own out. */
static bool take(struct hp_lock *lock) {
  for (unsigned i = 0; i < 1000; i++)
    if (hp_lock_try(lock))
      return true;
  return false;
}

static void raise_jump(struct entry *entry, uint64_t before, uint64_t after) {
  struct hp_resize_sum *sum = &entry->sum;
  if (after - before <= value_of(&sum->jump_to) - value_of(&sum->jump_from) ||
      !take(&entry->lock))
    return;
  if (after - before > sum->jump_to - sum->jump_from) {
    store(&sum->jump_from, before);
    store(&sum->jump_to, after);
  }
  hp_lock_release(&entry->lock);
}

void hp_resize_note(uint32_t point, uint64_t before, uint64_t after,
                    const uint64_t *moved) {
  struct entry *entry = point ? entry_of(point, true) : NULL;
  if (!entry)
    return;
  struct hp_resize_sum *sum = &entry->sum;
  __atomic_store_n(&is_used, true, __ATOMIC_RELAXED);
  hp_sum_add(&sum->calls, 1);
  if (moved)
    hp_sum_add(&sum->moved_bytes, *moved);
  else
    hp_sum_add(&sum->in_place, 1);
  if (after > before) {
    hp_sum_add(&sum->grown, 1);
    hp_sum_add(&sum->grown_bytes, after - before);
    raise_jump(entry, before, after);
  } else if (after < before) {
    hp_sum_add(&sum->shrunk, 1);
    hp_sum_add(&sum->shrunk_bytes, before - after);
  }
}

/* A part is never above what it is a part of, which is read last. */
struct hp_resize_sum hp_resizes_of(uint32_t point) {
  const struct entry *entry = is_used && point ? entry_of(point, false) : NULL;
  struct hp_resize_sum sum = {0};
  if (!entry)
    return sum;
  sum.jump_from = value_of(&entry->sum.jump_from);
  sum.jump_to = value_of(&entry->sum.jump_to);
  sum.shrunk_bytes = value_of(&entry->sum.shrunk_bytes);
  sum.shrunk = value_of(&entry->sum.shrunk);
  sum.grown_bytes = value_of(&entry->sum.grown_bytes);
  sum.grown = value_of(&entry->sum.grown);
  sum.moved_bytes = value_of(&entry->sum.moved_bytes);
  sum.in_place = value_of(&entry->sum.in_place);
  sum.calls = value_of(&entry->sum.calls);
  return sum;
}

void hp_resizes_start(void) {
  if (!is_used)
    return;
  is_used = false;
  struct entry *table = resizes.entries;
  for (uint32_t i = 0; table && i < ENTRIES; i++)
    table[i] = (struct entry){0};
}
