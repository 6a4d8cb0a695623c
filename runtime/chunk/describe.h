/* describe.h - what a chunk's record says, as the chunk log has it.
   What is seldom (several threads, a record that was written over) is in
   describe.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DESCRIBE_H
#define HP_DESCRIBE_H

#include "chunk/accessed_bytes.h"
#include "chunk/growth.h"
#include "chunk/request.h"
#include "chunk/sample.h"
#include "heap/heap.h"
#include "heapprof_format.h"

/* Chunks that several threads accessed have more than one record. */
#define HP_WITH_OTHERS (HP_RECORD_MULTITHREAD | HP_RECORD_CROWD)

/* The flags of a record that are flags of the log, too. */
#define HP_LOG_FLAGS                                                           \
  (HP_CHUNK_ZEROED | HP_CHUNK_MULTITHREAD | HP_CHUNK_OVERRUN |                 \
   HP_CHUNK_EXACT | HP_CHUNK_AGED | HP_CHUNK_GROWN)
#define HP_IS_SAME(flag)                                                       \
  ((uint64_t)HP_CHUNK_##flag << HP_SIZE_BITS == HP_RECORD_##flag)
_Static_assert(HP_IS_SAME(ZEROED) && HP_IS_SAME(MULTITHREAD) &&
                   HP_IS_SAME(OVERRUN) && HP_IS_SAME(EXACT) &&
                   HP_IS_SAME(AGED) && HP_IS_SAME(GROWN),
               "at the same places");

/* Whether the program wrote over RECORD: its guard is not that of POINT, its tag is
   not TAG, or its last access, at LAST, lies in the future. */
HP_INLINE bool hp_is_damaged(const struct hp_chunk *record, uint32_t point,
                             uint16_t tag, uint64_t last) {
  const uint64_t distant = (uint64_t)1 << 36; /* ticks: many seconds */
  return record->guard != hp_guard_of(point) || hp_chunk_tag(record) != tag ||
         last > hp_clock_coarse + distant;
}

/* Of a chunk whose record is damaged only what the allocator knows is left. */
void hp_forget_accesses(struct hp_chunk_log *entry);
/* The same of RECORD, last accessed at LAST, which ENTRY describes; false: it was
   not damaged, but is watched (watch.h). */
bool hp_forget_damaged(struct hp_chunk_log *entry,
                       const struct hp_chunk *record, uint64_t last);
void hp_report_damage(uint64_t size);

/* Adds to ENTRY what threads other than the first did to the chunk of RECORD; the
   first thread's last access was at LAST. */
void hp_describe_others(struct hp_chunk_log *entry,
                        const struct hp_chunk *record, uint64_t word,
                        uint64_t last);

/* A chunk without a first access was accessed by no hook: its record holds what
   hp_begin_unhooked() put there and what libc's functions counted.  It was made
   exact only for the stack of its free. */
HP_INLINE void hp_leave_accesses(struct hp_chunk_log *entry) {
  if (entry->first)
    return;
  entry->flags &= ~(uint32_t)HP_CHUNK_EXACT;
  entry->last = entry->reads = entry->writes = entry->lo = entry->hi = 0;
}

/* Fills in *ENTRY from RECORD and COLD, the two halves of a record whose word is
   WORD: what each chunk has, but for the bytes that were accessed. */
HP_INLINE void hp_describe_record(struct hp_chunk_log *entry,
                                  const struct hp_chunk *record,
                                  const struct hp_cold *cold, uint64_t word) {
  const uint64_t first = cold->first, last = record->last;
  entry->t0 = cold->t0;
  entry->first = first;
  entry->last = last > first ? last : first; /* the coarse clock was behind */
  entry->size = word & HP_SIZE_MAX;
  entry->reads = hp_chunk_reads(record);
  entry->writes = hp_chunk_writes(record);
  entry->point = cold->point;
  entry->thread = cold->thread;
  entry->flags = (uint32_t)(word >> HP_SIZE_BITS) & HP_LOG_FLAGS;
}

/* The same of any chunk, and what some have; what only its end says is left out.
   False: the program wrote over the record, or another thread is changing it. */
HP_INLINE bool hp_describe(struct hp_chunk_log *entry,
                           const struct hp_chunk *record,
                           const struct hp_cold *cold) {
  const uint64_t word = cold->word, size = word & HP_SIZE_MAX;
  const uint64_t last = record->last;
  const uint32_t point = cold->point, thread = cold->thread;
  hp_describe_record(entry, record, cold, word);
  entry->weight = hp_sample_weight(word);
  if (HP_UNLIKELY(word & HP_RECORD_GROWN))
    hp_growth_describe(entry, record);
  hp_accessed_bytes_of(record, word, &entry->lo, &entry->hi);
  bool damaged =
      entry->hi > size ||
      hp_is_damaged(record, point, hp_record_tag(word, thread), last);
  if (HP_UNLIKELY(damaged))
    damaged = hp_forget_damaged(entry, record, last);
  if (HP_UNLIKELY(word & HP_WITH_OTHERS))
    hp_describe_others(entry, record, word, damaged ? 0 : last);
  else if (HP_UNLIKELY(hp_access_began_unhooked))
    hp_leave_accesses(entry);
  return !damaged;
}

#endif
