/* meter_reader.h - what a meter's record says, in numbers that have a meaning by themselves.
   Definitions: docs/metrics.md, Allocators.  Times are nanoseconds.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METER_READER_H
#define HP_METER_READER_H

#include "meter_record.h"

#include <stdbool.h>
#include <stddef.h>

#define HP_METER_NONE (-1.0) /* a share that nothing is known of */

struct hp_meter_function_view {
  const char *name;
  uint64_t calls, bytes;
  double mean_ns, median_ns, p99_ns;
};

/* Shares are of 0 to 1, or HP_METER_NONE. */
struct hp_meter_shares {
  double fragmentation_total, fragmentation_mean, internal, external,
      utilisation;
};

struct hp_meter_view {
  char library[256];
  bool ended; /* the last sample is of the program's end */
  uint32_t images;
  uint64_t allocations, frees, requested_bytes;
  uint64_t peak_live_bytes, live_bytes_at_end;
  uint64_t peak_mapped_bytes, peak_resident_bytes; /* of the samples */
  uint64_t unknown_frees, lost_chunks, lost_samples;
  struct hp_meter_shares mean; /* over all samples */
  struct hp_meter_shares end;  /* of the last sample */
  struct hp_meter_function_view functions[HP_METER_FUNCTIONS];
  size_t function_count;         /* those that were called */
  struct hp_meter_arenas arenas; /* glibc's own figures, at the end, if known */
  uint64_t
      cached_bytes; /* of them in use by glibc's count, not by the program's */
  struct hp_meter_sample samples[HP_METER_SAMPLES];
  size_t sample_count;
};

/* NULL, or why the record says nothing. */
const char *hp_meter_read(const struct hp_meter_record *record,
                          struct hp_meter_view *view);

struct hp_meter_shares hp_meter_shares_of(const struct hp_meter_sample *sample);

#endif
