/* live_table.c - see live_table.h: linear probing, at most three quarters full.
   What is taken out leaves no gap: those behind it move up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/live_table.h"

#include <sys/mman.h>

#define CAPACITY_FIRST 1024u

static uint64_t hash_of(uintptr_t address) {
  return (uint64_t)(address >> 4) * 0x9e3779b97f4a7c15u;
}

static struct hp_meter_live_part *part_of(struct hp_meter_live_table *table,
                                          uintptr_t address) {
  return &table->parts[hash_of(address) >> 58 & (HP_LIVE_PARTS - 1)];
}

/* Bits that do not choose the part. */
static size_t home_of(const struct hp_meter_live_part *part,
                      uintptr_t address) {
  return (size_t)(hash_of(address) >> 20) & (part->capacity - 1);
}

static size_t next_of(const struct hp_meter_live_part *part, size_t i) {
  return (i + 1) & (part->capacity - 1);
}

/* Where ADDRESS is, or would be. */
static size_t find(const struct hp_meter_live_part *part, uintptr_t address) {
  size_t i = home_of(part, address);
  while (part->chunks[i].address && part->chunks[i].address != address)
    i = next_of(part, i);
  return i;
}

static bool grow(struct hp_meter_live_part *part) {
  struct hp_meter_live_part larger = {
      .capacity = part->capacity ? 2 * part->capacity : CAPACITY_FIRST};
  void *memory =
      mmap(NULL, larger.capacity * sizeof *larger.chunks,
           PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  larger.chunks = memory;
  for (size_t i = 0; i < part->capacity; i++)
    if (part->chunks[i].address)
      larger.chunks[find(&larger, part->chunks[i].address)] = part->chunks[i];
  if (part->chunks)
    munmap(part->chunks, part->capacity * sizeof *part->chunks);
  part->chunks = larger.chunks;
  part->capacity = larger.capacity;
  return true;
}

bool hp_meter_put(struct hp_meter_live_table *table,
                  const struct hp_meter_live_chunk *chunk) {
  struct hp_meter_live_part *part = part_of(table, chunk->address);
  hp_spin_lock_take(&part->lock);
  bool good = part->count < part->capacity / 4 * 3 || grow(part);
  if (good) {
    part->chunks[find(part, chunk->address)] = *chunk;
    part->count++;
  }
  hp_spin_lock_give(&part->lock);
  return good;
}

/* Who stands behind the gap I and would rather be there moves into it. */
static void close_gap(struct hp_meter_live_part *part, size_t i) {
  for (size_t j = next_of(part, i); part->chunks[j].address;
       j = next_of(part, j)) {
    size_t home = home_of(part, part->chunks[j].address);
    size_t mask = part->capacity - 1;
    if (((j - home) & mask) >= ((j - i) & mask)) {
      part->chunks[i] = part->chunks[j];
      i = j;
    }
  }
  part->chunks[i].address = 0;
}

bool hp_meter_take(struct hp_meter_live_table *table, uintptr_t address,
                   struct hp_meter_live_chunk *chunk) {
  struct hp_meter_live_part *part = part_of(table, address);
  bool found = false;
  hp_spin_lock_take(&part->lock);
  if (part->capacity) {
    size_t i = find(part, address);
    found = part->chunks[i].address != 0;
    *chunk = part->chunks[i];
    if (found) {
      close_gap(part, i);
      part->count--;
    }
  }
  hp_spin_lock_give(&part->lock);
  return found;
}

void hp_meter_walk(struct hp_meter_live_table *table,
                   void (*visit)(void *context,
                                 const struct hp_meter_live_chunk *chunk),
                   void *context) {
  for (size_t p = 0; p < HP_LIVE_PARTS; p++) {
    struct hp_meter_live_part *part = &table->parts[p];
    hp_spin_lock_take(&part->lock);
    for (size_t i = 0; i < part->capacity; i++)
      if (part->chunks[i].address)
        visit(context, &part->chunks[i]);
    hp_spin_lock_give(&part->lock);
  }
}
