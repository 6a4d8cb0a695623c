/* report_rows.h - which points a report shows one by one, and what is merged.
   The rows' numbers always add up to those of the profile.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_ROWS_H
#define HP_REPORT_ROWS_H

#include "base/store.h"
#include "heapprof_finding.h"

/* A point, or the sum of the points of one site that are too many. */
struct hp_report_row {
  const struct hp_point *point; /* NULL: a sum */
  const struct hp_frame *site;  /* of a sum; NULL: of various sites */
  const char *type;             /* of a sum: that of all; NULL: various */
  uint64_t points;              /* 1, or summed up */
  uint64_t chunks, bytes, bytes_at_global_peak, live_chunks, live_bytes;
  uint64_t reads, writes, bytes_accessed;
  uint64_t samples; /* not 0: the numbers are estimates from so many */
  double weight;    /* shares of chunks, bytes and peak, summed */
};

struct hp_report_rows {
  struct hp_report_row *items; /* the points first, weightiest first */
  size_t count, kept;          /* the first KEPT are points */
  uint64_t merged;             /* points in the others */
};

/* At most MOST points and as many sums.  Points of findings come first. */
hp_status hp_report_rows_make(struct hp_report_rows *rows,
                              const hp_profile *profile,
                              const struct hp_point *const *points,
                              size_t count, const hp_findings *findings,
                              size_t most, struct hp_error *error);
void hp_report_rows_free(struct hp_report_rows *rows);

#endif
