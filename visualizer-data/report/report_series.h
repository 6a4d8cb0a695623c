/* report_series.h - what a report shows over time, out of the chunk log.
   Times are nanoseconds since the first process began.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_SERIES_H
#define HP_REPORT_SERIES_H

#include "profile/profile_inside.h"
#include "report/report_rows.h"

/* Unix time at which the first process began. */
uint64_t hp_report_start_ns(const hp_profile *profile);

/* The time line is cut into equal intervals.  An interval's instant is when
   most bytes were live in it: so no peak is lost, and the bytes of the points
   at one instant add up.

     low[i], high[i]     least and most bytes live in interval i
     chunks[i]           chunks live at its instant
     begun[i]            chunks that began in it
     resident[i]         most bytes of the processes seen in memory; 0: unknown
     of_point[k * n + i] bytes of the k-th row live at the instant           */
struct hp_report_series {
  uint64_t length_ns;
  size_t intervals, points; /* rows that have a series of their own */
  uint64_t *instant_ns, *low, *high, *chunks, *begun, *resident, *of_point;
  bool estimated; /* the log was thinned: of_point is an estimate, and of
                     several processes the rest, too */
};

hp_status hp_report_series_make(struct hp_report_series *series,
                                const hp_profile *profile,
                                const struct hp_report_rows *rows,
                                size_t points, size_t intervals,
                                struct hp_error *error);
void hp_report_series_free(struct hp_report_series *series);

/* From the first process's start to that of POINT's process. */
uint64_t hp_report_offset_ns(const hp_profile *profile,
                             const struct hp_point *point);

/* At most MOST of the logged chunks of POINT, evenly chosen, in the order in
   which they began.  Returns how many. */
size_t hp_report_chunks(struct hp_chunk_view *chunks, size_t most,
                        const hp_profile *profile,
                        const struct hp_point *point);

#endif
