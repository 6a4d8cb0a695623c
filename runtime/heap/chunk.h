/* chunk.h - the chunk record: half a cache line in front of the chunk, which
   hooks write, and as much elsewhere.  Found from the address alone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_H
#define HP_CHUNK_H

#include "system/platform.h"

/* clang-format off */
/* What a usual access reads and writes is where the slot begins, so that it
   comes with the cache line and the page of the chunk itself:
     +0   u16 thread  hp_record_tag() of who counts here, and HP_THREAD_EXACT;
                      0: nobody does
     +2   48 writes
     +8   48 reads
     +14  u16 guard   hp_guard_of(point)
     +16  u32 lo      low half of the address of the first accessed byte
     +20  u32 hi      and of the last one; lo > hi: none
     +24  u64 last    time of the last access, ticks (exact if HP_RECORD_EXACT,
                      else coarse); in the future: written over
   A counter is stepped by one addition to its u64: at a billion a second it is
   full after days.  Where thread or guard are not as they must be, the program
   wrote here, beyond the end of the chunk before.  Nothing in it that is wrong
   can do more than make this chunk's figures wrong, and the program is told.

   What other threads do to the chunk is counted in their shares (share.h).  */
struct hp_chunk {
  union {
    uint16_t thread;
    uint64_t thread_writes;
  };
  union {
    uint64_t reads_guard;
    struct {
      uint16_t low_reads[3];
      uint16_t guard;
    };
  };
  uint32_t lo;
  uint32_t hi;
  uint64_t last;
};
_Static_assert(sizeof(struct hp_chunk) == HP_CACHE_LINE / 2, "half a line");
_Static_assert(offsetof(struct hp_chunk, lo) == 16, "what a hook compares");
_Static_assert(offsetof(struct hp_chunk, guard) == 14, "above the reads");

/* The rest of a chunk's record, out of the program's reach:
     +0   u64 first   time of the first access, ticks; 0 = none yet
     +8   u64 t0      time the allocation returned, ticks
     +16  u64 word    bytes requested in the low 47 bits, flags HP_RECORD_* above
     +24  u32 point   allocation point's id
     +28  u32 thread  number of the thread that allocated it
   A free slot's record has word 0 and no accessed byte; that of a large slot
   links the list of free ones by t0, which no hook ever writes. */
/* clang-format on */
struct hp_cold {
  uint64_t first;
  uint64_t t0;
  uint64_t word;
  uint32_t point;
  uint32_t thread;
};
_Static_assert(sizeof(struct hp_cold) == sizeof(struct hp_chunk),
               "found by the same arithmetic");
_Static_assert(offsetof(struct hp_cold, t0) == 8, "what an allocation writes");

/* What few chunks have; all zero but in those with HP_RECORD_MULTITHREAD or
   HP_RECORD_HUGE:
     +0   u64 areas    bit n: the n-th area has a share in the chunk (share.h)
     +8   u64 first    time of the first access by a thread that did not
                       allocate it, ticks; 0 = none yet
     +16  u64 huge_lo  HP_RECORD_HUGE: first byte accessed by any thread, from
     +24  u64 huge_hi  the chunk's start, and one past the last; lo > hi: none */
struct hp_others {
  uint64_t areas;
  uint64_t first;
  uint64_t huge_lo;
  uint64_t huge_hi;
};
_Static_assert(sizeof(struct hp_others) == sizeof(struct hp_chunk),
               "found by the same arithmetic");

/* What threads did to a chunk that have no share in it, by atomic operations;
   all zero but in a chunk with HP_RECORD_CROWD.
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

/* How the chain of a chunk with HP_RECORD_GROWN came to it (growth.h); else
   anything.
     +0   bits 0..37 first   bytes; size of the chain's first chunk
          bits 38..61 length chunks, itself included; saturates
          bits 62..63 kind   enum hp_chain
     +8   u64 bytes   sizes of the chunks before it; saturates, as do
     +16  u64 copied  bytes copied from each to the next, up to it
     +24  u64 link    bytes copied to it from the one before                  */
#define HP_CHAIN_SIZE_BITS 38
#define HP_CHAIN_LENGTH_MAX (((uint64_t)1 << 24) - 1)
struct hp_chain_state {
  uint64_t first : HP_CHAIN_SIZE_BITS;
  uint64_t length : 24;
  uint64_t kind : 2;
  uint64_t bytes;
  uint64_t copied;
  uint64_t link;
};
_Static_assert(sizeof(struct hp_chain_state) == sizeof(struct hp_chunk),
               "found by the same arithmetic");

/* What a record's counters say: from HP_COUNT_FULL on, the largest number. */
#define HP_COUNT_BITS 48
#define HP_COUNT_FULL ((uint64_t)1 << (HP_COUNT_BITS - 1))
#define HP_COUNT_MASK (2 * HP_COUNT_FULL - 1)
#define HP_ONE_READ ((uint64_t)1)
#define HP_ONE_WRITE ((uint64_t)1 << (64 - HP_COUNT_BITS))

HP_INLINE uint64_t hp_count_of(uint64_t count) {
  return HP_LIKELY(count < HP_COUNT_FULL) ? count : UINT64_MAX;
}
HP_INLINE uint64_t hp_chunk_reads(const struct hp_chunk *chunk) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a thread that asks has a record */
  return hp_count_of(chunk->reads_guard & HP_COUNT_MASK);
}
HP_INLINE uint64_t hp_chunk_writes(const struct hp_chunk *chunk) {
  return hp_count_of(chunk->thread_writes / HP_ONE_WRITE);
}

#define HP_SIZE_BITS 47
#define HP_SIZE_MAX (((uint64_t)1 << HP_SIZE_BITS) - 1)
#define HP_RECORD_FLAG(bit) ((uint64_t)1 << (HP_SIZE_BITS + (bit)))
/* Those that the log has, too, are at the same places there (HP_CHUNK_*). */
#define HP_RECORD_ZEROED HP_RECORD_FLAG(0)
#define HP_RECORD_LIVE HP_RECORD_FLAG(1) /* the slot holds a chunk */
#define HP_RECORD_MULTITHREAD                                                  \
  HP_RECORD_FLAG(2) /* other threads have or had shares */
#define HP_RECORD_OVERRUN HP_RECORD_FLAG(3)
#define HP_RECORD_HUGE                                                         \
  HP_RECORD_FLAG(4) /* reaches beyond 4 GiB: interval kept in 64 bits */
#define HP_RECORD_EXACT                                                        \
  HP_RECORD_FLAG(5)                      /* last is not from the coarse clock */
#define HP_RECORD_AGED HP_RECORD_FLAG(6) /* was EXACT while it was young */
#define HP_RECORD_CROWD HP_RECORD_FLAG(7)   /* hp_crowd is in use */
#define HP_RECORD_HEAVIER HP_RECORD_FLAG(8) /* see hp_sample_rounding() */
#define HP_RECORD_GROWN HP_RECORD_FLAG(9)   /* hp_chain_state is in use */
#define HP_RECORD_FLAGS (HP_RECORD_FLAG(10) - HP_RECORD_FLAG(0)) /* all */
/* Above the flags: where the chunk begins behind its slot's start, coded:
     0..62    HP_FRONT << code
     63       HP_FRONT_LATER
     64..127  HP_FRONT << bits 0..2, and HP_COLOUR times bits 3..5 */
#define HP_RECORD_FRONT_SHIFT (HP_SIZE_BITS + 10)
#define HP_FRONT sizeof(struct hp_chunk)
#define HP_FRONT_LATER (HP_FRONT + HP_FRONT / 2)
#define HP_COLOUR ((size_t)9 << 12)
#define HP_COLOURS 8u
#define HP_COLOURED_ALIGNMENT (HP_FRONT << 7) /* at most */

HP_INLINE uint64_t hp_front_code(size_t front) {
  if (HP_LIKELY(front == HP_FRONT))
    return 0;
  if ((front & (front - 1)) == 0)
    return (uint64_t)__builtin_ctzll(front / HP_FRONT);
  if (front == HP_FRONT_LATER)
    return 63;
  return 64 + front / HP_COLOUR * 8 +
         (uint64_t)__builtin_ctzll(front % HP_COLOUR / HP_FRONT);
}

HP_INLINE size_t hp_front_of(uint64_t word) {
  uint64_t code = word >> HP_RECORD_FRONT_SHIFT;
  if (HP_LIKELY(code < 63))
    return HP_FRONT << code;
  if (code == 63)
    return HP_FRONT_LATER;
  return (HP_FRONT << code % 8) + code / 8 % 8 * HP_COLOUR;
}

/* Not what is there where the program sets all to zero. */
HP_INLINE uint16_t hp_guard_of(uint32_t point) {
  return (uint16_t)(point * 0x9e3779b1u >> 16) | 1;
}

/* In hp_chunk.thread: each access reads the clock.  There and not among the
   flags, so that comparing threads is all that instrumented code does. */
#define HP_THREAD_EXACT ((uint16_t)1 << 15)

/* How thread NUMBER is named there.  Those that come after so many others have
   one name in common, which no access finds to be its own thread's: all theirs
   are told by hp_cold.thread, the long way. */
#define HP_THREAD_LATE ((uint16_t)0x7fff)
HP_INLINE uint16_t hp_thread_tag(uint32_t number) {
  return number < HP_THREAD_LATE ? (uint16_t)number : HP_THREAD_LATE;
}

/* How the record of a chunk with these flags names who counts there.  All that
   is done to a huge one goes the long way: the halves of the addresses of two
   bytes on both sides of a multiple of 4 GiB look like those of an interval. */
HP_INLINE uint16_t hp_record_tag(uint64_t word, uint32_t thread) {
  return HP_UNLIKELY(word & HP_RECORD_HUGE) ? HP_THREAD_LATE
                                            : hp_thread_tag(thread);
}

HP_INLINE uint16_t hp_chunk_tag(const struct hp_chunk *chunk) {
  return __atomic_load_n(&chunk->thread, __ATOMIC_RELAXED) &
         (uint16_t)~HP_THREAD_EXACT;
}

#endif
