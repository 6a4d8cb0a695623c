/* beside_table.c - see beside_table.h: linear probing, at most three quarters full.
   What is taken out leaves no gap: those behind it move up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/beside_table.h"

#include "system/memory.h"

bool hp_beside;
uint64_t hp_beside_unrecorded;

#define PARTS 64u
#define CAPACITY_FIRST ((size_t)1024)

/* 0: none. */
struct entry {
  uintptr_t place;
  struct hp_chunk *record;
};

static struct part {
  _Alignas(HP_CACHE_LINE) struct hp_lock lock;
  struct entry *entries;
  size_t capacity, count; /* 0, or a power of two */
} parts[PARTS];

static uint64_t hash_of(uintptr_t place) {
  return (uint64_t)(place >> 4) * 0x9e3779b97f4a7c15u;
}

static struct part *part_of(uintptr_t place) {
  return &parts[hash_of(place) >> 58 & (PARTS - 1)];
}

static size_t next_of(const struct part *part, size_t i) {
  return (i + 1) & (part->capacity - 1);
}

/* By bits that do not choose the part. */
static size_t home_of(const struct part *part, uintptr_t place) {
  return (size_t)(hash_of(place) >> 20) & (part->capacity - 1);
}

/* Where PLACE is, or would be. */
static size_t find(const struct part *part, uintptr_t place) {
  size_t i = home_of(part, place);
  while (part->entries[i].place && part->entries[i].place != place)
    i = next_of(part, i);
  return i;
}

static bool grow(struct part *part) {
  struct part larger = {.capacity = part->capacity ? 2 * part->capacity
                                                   : CAPACITY_FIRST};
  larger.entries = hp_sys_map(larger.capacity * sizeof(struct entry));
  if (!larger.entries)
    return false;
  for (size_t i = 0; i < part->capacity; i++)
    if (part->entries[i].place)
      larger.entries[find(&larger, part->entries[i].place)] = part->entries[i];
  if (part->entries)
    hp_sys_unmap(part->entries, part->capacity * sizeof(struct entry));
  part->entries = larger.entries;
  part->capacity = larger.capacity;
  return true;
}

bool hp_beside_put(uintptr_t place, struct hp_chunk *record,
                   struct hp_chunk **before) {
  struct part *part = part_of(place);
  const uint64_t mask = hp_lock_take_held(&part->lock);
  const bool good = part->count < part->capacity / 4 * 3 || grow(part);
  *before = NULL;
  if (good) {
    struct entry *entry = &part->entries[find(part, place)];
    *before = entry->place ? entry->record : NULL;
    part->count += !entry->place;
    *entry = (struct entry){place, record};
  }
  hp_lock_release_held(&part->lock, mask);
  return good;
}

/* Who stands behind the gap I and would rather be there moves into it. */
static void close_gap(struct part *part, size_t i) {
  const size_t mask = part->capacity - 1;
  for (size_t j = next_of(part, i); part->entries[j].place;
       j = next_of(part, j)) {
    const size_t home = home_of(part, part->entries[j].place);
    if (((j - home) & mask) >= ((j - i) & mask)) {
      part->entries[i] = part->entries[j];
      i = j;
    }
  }
  part->entries[i] = (struct entry){0, NULL};
}

static struct hp_chunk *look(uintptr_t place, bool takes) {
  struct part *part = part_of(place);
  struct hp_chunk *record = NULL;
  const uint64_t mask = hp_lock_take_held(&part->lock);
  if (place && part->capacity) {
    const size_t i = find(part, place);
    record = part->entries[i].record;
    if (record && takes) {
      close_gap(part, i);
      part->count--;
    }
  }
  hp_lock_release_held(&part->lock, mask);
  return record;
}

struct hp_chunk *hp_beside_take(uintptr_t place) { return look(place, true); }
struct hp_chunk *hp_beside_find(uintptr_t place) { return look(place, false); }

/* ---- all of them --------------------------------------------------------- */

void hp_beside_lock(void) {
  for (unsigned i = 0; i < PARTS; i++)
    hp_lock_take(&parts[i].lock);
}

void hp_beside_unlock(void) {
  for (unsigned i = PARTS; i-- > 0;)
    hp_lock_release(&parts[i].lock);
}

size_t hp_beside_count(void) {
  size_t count = 0;
  for (unsigned i = 0; i < PARTS; i++)
    count += __atomic_load_n(&parts[i].count, __ATOMIC_RELAXED);
  return count;
}

void hp_beside_each(void (*each)(const struct hp_chunk *record, void *arg),
                    void *arg) {
  for (unsigned p = 0; p < PARTS; p++) {
    const uint64_t mask = hp_lock_take_held(&parts[p].lock);
    for (size_t i = 0; i < parts[p].capacity; i++)
      if (parts[p].entries[i].place)
        each(parts[p].entries[i].record, arg);
    hp_lock_release_held(&parts[p].lock, mask);
  }
}
