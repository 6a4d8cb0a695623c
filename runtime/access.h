/* access.h - what an access does to a chunk record: counts, interval, times,
   threads.  The usual case is here, in sight; the rest is in access.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ACCESS_H
#define HP_ACCESS_H

#include "chunk.h"
#include "clock.h"
#include "hook_abi.h"
#include "thread_state.h"

/* READS and WRITES accesses at once, whose hull is SIZE > 0 bytes from OFFSET:
   any accesses whatever, also the usual one. */
void hp_access_many(struct hp_chunk *chunk, uint64_t offset, uint64_t size,
                    uint64_t reads, uint64_t writes);

/* One access of SIZE > 0 bytes, OFFSET bytes from the start of CHUNK.  KIND is
   HP_ACCESS_READ, _WRITE or _BOTH (hook_abi.h).  A part beyond the requested
   size is not in the interval but sets OVERRUN.

   Usual: by the allocating thread, within bytes accessed before (so there was a
   first access, within the size), of a chunk that is not exact.  16
   instructions; each counter is stepped by one of them, so that a signal
   handler cannot come in between.  One step at a time it never overflows.

   Budget of a hook that reads or writes, from entry to return, no call and no
   lock among them: at most 54 instructions if usual; at most 10 instructions
   if the address is not in the heap.  test/performance/hot-path.test counts. */
HP_INLINE void hp_access(struct hp_chunk *chunk, uint64_t offset, uint64_t size,
                         int kind) {
  if (HP_LIKELY(chunk->lo <= offset && offset + size <= chunk->hi &&
                chunk->thread == hp_thread_self_number &&
                !(chunk->word & HP_RECORD_EXACT))) {
    if (kind & HP_ACCESS_READ)
      chunk->reads++;
    if (kind & HP_ACCESS_WRITE)
      chunk->writes++;
    chunk->last = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
    return;
  }
  hp_access_many(chunk, offset, size, (kind & HP_ACCESS_READ) != 0,
                 (kind & HP_ACCESS_WRITE) != 0);
}

#endif
