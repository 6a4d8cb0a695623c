/* summary.h - sums up the logged chunks of a point as the runtime would.
   What the sums are is in point_sums.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SUMMARY_H
#define HP_SUMMARY_H

#include "base/store.h"
#include "heapprof.h"
#include "read/chunk_store.h"
#include "read/point_sums.h"

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
