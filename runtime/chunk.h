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
     +36  u32 hi      and of the last one; lo > hi: none.  HP_RECORD_HUGE: none,
                      see hp_foreign
     +40  u32 thread  allocating thread's number, and HP_THREAD_EXACT
     +44  u32 point   allocation point's id
     +48  u64 t0      time the allocation returned, ticks
     +56  u64 word    bytes requested in the low 48 bits, flags HP_RECORD_* above
   A free slot's record has word 0 and no accessed byte; that of a large slot
   links the list of free ones by t0, which no hook ever writes. */
/* clang-format on */
struct hp_chunk {
  uint64_t first;
  uint64_t last;
  uint64_t reads;
  uint64_t writes;
  uint32_t lo;
  uint32_t hi;
  uint32_t thread;
  uint32_t point;
  uint64_t t0;
  uint64_t word;
};
_Static_assert(sizeof(struct hp_chunk) == HP_CACHE_LINE, "one cache line");
_Static_assert(offsetof(struct hp_chunk, lo) == 32, "what a hook writes");
_Static_assert(offsetof(struct hp_chunk, t0) == 48,
               "what an allocation writes");

/* What threads other than the allocating one did to a chunk, by atomic
   operations; merged with the record when the chunk ends.
     +0   u64 first    ticks; 0 = none yet
     +8   u64 last     ticks
     +16  u64 reads
     +24  u64 writes
     +32  u32 not_lo   complement of hp_chunk's lo; both 0: none
     +36  u32 hi       as hp_chunk's
     +40  u64 huge_lo  HP_RECORD_HUGE: first byte accessed by any thread, from
     +48  u64 huge_hi  the chunk's start, and one past the last; lo > hi: none
 */
struct hp_foreign {
  _Alignas(HP_CACHE_LINE) uint64_t first;
  uint64_t last;
  uint64_t reads;
  uint64_t writes;
  uint32_t not_lo;
  uint32_t hi;
  uint64_t huge_lo;
  uint64_t huge_hi;
};
_Static_assert(sizeof(struct hp_foreign) == sizeof(struct hp_chunk),
               "found by the same arithmetic");

#define HP_SIZE_BITS 48
#define HP_SIZE_MAX (((uint64_t)1 << HP_SIZE_BITS) - 1)
#define HP_RECORD_FLAG(bit) ((uint64_t)1 << (HP_SIZE_BITS + (bit)))
#define HP_RECORD_LIVE HP_RECORD_FLAG(0) /* the slot holds a chunk */
#define HP_RECORD_ZEROED HP_RECORD_FLAG(1)
#define HP_RECORD_MULTITHREAD HP_RECORD_FLAG(2) /* hp_foreign is in use */
#define HP_RECORD_OVERRUN HP_RECORD_FLAG(3)
#define HP_RECORD_EXACT                                                        \
  HP_RECORD_FLAG(4) /* last is not from the coarse clock */
#define HP_RECORD_HUGE                                                         \
  HP_RECORD_FLAG(5) /* above 4 GiB: interval kept in 64 bits */
#define HP_RECORD_AGED HP_RECORD_FLAG(6) /* was EXACT while it was young */

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
