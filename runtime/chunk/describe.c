/* describe.c - see describe.h: chunks of several threads, and damaged records.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/describe.h"

#include "chunk/cut_block.h"
#include "heap/share.h"
#include "system/message.h"

HP_COLD void hp_forget_accesses(struct hp_chunk_log *entry) {
  entry->first = entry->last = entry->reads = entry->writes = 0;
  entry->lo = entry->hi = 0;
  entry->flags |= HP_CHUNK_OVERRUN;
}

HP_COLD bool hp_forget_damaged(struct hp_chunk_log *entry,
                               const struct hp_chunk *record, uint64_t last) {
  if (entry->hi <= entry->size &&
      !hp_is_damaged(record, entry->point, HP_THREAD_LATE, last))
    return false;
  hp_forget_accesses(entry);
  return true;
}

HP_COLD void hp_report_damage(uint64_t size) {
  static bool said;
  if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
    hp_sys_warn("the program wrote ahead of a chunk of %lu bytes or beyond the "
                "end of its neighbour; what is known of its accesses is lost "
                "(further such chunks are not named)",
                size);
}

/* Adds to ENTRY what other threads did to the chunk. */
static void add_others(struct hp_chunk_log *entry, uint64_t last,
                       uint64_t reads, uint64_t writes) {
  entry->reads = hp_add_saturated(entry->reads, reads);
  entry->writes = hp_add_saturated(entry->writes, writes);
  if (last > entry->last)
    entry->last = last;
}

HP_NOINLINE void hp_describe_others(struct hp_chunk_log *entry,
                                    const struct hp_chunk *record,
                                    uint64_t word, uint64_t last) {
  if (hp_cut_is(record, word)) {
    const uint32_t unknown = HP_CHUNK_EXACT | HP_CHUNK_AGED |
                             HP_CHUNK_MULTITHREAD | HP_CHUNK_OVERRUN;
    entry->first = entry->last = entry->reads = entry->writes = 0;
    entry->lo = entry->hi = 0;
    entry->flags = (entry->flags & ~unknown) | HP_CHUNK_CUT;
    return;
  }
  if (hp_access_began_unhooked && !entry->first)
    entry->flags &= ~(uint32_t)HP_CHUNK_EXACT; /* as hp_leave_accesses() */
  entry->last = last;
  const struct hp_others *others = hp_others_of(record);
  if (others->first && (!entry->first || others->first < entry->first))
    entry->first = others->first;
  uint64_t areas = others->areas;
  for (const struct hp_chunk *share; (share = hp_share_next(record, &areas));)
    add_others(entry, share->last, hp_chunk_reads(share),
               hp_chunk_writes(share));
  if (word & HP_RECORD_CROWD) {
    const struct hp_crowd *crowd = hp_crowd_of(record);
    add_others(entry, crowd->last, crowd->reads, crowd->writes);
  }
  if (entry->last < entry->first)
    entry->last = entry->first;
}
