/* chunk.h - the chunk record: one cache line a slot, all that a hook writes.
   Found from the address alone; beside the program's memory, not in it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_H
#define HP_CHUNK_H

#include "platform.h"

/* clang-format off */
/*   +0   u64 first   time of the first access, ticks; 0 = none yet
     +8   u64 last    time of the last access, ticks (exact if HP_RECORD_EXACT,
                      else coarse)
     +16  u64 reads   saturating
     +24  u64 writes  saturating
     +32  u32 lo      low half of the address of the first accessed byte
     +36  u32 hi      and of the last one; lo > hi: none
     +40  u32 thread  number of the thread that counts here, and HP_THREAD_EXACT
     +44  u32 point   allocation point's id
     +48  u64 t0      time the allocation returned, ticks
     +56  u64 word    bytes requested in the low 48 bits, flags HP_RECORD_* above
   A free slot's record has word 0 and no accessed byte; that of a large slot
   links the list of free ones by t0, which no hook ever writes.

   What the first other thread to come does to a chunk is counted, as plainly,
   in a second record of the same form (heap.h says where).  All of it is zero
   but in a chunk with HP_RECORD_MULTITHREAD or HP_RECORD_HUGE, and in it
     +40  u32 thread   0: nothing is counted here
     +44  u32 claim    number of the thread that the record is for; 0: of none
     +48  u64 huge_lo  HP_RECORD_HUGE: first byte accessed by any thread, from
     +56  u64 huge_hi  the chunk's start, and one past the last; lo > hi: none */
/* clang-format on */
struct hp_chunk {
  uint64_t first;
  uint64_t last;
  uint64_t reads;
  uint64_t writes;
  uint32_t lo;
  uint32_t hi;
  uint32_t thread;
  union {
    uint32_t point;
    uint32_t claim;
  };
  union {
    uint64_t t0;
    uint64_t huge_lo;
  };
  union {
    uint64_t word;
    uint64_t huge_hi;
  };
};
_Static_assert(sizeof(struct hp_chunk) == HP_CACHE_LINE, "one cache line");
_Static_assert(offsetof(struct hp_chunk, lo) == 32, "what a hook writes");
_Static_assert(offsetof(struct hp_chunk, t0) == 48,
               "what an allocation writes");

/* What the third thread to come and all further ones did to a chunk, by atomic
   operations; all zero but in a chunk with HP_RECORD_CROWD.
     +0   u64 first    ticks; 0 = none yet
     +8   u64 last     ticks
     +16  u64 reads
     +24  u64 writes
     +32  u32 not_lo   complement of hp_chunk's lo; both 0: none
     +36  u32 hi       as hp_chunk's                                          */
struct hp_crowd {
  _Alignas(HP_CACHE_LINE) uint64_t first;
  uint64_t last;
  uint64_t reads;
  uint64_t writes;
  uint32_t not_lo;
  uint32_t hi;
};
_Static_assert(sizeof(struct hp_crowd) == sizeof(struct hp_chunk),
               "found by the same arithmetic");

#define HP_SIZE_BITS 48
#define HP_SIZE_MAX (((uint64_t)1 << HP_SIZE_BITS) - 1)
#define HP_RECORD_FLAG(bit) ((uint64_t)1 << (HP_SIZE_BITS + (bit)))
#define HP_RECORD_LIVE HP_RECORD_FLAG(0) /* the slot holds a chunk */
#define HP_RECORD_ZEROED HP_RECORD_FLAG(1)
#define HP_RECORD_MULTITHREAD                                                  \
  HP_RECORD_FLAG(2) /* the second record is in use */
#define HP_RECORD_OVERRUN HP_RECORD_FLAG(3)
#define HP_RECORD_EXACT                                                        \
  HP_RECORD_FLAG(4) /* last is not from the coarse clock */
#define HP_RECORD_HUGE                                                         \
  HP_RECORD_FLAG(5) /* above 4 GiB: interval kept in 64 bits */
#define HP_RECORD_AGED HP_RECORD_FLAG(6)    /* was EXACT while it was young */
#define HP_RECORD_CROWD HP_RECORD_FLAG(7)   /* hp_crowd is in use */
#define HP_RECORD_HEAVIER HP_RECORD_FLAG(8) /* see hp_sample_rounding() */

/* In hp_chunk.thread: each access reads the clock.  There and not among the
   flags, so that comparing threads is all that instrumented code does. */
#define HP_THREAD_EXACT ((uint32_t)1 << 31)

HP_INLINE uint32_t hp_chunk_thread(const struct hp_chunk *chunk) {
  return __atomic_load_n(&chunk->thread, __ATOMIC_RELAXED) & ~HP_THREAD_EXACT;
}

HP_INLINE uint64_t hp_chunk_size(const struct hp_chunk *chunk) {
  return chunk->word & HP_SIZE_MAX;
}

#endif
