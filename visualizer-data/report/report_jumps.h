/* report_jumps.h - to which sizes the chunks of a point were resized.
   A chunk that realloc ended is followed to the one that realloc began.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_JUMPS_H
#define HP_REPORT_JUMPS_H

#include "profile/profile_inside.h"
#include "report/report_rows.h"

struct hp_report_jump {
  uint32_t row;
  uint64_t from, to; /* bytes */
  uint64_t count;
};

/* By ascending row, the most frequent first; {0} is empty. */
struct hp_report_jumps {
  struct hp_report_jump *items;
  size_t count;
};

/* Of the first POINTS of ROWS, as far as both chunks were logged; each counts
   once, whatever it stands for.  Of a point with very many, those of some that
   are evenly chosen. */
hp_status hp_report_jumps_make(struct hp_report_jumps *jumps,
                               const hp_profile *profile,
                               const struct hp_report_rows *rows, size_t points,
                               struct hp_error *error);
void hp_report_jumps_free(struct hp_report_jumps *jumps);

/* Chunks of POINT that realloc ended: exact if its numbers are. */
uint64_t hp_report_resized(const struct hp_point *point);

#endif
