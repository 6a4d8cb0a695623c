/* reference.h - an AGGREGATES record from the whole list of chunks.
   Written from docs/metrics.md and docs/format.md, for nothing but to be right.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REFERENCE_H
#define HP_REFERENCE_H

#include "aggregate_fixture.h"
#include "history.h"

/* CHUNKS: all of POINT in the order of their beginnings, live ones with their
   flag and t1 = END. */
struct hp_reference {
  uint32_t point;
  const struct hp_chunk_log *chunks;
  size_t count;
  uint64_t end, tau, short_ticks;
  uint64_t peak_bytes, at_peak_bytes,
      at_peak_chunks; /* see hp_reference_peaks */
};
void hp_reference_record(const struct hp_reference *reference,
                         struct hp_fields *fields);

/* An event of the process: at equal time ends come before beginnings. */
struct hp_reference_peak {
  uint64_t bytes, chunks, time;
};

/* The peaks of the points in PEAKS[points].peak_bytes, at_peak_bytes and
   at_peak_chunks, and that of the process.  CHUNKS: all there are. */
void hp_reference_peaks(const struct hp_chunk_log *chunks, size_t count,
                        uint32_t points, struct hp_reference *peaks,
                        struct hp_reference_peak *peak);

/* The TIMELINE records, one struct of fields each; their number. */
size_t hp_reference_timeline(const struct hp_chunk_log *chunks, size_t count,
                             uint64_t end, struct hp_fields *records);

#endif
