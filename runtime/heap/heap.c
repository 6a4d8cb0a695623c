/* heap.c - reserves the address range of heap.h.
   Nothing in it can be touched until primary.c and secondary.c make it so.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/heap.h"
#include "system/limit.h"
#include "system/memory.h"

bool hp_heap_reserved, hp_heap_has_plain;
size_t hp_heap_bytes = HP_HEAP_SIZE;

/* Else each page when the first of its records is to be used. */
static bool shared_are_committed;

/* Mostly never touched.  All 0 until there is a heap. */
HP_HIDDEN _Alignas(HP_CACHE_LINE) uint64_t hp_heap_masks[HP_MASK_COUNT];
__asm__(".globl " HP_MASKS_SYMBOL "\n"
        ".protected " HP_MASKS_SYMBOL "\n"
        ".type " HP_MASKS_SYMBOL ", @object\n"
        ".set " HP_MASKS_SYMBOL ", hp_heap_masks + (1 << 21)\n");
_Static_assert(sizeof hp_heap_masks == 2 << 21, "its middle");
_Static_assert((size_t)HP_MASK_COUNT << HP_REGION_SHIFT == (size_t)1 << 57,
               "all addresses");

/* Multiples of the slot.  The 8 bits (heap.h) of a class's first slot are no
   other first one's, and those of the slots behind it seldom. */
const uint8_t hp_heap_class_start[HP_ALL_CLASS_COUNT] = {
    5,  13, 21, 29,  37,  45,  53,  61, /* slots of 64 bytes ... 8 KiB */
    69, 77, 85, 93,  101, 109, 117,     /* 16 KiB ... 1 MiB */
    49, 34, 68, 104, 16,  96,  64,      /* 2 MiB ... 128 MiB */
};

_Static_assert(HP_RECORDS_END <= HP_ARENAS_BASE &&
                   HP_ARENAS_END <= HP_MAPS_BASE &&
                   HP_MAPS_END <= (uintptr_t)0x55 << 40,
               "arenas above, and below executables");

_Static_assert(HP_HEAP_BASE > (uintptr_t)1 << 32, "above 4 GiB");
_Static_assert(HP_HEAP_BASE + HP_HEAP_SIZE <= HP_AREAS_BASE &&
                   HP_RECORDS_END <= HP_PLAIN_BASE &&
                   HP_PLAIN_BASE + HP_PLAIN_SIZE <= HP_ARENAS_BASE,
               "data of both ranges and records are apart");
_Static_assert(HP_HEAP_BASE + HP_HEAP_SIZE <= (uintptr_t)1
                                                  << HP_ELSEWHERE_BIT &&
                   HP_PLAIN_BASE >> HP_ELSEWHERE_BIT == 1 &&
                   (HP_PLAIN_BASE + HP_PLAIN_SIZE) >> HP_ELSEWHERE_BIT == 1,
               "one bit tells them apart");
_Static_assert(HP_PLAIN_SIZES_BASE % HP_CACHE_LINE == 0, "aligned words");
_Static_assert(HP_PLAIN_SIZES_BASE + ((uintptr_t)HP_PLAIN_CLASS_COUNT
                                      << (HP_PLAIN_REGION_SHIFT - 3)) <=
                       HP_PLAIN_RECORDS_BASE &&
                   HP_PLAIN_RECORDS_BASE + ((uintptr_t)18 << (43 - 17)) <=
                       HP_PLAIN_BASE + ((uintptr_t)17 << HP_REGION_SHIFT),
               "sizes, records and data are apart");

static bool reserve_whole(void) {
  if (!hp_sys_reserve_at((void *)HP_HEAP_BASE, hp_heap_bytes))
    return false;
  if (hp_sys_reserve_at((void *)HP_RECORDS_BASE, HP_RECORDS_SIZE))
    return true;
  hp_sys_unmap((void *)HP_HEAP_BASE, hp_heap_bytes);
  return false;
}

/* Where there is so little, only those are left that are for addresses below
   2^47, of which programs are given no others unasked. */
#define LITTLE_MEMORY ((uint64_t)256 << 20)

static void trim_masks(void) {
  const uintptr_t page = 4096, begin = (uintptr_t)hp_heap_masks,
                  middle = begin + sizeof hp_heap_masks / 2;
  const uintptr_t from = (begin + page - 1) & ~(page - 1),
                  until = (middle - 1) & ~(page - 1),
                  again = (middle + 2 * page - 1) & ~(page - 1),
                  to = (begin + sizeof hp_heap_masks) & ~(page - 1);
  hp_sys_unmap((void *)from, until - from);
  hp_sys_unmap((void *)again, to - again);
}

bool hp_heap_reserve(void) {
  const unsigned regions = (unsigned)(hp_heap_bytes >> HP_REGION_SHIFT);
  for (unsigned region = HP_REGION_FIRST; region < HP_REGION_FIRST + regions;
       region++)
    hp_heap_masks[HP_MASK_COUNT / 2 + region] = UINT64_MAX << region;
  shared_are_committed = !hp_memory_is_limited();
  hp_heap_reserved = !hp_space_is_limited && reserve_whole();
  for (unsigned kind = 0; kind < HP_RECORD_KINDS; kind++)
    if (!hp_heap_commit_shared(HP_RECORDS_BASE + kind * HP_RECORDS_DISTANCE))
      return false;
  hp_space_is_limited = !hp_heap_reserved;
  if (hp_limit_least() < LITTLE_MEMORY)
    trim_masks();
  return true;
}

bool hp_heap_reserve_plain(void) {
  hp_heap_has_plain = hp_heap_reserved &&
                      hp_sys_reserve_at((void *)HP_PLAIN_BASE, HP_PLAIN_SIZE);
  hp_heap_reserved = hp_heap_has_plain;
  hp_space_is_limited |= !hp_heap_reserved;
  return hp_heap_commit_shared(HP_PLAIN_RECORDS_BASE);
}

bool hp_heap_commit_shared(uintptr_t base) {
  return !shared_are_committed ||
         hp_sys_commit((void *)base, HP_SHARED_RECORDS);
}

void hp_heap_commit_ahead(void) {
  if (!hp_heap_reserved)
    return;
  hp_sys_commit_ahead((void *)HP_HEAP_BASE, hp_heap_bytes);
  hp_sys_commit_ahead((void *)HP_RECORDS_BASE, HP_RECORDS_SIZE);
}

struct hp_arena hp_heap_record_arena(unsigned size_class, ptrdiff_t distance) {
  char *base = (char *)hp_cold_of(hp_heap_slot(size_class, 0));
  size_t size = hp_heap_class_slots(size_class) * sizeof(struct hp_cold);
  bool shared = (uintptr_t)base < HP_RECORDS_BASE + HP_SHARED_RECORDS;
  return (struct hp_arena){.base = base + distance,
                           .reserved = size,
                           .committed =
                               shared && shared_are_committed ? size : 0,
                           .dense = !distance};
}

struct hp_record_arenas hp_heap_record_arenas(unsigned size_class) {
  struct hp_record_arenas records;
  for (unsigned kind = 0; kind < HP_RECORD_KINDS; kind++)
    records.of[kind] = hp_heap_record_arena(
        size_class, (ptrdiff_t)(kind * HP_RECORDS_DISTANCE));
  return records;
}

bool hp_heap_commit_records(struct hp_record_arenas *records, uint64_t slots) {
  for (unsigned kind = 0; kind < HP_RECORD_KINDS; kind++)
    if (!hp_arena_commit(&records->of[kind], slots * sizeof(struct hp_cold)))
      return false;
  return true;
}

void hp_heap_shrink_record_arena(struct hp_arena *arena, size_t size) {
  const uintptr_t at = (uintptr_t)arena->base - HP_RECORDS_BASE;
  if (at % HP_RECORDS_DISTANCE >= HP_SHARED_RECORDS)
    hp_arena_shrink(arena, size);
}

void hp_heap_shrink_records(struct hp_record_arenas *records, uint64_t slots) {
  for (unsigned kind = 0; kind < HP_RECORD_KINDS; kind++)
    hp_heap_shrink_record_arena(&records->of[kind],
                                slots * sizeof(struct hp_cold));
}
