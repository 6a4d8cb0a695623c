/* heap_usage.c - see heap_usage.h: a walk over the records of all slots.
   Counting each beginning and end would cost every allocation.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/heap_usage.h"

#include "chunk/plain.h"
#include "heap/bare.h"
#include "heap/chunk.h"
#include "heap/owner.h"
#include "heap/secondary.h"

/* Threads go on: a slot is seen before or after what they do to it. */
static void add_slot(struct hp_slots_usage *usage, bool live, uint64_t size) {
  if (live) {
    usage->live_chunks++;
    usage->live_bytes += size;
  } else {
    usage->free_slots++;
  }
}

static void add_word(struct hp_slots_usage *usage, const struct hp_cold *cold) {
  uint64_t word = __atomic_load_n(&cold->word, __ATOMIC_RELAXED);
  add_slot(usage, word & HP_RECORD_LIVE, word & HP_SIZE_MAX);
}

static struct hp_slots_usage profiled(unsigned size_class) {
  const uint64_t slots = hp_owner_slots(size_class);
  struct hp_slots_usage usage = {.bytes = slots
                                          << hp_heap_slot_shift(size_class)};
  for (uint64_t i = 0; i < slots; i++)
    add_word(&usage, hp_cold_of(hp_heap_slot(size_class, i)));
  return usage;
}

static struct hp_slots_usage plain_large(unsigned size_class) {
  const uint64_t slots = hp_secondary_slots(size_class, HP_PLAIN);
  struct hp_slots_usage usage = {.bytes = slots
                                          << hp_heap_slot_shift(size_class)};
  for (uint64_t i = 0; i < slots; i++)
    add_word(&usage, hp_large_record(hp_heap_slot(size_class, i), HP_PLAIN));
  return usage;
}

static struct hp_slots_usage plain_small(unsigned size_class) {
  const struct hp_slot_class *of = &hp_plain_classes[size_class];
  struct hp_slots_usage usage = {.bytes =
                                     hp_primary_bytes(size_class, HP_PLAIN)};
  const uint64_t slots = usage.bytes / of->slot;
  for (uint64_t i = 0; i < slots; i++) {
    const uint16_t word =
        __atomic_load_n(&hp_plain_size_words(of)[i], __ATOMIC_RELAXED);
    add_slot(&usage, word, word - (uint64_t)1);
  }
  return usage;
}

static struct hp_slots_usage bare(unsigned size_class) {
  const uint64_t slots = hp_bare_slots(size_class);
  struct hp_slots_usage usage = {.bytes =
                                     slots * hp_bare_slot_size(size_class)};
  for (uint64_t i = 0; i < slots; i++) {
    const uint64_t word =
        __atomic_load_n(&hp_bare_records(size_class)[i].word, __ATOMIC_RELAXED);
    add_slot(&usage, word & HP_RECORD_LIVE, hp_bare_size_of(word));
  }
  return usage;
}

struct sum {
  struct hp_slots_usage all;
  void (*each)(size_t slot, const struct hp_slots_usage *usage, void *arg);
  void *arg;
};

static void add(struct sum *sum, size_t slot, struct hp_slots_usage usage) {
  if (!usage.bytes)
    return;
  sum->all.bytes += usage.bytes;
  sum->all.live_chunks += usage.live_chunks;
  sum->all.live_bytes += usage.live_bytes;
  sum->all.free_slots += usage.free_slots;
  if (sum->each)
    sum->each(slot, &usage, sum->arg);
}

struct hp_slots_usage hp_heap_slots(
    void (*each)(size_t slot, const struct hp_slots_usage *usage, void *arg),
    void *arg) {
  struct sum sum = {.each = each, .arg = arg};
  for (unsigned c = 0; c < HP_MAPPED_CLASS; c++)
    add(&sum, (size_t)1 << hp_heap_slot_shift(c), profiled(c));
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++)
    add(&sum, hp_plain_slot_size(c), plain_small(c));
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++)
    add(&sum, hp_bare_slot_size(c), bare(c));
  for (unsigned c = HP_CLASS_COUNT; c < HP_MAPPED_CLASS; c++)
    add(&sum, (size_t)1 << hp_heap_slot_shift(c), plain_large(c));
  return sum.all;
}

struct hp_mapped_usage hp_heap_mapped(void) { return hp_secondary_mapped(); }
