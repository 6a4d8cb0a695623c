/* chunk.h - the chunk record: half a cache line in front of the chunk, which
   hooks write, and as much elsewhere.  Found from the address alone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_H
#define HP_CHUNK_H

#include "platform.h"

/* clang-format off */
/* What a usual access reads and writes is where the slot begins, so that it
   comes with the cache line and the page of the chunk itself:
     +0   u32 guard   hp_guard_of(point): else the program wrote here, beyond the
                      end of the chunk before
     +4   u32 thread  number of the thread that counts here, and HP_THREAD_EXACT
     +8   u32 reads   low 31 bits; the highest one is carried to hp_cold by
     +12  u32 writes  whoever sets it
     +16  u32 lo      low half of the address of the first accessed byte
     +20  u32 hi      and of the last one; lo > hi: none
     +24  u64 last    time of the last access, ticks (exact if HP_RECORD_EXACT,
                      else coarse); in the future: written over
   Nothing in it that is wrong can do more than make this chunk's figures wrong,
   and the program is told.

   What the first other thread to come does to a chunk is counted, as plainly,
   in a second record of the same form (heap.h says where).  All of it is zero
   but in a chunk with HP_RECORD_MULTITHREAD or HP_RECORD_HUGE, and in it
     +0   u32 claim   number of the thread that the record is for; 0: of none
     +4   u32 thread  0: nothing is counted here */
struct hp_chunk {
  union {
    uint32_t guard;
    uint32_t claim;
  };
  uint32_t thread;
  uint32_t reads;
  uint32_t writes;
  uint32_t lo;
  uint32_t hi;
  uint64_t last;
};
_Static_assert(sizeof(struct hp_chunk) == HP_CACHE_LINE / 2, "half a line");
_Static_assert(offsetof(struct hp_chunk, lo) == 16, "what a hook compares");

/* The rest of a chunk's record, out of the program's reach:
     +0   u64 first   time of the first access, ticks; 0 = none yet
     +8   u64 t0      time the allocation returned, ticks
     +16  u64 word    bytes requested in the low 48 bits, flags HP_RECORD_* above
     +24  u32 point   allocation point's id
     +28  u16 reads   in units of 2^HP_COUNT_BITS; UINT16_MAX: more than can be
     +30  u16 writes  said
   A free slot's record has word 0 and no accessed byte; that of a large slot
   links the list of free ones by t0, which no hook ever writes.

   In the second record
     +8   u64 huge_lo  HP_RECORD_HUGE: first byte accessed by any thread, from
     +16  u64 huge_hi  the chunk's start, and one past the last; lo > hi: none */
/* clang-format on */
struct hp_cold {
  uint64_t first;
  union {
    uint64_t t0;
    uint64_t huge_lo;
  };
  union {
    uint64_t word;
    uint64_t huge_hi;
  };
  uint32_t point;
  uint16_t reads;
  uint16_t writes;
};
_Static_assert(sizeof(struct hp_cold) == sizeof(struct hp_chunk),
               "found by the same arithmetic");
_Static_assert(offsetof(struct hp_cold, t0) == 8, "what an allocation writes");

/* What the third thread to come and all further ones did to a chunk, by atomic
   operations; all zero but in a chunk with HP_RECORD_CROWD.  The time of the
   first access is in its hp_cold.
     +0   u64 last     ticks
     +8   u64 reads
     +16  u64 writes
     +24  u32 not_lo   complement of hp_chunk's lo; both 0: none
     +28  u32 hi       as hp_chunk's                                          */
struct hp_crowd {
  uint64_t last;
  uint64_t reads;
  uint64_t writes;
  uint32_t not_lo;
  uint32_t hi;
};
_Static_assert(sizeof(struct hp_crowd) == sizeof(struct hp_chunk),
               "found by the same arithmetic");

/* What a record's two counters say together: from 2^47 - 2^31 on, which takes
   days of nothing else, the largest number. */
#define HP_COUNT_BITS 31
HP_INLINE uint64_t hp_count_of(uint32_t hot, uint16_t cold) {
  if (HP_UNLIKELY(cold == UINT16_MAX))
    return UINT64_MAX;
  return ((uint64_t)cold << HP_COUNT_BITS) + hot;
}

#define HP_SIZE_BITS 48
#define HP_SIZE_MAX (((uint64_t)1 << HP_SIZE_BITS) - 1)
#define HP_RECORD_FLAG(bit) ((uint64_t)1 << (HP_SIZE_BITS + (bit)))
/* Those that the log has, too, are at the same places there (HP_CHUNK_*). */
#define HP_RECORD_ZEROED HP_RECORD_FLAG(0)
#define HP_RECORD_LIVE HP_RECORD_FLAG(1) /* the slot holds a chunk */
#define HP_RECORD_MULTITHREAD                                                  \
  HP_RECORD_FLAG(2) /* the second record is in use */
#define HP_RECORD_OVERRUN HP_RECORD_FLAG(3)
#define HP_RECORD_HUGE                                                         \
  HP_RECORD_FLAG(4) /* above 4 GiB: interval kept in 64 bits */
#define HP_RECORD_EXACT                                                        \
  HP_RECORD_FLAG(5) /* last is not from the coarse clock */
#define HP_RECORD_AGED HP_RECORD_FLAG(6)    /* was EXACT while it was young */
#define HP_RECORD_CROWD HP_RECORD_FLAG(7)   /* hp_crowd is in use */
#define HP_RECORD_HEAVIER HP_RECORD_FLAG(8) /* see hp_sample_rounding() */
/* Above the flags: the chunk begins HP_FRONT << this behind its slot's start.
 */
#define HP_RECORD_FRONT_SHIFT (HP_SIZE_BITS + 9)
#define HP_FRONT sizeof(struct hp_chunk)

HP_INLINE size_t hp_front_of(uint64_t word) {
  return HP_FRONT << (word >> HP_RECORD_FRONT_SHIFT);
}

HP_INLINE uint32_t hp_guard_of(uint32_t point) { return ~point; }

/* In hp_chunk.thread: each access reads the clock.  There and not among the
   flags, so that comparing threads is all that instrumented code does. */
#define HP_THREAD_EXACT ((uint32_t)1 << 31)

HP_INLINE uint32_t hp_chunk_thread(const struct hp_chunk *chunk) {
  return __atomic_load_n(&chunk->thread, __ATOMIC_RELAXED) & ~HP_THREAD_EXACT;
}

#endif
