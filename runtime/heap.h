/* heap.h - the one reserved address range: ownership is one comparison, a
   record is arithmetic. The same place in every process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HEAP_H
#define HP_HEAP_H

#include "arena.h"
#include "chunk.h"
#include "hook_abi.h"

/* Nothing else is put there: executables and libraries lie far above, or below
   4 GiB, whether addresses are random, and stacks limited, or not.

     HP_HEAP_BASE                                       program's data
     |  region 4    16 B slots      2^38 bytes  |
     |  region 5    32 B slots      2^38 bytes  |
     |  ...                                     |
     |  region 16   64 KiB slots    2^38 bytes  |       last of the primary
     |  region 17   128 KiB slots   2^38 bytes  |       first of the secondary
     |  ...                                     |
     |  region 38   one slot of     2^38 bytes  |
     HP_RECORDS_BASE                                    ours, mostly untouched
     |  region r's records from r * 2^(44-r) on, 2^(44-r) bytes
     |  the same again for the second thread that accesses a chunk, and once
     |  more for all others, each HP_RECORDS_DISTANCE bytes further on

   Chunks that are not sampled (plain.h) lie before that, so that a hook ends at
   its first comparison.  Their records would only be in the way: small slots
   have tighter classes and a word each, and those of the secondary, which are
   like their profiled twins, a record apart.

     HP_PLAIN_BASE
     |  class 0      16 B slots      2^36 bytes  |       program's data
     |  ...                                      |
     |  class 43     64 KiB slots    2^36 bytes  |
     HP_PLAIN_SIZES_BASE                                 ours
     |  u16 for each 16 bytes of these: where a chunk begins, its requested
     |  bytes and 1
     HP_PLAIN_RECORDS_BASE
     |  records, as from HP_RECORDS_BASE on, of regions 17 to 38
     HP_PLAIN_BASE + 17 * 2^38
     |  regions 17 to 38 as above                |       program's data

   Where the system does not grant address space ahead of its use (RLIMIT_AS),
   the parts in use are at the same places and the rest is not reserved. */
#define HP_CLASS_MIN_SHIFT 4u /* 16 bytes */
#define HP_CLASS_COUNT 13u    /* of the primary */
#define HP_SMALL_MAX ((size_t)1 << (HP_CLASS_MIN_SHIFT + HP_CLASS_COUNT - 1))
#define HP_SLOT_MAX ((size_t)1 << (HP_REGION_COUNT - 1))
#define HP_ALL_CLASS_COUNT (HP_REGION_COUNT - HP_CLASS_MIN_SHIFT)
#define HP_RECORD_KINDS 3u /* hp_chunk, the second's, hp_crowd */
#define HP_RECORDS_DISTANCE ((uintptr_t)5 << 40)
#define HP_HEAP_END (HP_RECORDS_BASE + HP_RECORD_KINDS * HP_RECORDS_DISTANCE)

enum hp_range { HP_PROFILED, HP_PLAIN };
#define HP_RANGES 2
#define HP_PLAIN_DISTANCE ((uintptr_t)HP_REGION_COUNT << HP_REGION_SHIFT)
#define HP_PLAIN_BASE (HP_HEAP_BASE - HP_PLAIN_DISTANCE)
#define HP_PLAIN_REGION_SHIFT 36
#define HP_PLAIN_CLASS_COUNT 44u /* of the primary */
#define HP_PLAIN_SIZES_BASE                                                    \
  (HP_PLAIN_BASE + ((uintptr_t)HP_PLAIN_CLASS_COUNT << HP_PLAIN_REGION_SHIFT))
#define HP_PLAIN_RECORDS_BASE                                                  \
  (HP_PLAIN_SIZES_BASE + ((uintptr_t)6 << HP_PLAIN_REGION_SHIFT))

bool hp_heap_reserve(void);       /* once; false if the range cannot be had */
bool hp_heap_reserve_plain(void); /* the same for the second, after it */
extern bool hp_heap_reserved;     /* as a whole; else part by part */

HP_INLINE bool hp_heap_offset(const void *p, uintptr_t *offset) {
  *offset = (uintptr_t)p - HP_HEAP_BASE;
  return *offset >> HP_REGION_SHIFT < HP_REGION_COUNT;
}

HP_INLINE unsigned hp_heap_slot_shift(unsigned size_class) {
  return size_class + HP_CLASS_MIN_SHIFT;
}

HP_INLINE uintptr_t hp_heap_class_base(unsigned size_class) {
  return HP_HEAP_BASE +
         ((uintptr_t)hp_heap_slot_shift(size_class) << HP_REGION_SHIFT);
}

HP_INLINE size_t hp_heap_class_slots(unsigned size_class) {
  return (size_t)1 << (HP_REGION_SHIFT - hp_heap_slot_shift(size_class));
}

HP_INLINE struct hp_chunk *hp_heap_record(uintptr_t offset, unsigned shift) {
  return (struct hp_chunk *)HP_RECORDS_BASE + (offset >> shift);
}

HP_INLINE struct hp_chunk *hp_heap_class_records(unsigned size_class) {
  return hp_heap_record(hp_heap_class_base(size_class) - HP_HEAP_BASE,
                        hp_heap_slot_shift(size_class));
}

/* The plain classes: 16, 32, ... 128 bytes, then four from each power of two to
   the next.  SIZE is at most HP_SMALL_MAX. */
HP_INLINE unsigned hp_plain_class(size_t size) {
  if (size <= 128)
    return (unsigned)((size + (size == 0) - 1) / 16);
  unsigned digits = 63u - (unsigned)__builtin_clzll(size - 1);
  return 4 * digits - 20 + (unsigned)((size - 1) >> (digits - 2) & 3);
}

HP_INLINE size_t hp_plain_slot_size(unsigned size_class) {
  if (size_class < 8)
    return 16 * (size_t)(size_class + 1);
  return (size_t)(size_class % 4 + 5) << (size_class / 4 + 3);
}

/* The size word of the 16 bytes at OFFSET from HP_PLAIN_BASE. */
HP_INLINE uint16_t *hp_plain_size_word(uintptr_t offset) {
  return (uint16_t *)HP_PLAIN_SIZES_BASE + offset / 16;
}

/* Smallest class whose slots hold SIZE bytes at a multiple of ALIGNMENT, which
   both are at most HP_SLOT_MAX: a slot is aligned to its own size. */
HP_INLINE unsigned hp_size_class(size_t size, size_t alignment) {
  size_t need = size > alignment ? size : alignment;
  if (need <= (size_t)1 << HP_CLASS_MIN_SHIFT)
    return 0;
  return 64u - (unsigned)__builtin_clzll(need - 1) - HP_CLASS_MIN_SHIFT;
}

/* The regions' records ascend from the last region to the first, and those of
   region r begin at a number whose highest bit is 46 - r or up to 3 above. */
HP_INLINE unsigned hp_chunk_shift(const struct hp_chunk *chunk) {
  uint64_t at = (uintptr_t)chunk - HP_RECORDS_BASE;
  unsigned shift = (unsigned)__builtin_clzll(at) - 17u;
  while (at < (uint64_t)shift << (HP_REGION_SHIFT + HP_RECORD_SHIFT - shift))
    shift++;
  return shift;
}

HP_INLINE unsigned hp_chunk_class(const struct hp_chunk *chunk) {
  return hp_chunk_shift(chunk) - HP_CLASS_MIN_SHIFT;
}

/* A class's records of each kind. */
struct hp_record_arenas {
  struct hp_arena of[HP_RECORD_KINDS];
};
struct hp_record_arenas hp_heap_record_arenas(unsigned size_class);
bool hp_heap_commit_records(struct hp_record_arenas *records, uint64_t slots);

/* The address of the slot: of the chunk's first byte. */
HP_INLINE uintptr_t hp_chunk_slot(const struct hp_chunk *chunk,
                                  unsigned size_class) {
  size_t index = (size_t)(chunk - (struct hp_chunk *)HP_RECORDS_BASE);
  return HP_HEAP_BASE + (index << hp_heap_slot_shift(size_class));
}

/* The slot of the secondary that is named by CHUNK, in either range. */
HP_INLINE uintptr_t hp_large_slot(const struct hp_chunk *chunk,
                                  unsigned size_class, enum hp_range range) {
  return hp_chunk_slot(chunk, size_class) -
         (range == HP_PLAIN ? HP_PLAIN_DISTANCE : 0);
}

HP_INLINE uintptr_t hp_chunk_start(const struct hp_chunk *chunk) {
  return hp_chunk_slot(chunk, hp_chunk_class(chunk));
}

/* Where the second thread counts, and where all others do. */
HP_INLINE struct hp_chunk *hp_second_of(const struct hp_chunk *chunk) {
  return (struct hp_chunk *)((uintptr_t)chunk + HP_RECORDS_DISTANCE);
}

HP_INLINE struct hp_crowd *hp_crowd_of(const struct hp_chunk *chunk) {
  return (struct hp_crowd *)((uintptr_t)chunk + 2 * HP_RECORDS_DISTANCE);
}

#endif
