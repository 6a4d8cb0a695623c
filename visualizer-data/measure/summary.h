/* summary.h - all that the metrics take from the chunks of one point.
   Whole numbers: from the runtime's aggregates, or the same from the log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SUMMARY_H
#define HP_SUMMARY_H

#include "base/saturate.h"
#include "base/store.h"
#include "chunk_measure.h"
#include "growth_measure.h"
#include "heapprof.h"
#include "read/chunk_store.h"

/* What the metrics depend on besides the chunks; one per process. */
struct hp_rules {
  uint64_t window;           /* ticks */
  uint64_t tau;              /* ticks; greatest gap inside a lifetime group */
  uint64_t ticks_per_second; /* not 0 */
  uint64_t short_ticks;      /* short-lived below this */
  bool memoro_compat;        /* usage score as the published tool has it */
  bool exclude_live;         /* live chunks leave the scores, nothing else */
  bool sampled;              /* not all chunks were profiled */
  uint64_t sample_bytes;     /* but one for so many bytes; 0: or otherwise */
};

struct hp_sample {
  uint64_t count;
  hp_wide active, square, error; /* sums of a, a*a, e: 2^-32, 2^-64, 2^-32 */
};

/* Chunks of the same enum hp_class bits. */
struct hp_class_sum {
  uint32_t classes;
  uint64_t chunks, bytes, span;
};

struct hp_group_sum {
  uint64_t first, last, end; /* ticks: first and last t0, greatest t1 */
  uint64_t chunks;
  hp_wide lives; /* ticks */
};

/* counts[i] is of values with lowest + i binary digits. */
struct hp_digit_counts {
  unsigned lowest, count;
  const uint64_t *counts;
};

/* {0}: no chunk.  What a field means is in heapprof_format.def. */
struct hp_summary {
  uint64_t chunks, bytes, size_min, size_max;
  uint64_t life_min, life_max; /* ticks; 0 if none ended */
  hp_wide life_sum;
  uint64_t reads, writes, elements;
  uint64_t peak_bytes, at_peak_bytes, at_peak_chunks; /* of aggregates only */
  uint64_t tau; /* ticks; that the groups are made by */
  hp_wide active, active_error;
  struct hp_sample first, later;
  struct hp_class_sum *classes;
  struct hp_group_sum *groups;
  size_t class_count, group_count;
  struct hp_digit_counts sizes, lives;
  struct hp_growth_sum growth[HP_CHAIN_COUNT];
  uint64_t process;        /* number of its process in the dump, from 0 */
  struct hp_summary *next; /* of the same point, of another process */
  uint64_t samples;        /* chunks that were profiled; 0: all */
  struct hp_sampling sampling;
  uint64_t held_chunks, held_bytes; /* of aggregates only, as are */
  struct hp_overrun_sum {
    uint64_t beyond, read_pc, write_pc, flags; /* HP_OVERRUN_* */
  } overrun;
};

/* From the log: CHUNKS are sorted and count as often as their weight says. With
   rules->exclude_live, live chunks are in no group and no sum of shares.
   Histograms come from STORE, the other arrays from SCRATCH, which may be the
   same.  ELEMENT_SIZE 0: unknown. */
hp_status hp_summary_of_chunks(struct hp_summary *summary,
                               struct hp_store *store, struct hp_store *scratch,
                               const struct hp_chunks *chunks,
                               const struct hp_rules *rules,
                               uint64_t element_size, struct hp_error *error);

#endif
