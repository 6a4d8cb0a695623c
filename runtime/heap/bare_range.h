/* bare_range.h - where small chunks of a process without hooks lie: tight slots that
   hold nothing but the chunk, and a record of 16 bytes each, apart.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BARE_RANGE_H
#define HP_BARE_RANGE_H

#include "heap/heap.h"

/* No hook looks for a record there (hook_abi.h: its masks are 0), so that a slot
   need not be of a power of two: its number is a multiplication.  Slots are those
   of plain chunks (heap.h) and 16 bytes, as far as they are of BARE_MAX bytes: a
   chunk of a power of two, as tables and buffers that double have, takes hardly
   more than that with what is behind it.

     HP_BARE_BASE
     |  class 0      32 B slots           2^36 bytes  |   program's data
     |  class 1      48 B slots           2^36 bytes  |
     |  ...                                           |
     |  class 31     8 KiB slots and 16 B 2^36 bytes  |
     HP_BARE_RECORDS_BASE                                 ours
     |  a struct hp_bare for each slot; a class's from its 2^36 bytes on
     HP_BARE_CHAINS_BASE                                  ours, mostly untouched
     |  a struct hp_chain_state for each slot, so too                            */
#define HP_BARE_FIRST 40u /* in regions of 2^HP_REGION_SHIFT bytes */
#define HP_BARE_BASE ((uintptr_t)HP_BARE_FIRST << HP_REGION_SHIFT)
#define HP_BARE_CLASS_COUNT 32u
#define HP_BARE_DATA ((uintptr_t)8 << HP_REGION_SHIFT)
#define HP_BARE_SIZE (3 * HP_BARE_DATA)
#define HP_BARE_RECORDS_BASE (HP_BARE_BASE + HP_BARE_DATA)
#define HP_BARE_CHAINS_BASE (HP_BARE_RECORDS_BASE + HP_BARE_DATA)
_Static_assert(((uintptr_t)HP_BARE_CLASS_COUNT << HP_PLAIN_REGION_SHIFT) <=
                       HP_BARE_DATA &&
                   HP_HEAP_BASE + HP_HEAP_SIZE <= HP_BARE_BASE &&
                   HP_BARE_BASE + HP_BARE_SIZE <= HP_AREAS_BASE,
               "between the profiled range and areas");
_Static_assert(HP_BARE_FIRST + 8 == HP_MAY_HOLD_END, "heap_range.h");

/* So many bytes are behind a chunk at least, as in glibc: what its malloc forgives
   is forgiven here, and a pointer right behind a chunk is not its neighbour's. */
#define HP_BARE_BEHIND 8u
#define HP_BARE_MORE 16u /* of a slot than of a plain one's of its class */
#define HP_BARE_MAX (8192u - HP_BARE_BEHIND)

/* A slot's record; a free one has word 0.
     +0   u64 when    bits 10..63 t0, ticks; 0: not recorded
                      bits 0..9   lowest bits of the thread's number
     +8   u64 word    bits 0..12  bytes requested
                      bits 13..44 point
                      bits 47..56 flags, as in hp_cold's
                      bits 57..63 the other bits of the thread's number
   A later time or thread than there are bits for has other chunks (bare_chunk.c). */
struct hp_bare {
  uint64_t when;
  uint64_t word;
};
_Static_assert(sizeof(struct hp_bare) == 16, "layout");
#define HP_BARE_SIZE_BITS 13
#define HP_BARE_WHEN_SHIFT 10 /* t0 in `when` */
#define HP_BARE_THREAD_SHIFT 57
#define HP_BARE_THREADS (1u << (HP_BARE_WHEN_SHIFT + 64 - HP_BARE_THREAD_SHIFT))
/* Years of the processor's counter are below. */
#define HP_BARE_T0_END ((uint64_t)1 << (64 - HP_BARE_WHEN_SHIFT))
_Static_assert(HP_BARE_MAX < 1u << HP_BARE_SIZE_BITS &&
                   HP_BARE_SIZE_BITS + 32 <= HP_SIZE_BITS &&
                   HP_RECORD_GROWN < (uint64_t)1 << HP_BARE_THREAD_SHIFT,
               "parts of a word");

HP_INLINE uint64_t hp_bare_t0_of(uint64_t when) {
  return when >> HP_BARE_WHEN_SHIFT;
}
HP_INLINE uint64_t hp_bare_t0(const struct hp_bare *record) {
  return hp_bare_t0_of(__atomic_load_n(&record->when, __ATOMIC_RELAXED));
}
HP_INLINE uint64_t hp_bare_size_of(uint64_t word) {
  return word & ((1u << HP_BARE_SIZE_BITS) - 1);
}
HP_INLINE uint32_t hp_bare_point_of(uint64_t word) {
  return (uint32_t)(word >> HP_BARE_SIZE_BITS);
}
HP_INLINE uint32_t hp_bare_thread_of(uint64_t when, uint64_t word) {
  return (uint32_t)(when & ((1u << HP_BARE_WHEN_SHIFT) - 1)) |
         (uint32_t)(word >> HP_BARE_THREAD_SHIFT) << HP_BARE_WHEN_SHIFT;
}
HP_INLINE uint64_t hp_bare_when(uint64_t t0, uint32_t thread) {
  return t0 << HP_BARE_WHEN_SHIFT | (thread & ((1u << HP_BARE_WHEN_SHIFT) - 1));
}
HP_INLINE uint64_t hp_bare_word(uint64_t size, uint32_t point, uint32_t thread,
                                uint64_t flags) {
  return size | (uint64_t)point << HP_BARE_SIZE_BITS | flags |
         (uint64_t)(thread >> HP_BARE_WHEN_SHIFT) << HP_BARE_THREAD_SHIFT;
}

/* The range, in use or not: one comparison. */
HP_INLINE bool hp_bare_holds(const void *p) {
  return (uintptr_t)p - HP_BARE_BASE < HP_BARE_DATA;
}

HP_INLINE unsigned hp_bare_class(size_t size) {
  const size_t least = HP_BARE_MORE - HP_BARE_BEHIND;
  return hp_plain_class(size > least ? size - least : 0);
}

HP_INLINE size_t hp_bare_slot_size(unsigned size_class) {
  return hp_plain_slot_size(size_class) + HP_BARE_MORE;
}

HP_INLINE uintptr_t hp_bare_class_base(unsigned size_class) {
  return hp_plain_class_base(size_class) - HP_PLAIN_BASE + HP_BARE_BASE;
}

HP_INLINE struct hp_bare *hp_bare_records(unsigned size_class) {
  return (struct hp_bare *)(HP_BARE_RECORDS_BASE - HP_BARE_BASE +
                            hp_bare_class_base(size_class));
}

HP_INLINE struct hp_chain_state *hp_bare_chain(uintptr_t start,
                                               const struct hp_bare *record) {
  const unsigned size_class =
      (unsigned)((start - HP_BARE_BASE) >> HP_PLAIN_REGION_SHIFT);
  return (struct hp_chain_state *)(HP_BARE_CHAINS_BASE - HP_BARE_BASE +
                                   hp_bare_class_base(size_class)) +
         (record - hp_bare_records(size_class));
}
_Static_assert(sizeof(struct hp_chain_state) <= 32, "no more than a slot");

#endif
