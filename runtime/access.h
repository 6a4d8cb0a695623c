/* access.h - what an access does to a chunk record: counts, interval, times,
   threads.  The usual case is here, in sight; the rest is in access.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ACCESS_H
#define HP_ACCESS_H

#include "chunk.h"
#include "clock.h"
#include "heap.h"
#include "hook_abi.h"
#include "thread_state.h"

/* READS and WRITES accesses at once, whose hull is SIZE bytes at P, which is in
   the slot of CHUNK: any accesses whatever, also the usual one. */
void hp_access_many(struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                    uint64_t reads, uint64_t writes);

/* One instruction: a signal's handler that accesses the same chunk comes before
   or after it, and its own count is not lost. */
HP_INLINE void hp_access_add(uint64_t *counter, uint64_t n) {
  bool wrapped;
  __asm__("addq %2, %1" : "=@ccc"(wrapped), "+m"(*counter) : "re"(n));
  if (HP_UNLIKELY(wrapped))
    *counter = UINT64_MAX;
}

/* After so many periods of the coarse clock a chunk's last access is known well
   enough without reading the counter: to 1/32 of its lifetime.  Where the clock
   is late the reader knows by how much; waiting for it here would make busy
   machines busier. */
#define HP_EXACT_STEPS 32u

HP_INLINE bool hp_access_is_old(const struct hp_chunk *chunk, uint64_t now) {
  return now - chunk->t0 > HP_EXACT_STEPS * hp_clock_period;
}

/* Whether an access of SIZE > 0 bytes at P lies within the bytes that the
   thread of record BY has accessed before. */
HP_INLINE bool hp_access_is_covered(const struct hp_chunk *by, uintptr_t p,
                                    uint64_t size) {
  return HP_LIKELY(by->lo <= (uint32_t)p && (uint32_t)(p + size - 1) <= by->hi);
}

/* The same as hp_access_many() if the access is simple: by the allocating
   thread or the second to come, within the bytes that it has accessed before.
   Returns the record that it is counted in; NULL: nothing is done.  Calls
   nothing. */
HP_INLINE struct hp_chunk *hp_access_simple(struct hp_chunk *chunk, uintptr_t p,
                                            uint64_t size, uint64_t reads,
                                            uint64_t writes) {
  const uint32_t self = hp_thread_self_number;
  struct hp_chunk *by = chunk;
  if (hp_chunk_thread(by) != self)
    by = hp_second_of(by);
  if (!self || hp_chunk_thread(by) != self ||
      !hp_access_is_covered(by, p, size))
    return NULL;
  uint64_t now = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  if (by->thread != self) { /* exact */
    if (!hp_clock_is_tsc)
      return NULL;
    now = __builtin_ia32_rdtsc();
    if (hp_clock_is_late(now) || hp_access_is_old(chunk, now))
      return NULL;
  }
  hp_access_add(&by->reads, reads);
  hp_access_add(&by->writes, writes);
  by->last = now;
  return by;
}

/* Whether an access of SIZE > 0 bytes at P is usual: by the allocating thread,
   within bytes accessed before (so there was a first access, within the size),
   of a chunk whose accesses do not read the clock. */
HP_INLINE bool hp_access_is_usual(const struct hp_chunk *chunk, uintptr_t p,
                                  uint64_t size) {
  return hp_access_is_covered(chunk, p, size) &&
         HP_LIKELY(chunk->thread == hp_thread_self_number);
}

/* One access of SIZE > 0 bytes at P, which is in the slot of CHUNK.  KIND is
   HP_ACCESS_READ, _WRITE or _BOTH (hook_abi.h).  A part beyond the requested
   size is not in the interval but sets OVERRUN.

   Each counter is stepped by one instruction, so that a signal handler cannot
   come in between.  One step at a time it never overflows.

   Budget of a hook that reads or writes, from entry to return, no call and no
   lock among them: at most 36 instructions if usual; at most 10 instructions
   if the address is not in the heap.  test/performance/hot-path.test counts. */
HP_INLINE void hp_access(struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                         int kind) {
  if (!hp_access_is_usual(chunk, p, size)) {
    hp_access_many(chunk, p, size, (kind & HP_ACCESS_READ) != 0,
                   (kind & HP_ACCESS_WRITE) != 0);
    return;
  }
  if (kind & HP_ACCESS_READ)
    chunk->reads++;
  if (kind & HP_ACCESS_WRITE)
    chunk->writes++;
  chunk->last = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
}

/* The bytes [*LO, *HI) of a live chunk that any thread has accessed, from its
   start; both 0 if none. */
void hp_accessed_bytes(const struct hp_chunk *chunk, uint64_t *lo,
                       uint64_t *hi);

#endif
