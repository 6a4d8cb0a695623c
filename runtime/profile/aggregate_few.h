/* aggregate_few.h - chunks of a point that has few of them: one entry each, and no
   record (aggregate_record.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_FEW_H
#define HP_AGGREGATE_FEW_H

#include "profile/aggregate_state.h"

/* What is asked of a point without the rest. */
struct hp_aggregate_brief {
  uint64_t chunks, bytes, live_chunks, live_bytes, generations;
};

/* Whether ENTRY, which is not FULL, could note the chunk that begins. */
bool hp_aggregate_begin_few(struct entry *entry, uint64_t t0, uint64_t size,
                            uint32_t weight);

/* The entry of CHUNK, which ends, where that of its point is not FULL; or that, which
   is then.  NULL: it was not live, or there is no memory. */
struct entry *hp_aggregate_ending(struct entry *entry,
                                  const struct hp_chunk_log *chunk);
/* Beside the classes of a chunk: hp_chunk_measure's is_sample. */
#define IS_SAMPLE (1u << 31)
_Static_assert(!(CLASS_BITS & IS_SAMPLE), "a bit of its own");

/* CHUNK ends there.  By value and one by one: what has its address taken, or is passed
   in memory, would lie there for all chunks.  CLASSES: IS_SAMPLE, too. */
void hp_aggregate_end_entry(struct entry *entry,
                            const struct hp_chunk_log *chunk, uint64_t life,
                            uint64_t span, uint32_t classes);

/* How many chunks of ENTRY, which is not FULL, live. */
uint32_t hp_aggregate_live_few(const struct entry *entry);

/* What all its chunks come to. */
struct hp_aggregate_brief hp_aggregate_brief_few(const struct entry *entry);

#endif
