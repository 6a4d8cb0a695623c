/* leak_slot.h - the slots of all ranges, from an address to the chunk there: what the
   search for reachable chunks marks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LEAK_SLOT_H
#define HP_LEAK_SLOT_H

#include "chunk/beside.h"
#include "chunk/plain.h"
#include "heap/bare.h"
#include "heap/owner.h"
#include "leak/beside_index.h"

/* A word is a pointer whatever its upper 16 bits hold, where programs put tags
   and counters. */
#define ADDRESS_MASK (((uint64_t)1 << 48) - 1)

/* The slots of one size class that were ever used. */
enum kind { PROFILED, PLAIN_SMALL, PLAIN_LARGE, BARE };
struct region {
  uintptr_t base; /* of the first slot */
  uint64_t slots;
  size_t slot; /* bytes */
  enum kind kind;
  uint8_t *marks; /* enum mark of each slot */
};
#define LARGE_PLAIN_FIRST HP_ALL_CLASS_COUNT
#define SMALL_PLAIN_FIRST (2 * (size_t)HP_ALL_CLASS_COUNT)
#define PLAIN_REGIONS_END ((HP_PLAIN_BASE + HP_PLAIN_SIZE) >> HP_REGION_SHIFT)
#define BARE_FIRST (SMALL_PLAIN_FIRST + HP_PLAIN_CLASS_COUNT)
#define REGION_COUNT (BARE_FIRST + HP_BARE_CLASS_COUNT)

/* [REGION_COUNT]; where no module's data is, which is looked at for pointers. */
extern HP_HIDDEN struct region *hp_leak_regions;

/* All that are there now, with no slot marked; false: there is no memory. */
bool hp_leak_regions_start(void);
uint64_t hp_leak_slots(void); /* of all */
void hp_leak_regions_end(void);

struct slot {
  struct region *region;
  uint64_t index;
  uintptr_t start; /* of the chunk */
  uint64_t size;
};

HP_INLINE bool take_large(struct slot *slot, uintptr_t at,
                          const struct hp_cold *cold) {
  const uint64_t word = cold->word;
  slot->start = at + hp_front_of(word);
  slot->size = word & HP_SIZE_MAX;
  return word & HP_RECORD_LIVE;
}

static inline const struct hp_bare *bare_of(const struct slot *slot) {
  return hp_bare_records((unsigned)((slot->region->base - HP_BARE_BASE) >>
                                    HP_PLAIN_REGION_SHIFT)) +
         slot->index;
}

/* Fills in the chunk of the slot; false: there is none. */
HP_INLINE bool look_at(struct slot *slot) {
  const uintptr_t at = slot->region->base + slot->index * slot->region->slot;
  if (slot->region->kind == PROFILED) {
    const bool is_live = take_large(slot, at, hp_cold_at(at));
    slot->start = hp_chunk_place((const struct hp_chunk *)at);
    return is_live;
  }
  if (slot->region->kind == PLAIN_LARGE)
    return take_large(
        slot, at,
        hp_large_record((const struct hp_chunk *)(at - HP_PLAIN_BASE),
                        HP_PLAIN));
  slot->start = at;
  if (slot->region->kind == BARE) {
    const uint64_t bare = bare_of(slot)->word;
    slot->size = hp_bare_size_of(bare);
    return bare & HP_RECORD_LIVE;
  }
  const struct hp_slot_class *of =
      &hp_plain_classes[(at - HP_PLAIN_BASE) >> HP_PLAIN_REGION_SHIFT];
  const uint16_t word = hp_plain_size_words(of)[slot->index];
  slot->size = word - (uint64_t)1;
  return word;
}

/* The region of an address in either range; NULL: none. */
HP_INLINE struct region *region_of(uintptr_t address) {
  const uintptr_t number = address >> HP_REGION_SHIFT;
  if (HP_LIKELY(number - HP_REGION_FIRST >=
                PLAIN_REGIONS_END - HP_REGION_FIRST)) /* most words */
    return NULL;
  if (number - HP_REGION_FIRST < HP_ALL_CLASS_COUNT)
    return &hp_leak_regions[number - HP_REGION_FIRST];
  if (number < HP_BARE_FIRST + (HP_BARE_DATA >> HP_REGION_SHIFT)) {
    const uintptr_t bare = (address - HP_BARE_BASE) >> HP_PLAIN_REGION_SHIFT;
    return bare < HP_BARE_CLASS_COUNT ? &hp_leak_regions[BARE_FIRST + bare]
                                      : NULL;
  }
  const uintptr_t offset = address - HP_PLAIN_BASE;
  if (offset >> HP_PLAIN_REGION_SHIFT < HP_PLAIN_CLASS_COUNT)
    return &hp_leak_regions[SMALL_PLAIN_FIRST +
                            (offset >> HP_PLAIN_REGION_SHIFT)];
  const uintptr_t size_class = (offset >> HP_REGION_SHIFT) - HP_REGION_FIRST;
  if (size_class < HP_ALL_CLASS_COUNT)
    return &hp_leak_regions[LARGE_PLAIN_FIRST + size_class];
  return NULL;
}

/* Of the program's own allocator: the slot is that of the chunk's record. */
static inline bool find_beside(struct slot *slot, uintptr_t address) {
  const struct hp_chunk *record = hp_beside_index_find(address);
  if (HP_LIKELY(!record))
    return false;
  slot->region = region_of((uintptr_t)record);
  slot->index = ((uintptr_t)record - slot->region->base) / slot->region->slot;
  return true;
}

/* The slot that ADDRESS may lie in a chunk of, which look_at() fills in. */
HP_INLINE bool find_slot(struct slot *slot, uintptr_t address) {
  if (hp_is_beside())
    return find_beside(slot, address);
  struct region *region = region_of(address);
  if (HP_LIKELY(!region) || address < region->base)
    return false;
  slot->region = region;
  slot->index = region->kind == PLAIN_SMALL || region->kind == BARE
                    ? (address - region->base) / region->slot
                    : (address - region->base) >>
                          (unsigned)__builtin_ctzll((uint64_t)region->slot);
  return slot->index < region->slots;
}

/* Any of its bytes, or right behind the last one, as iterators are. */
HP_INLINE bool is_inside(const struct slot *slot, uintptr_t address) {
  return address - slot->start <= slot->size;
}

/* The live chunk that WORD points to. */
HP_INLINE bool find(struct slot *slot, uint64_t word) {
  const uintptr_t address = word & ADDRESS_MASK;
  return find_slot(slot, address) && look_at(slot) && is_inside(slot, address);
}

/* As look_at() and find(), where that is not done for each word. */
bool hp_leak_look_at(struct slot *slot);
bool hp_leak_find(struct slot *slot, uint64_t word);

static inline const struct hp_chunk *record_of(const struct slot *slot) {
  return (const struct hp_chunk *)(slot->region->base +
                                   slot->index * slot->region->slot);
}

/* What is known of the chunk of a slot; all 0 where it has no record. */
static inline struct hp_cold facts_of(const struct slot *slot) {
  struct hp_cold facts = {0};
  if (slot->region->kind == PROFILED)
    return *hp_cold_of(record_of(slot));
  if (slot->region->kind == BARE) {
    const struct hp_bare *bare = bare_of(slot);
    facts = (struct hp_cold){
        .t0 = hp_bare_t0(bare),
        .word = (bare->word & HP_RECORD_FLAGS) | hp_bare_size_of(bare->word),
        .point = hp_bare_point_of(bare->word),
        .thread = hp_bare_thread_of(bare->when, bare->word)};
  }
  return facts;
}

static inline bool has_facts(const struct slot *slot) {
  return slot->region->kind == PROFILED || slot->region->kind == BARE;
}

#endif
