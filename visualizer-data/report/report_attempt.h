/* report_attempt.h - what one attempt to write a report works with.
   Too large, it is written again with half the detail.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_ATTEMPT_H
#define HP_REPORT_ATTEMPT_H

#include "heapprof_globals.h"
#include "heapprof_report.h"
#include "heapprof_set.h"
#include "json_writer.h"
#include "report/report_jumps.h"
#include "report/report_names.h"
#include "report/report_rows.h"
#include "report/report_series.h"
#include "report/report_source.h"

/* How much is shown; halved until the document fits. */
struct hp_report_detail {
  size_t points, series, drawn, histograms, objects, frames, source_bytes;
  size_t rows;  /* mappings of a process, variables of a module */
  size_t types; /* whose members are shown */
  size_t asked; /* chunks that sets are asked of */
};

struct hp_report_objects; /* report_objects.h */
struct hp_report_maps;    /* report_maps.h */

/* What one attempt works with. */
struct hp_report_attempt {
  hp_profile *profile;
  const hp_findings *findings;
  const struct hp_report_options *o;
  struct hp_report_detail detail;
  struct hp_report_rows rows;
  /* Of the first attempt; the others have the same rows first, but fewer. */
  struct hp_report_series *series;
  struct hp_report_jumps *jumps;
  const struct hp_report_objects *objects;
  const struct hp_report_maps *maps;
  const hp_globals *globals;
  const struct hp_set_text *sets;
  size_t set_count;
  hp_report_names *names;
  hp_report_sources *sources;
  struct hp_json j;
  size_t shortened_stacks, sources_left_out, objects_left_out;
  bool failed; /* out of memory on the way */
};

static inline void hp_report_put_name(struct hp_report_attempt *r,
                                      const char *key, int64_t number) {
  r->failed = r->failed || number == HP_NAME_FULL;
  if (number < 0)
    hp_json_null(&r->j, key);
  else
    hp_json_integer(&r->j, key, (uint64_t)number);
}

/* Where the program can be changed; NULL: nowhere, or at various places. */
static inline const struct hp_frame *
hp_report_place(const struct hp_report_row *row) {
  const struct hp_point *p = row->point;
  return !p ? row->site : p->place ? p->place : p->site;
}

#endif
