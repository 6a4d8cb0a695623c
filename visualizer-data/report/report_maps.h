/* report_maps.h - the address maps of a report: of the first processes whose dumps have addresses, at some moments.
   Made once, as large as the page has room for.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_MAPS_H
#define HP_REPORT_MAPS_H

#include "heapprof_map.h"
#include "json_writer.h"

#define HP_REPORT_MAPS 4u /* processes */

struct hp_report_maps {
  struct hp_map *maps[HP_REPORT_MAPS];
  size_t processes[HP_REPORT_MAPS]; /* number of each one's */
  size_t count, left_out;
  struct hp_error why; /* of the first process, where none has one */
};

/* For a page of at most MAX_BYTES.  Without addresses there is none, which is no
   failure. */
hp_status hp_report_maps_make(struct hp_report_maps *maps,
                              const hp_profile *profile, uint64_t max_bytes,
                              struct hp_error *error);
/* Members "maps" and "maps_left_out", and "no_map", why there is none; null. */
void hp_report_maps_put(struct hp_json *j, const struct hp_report_maps *maps);
void hp_report_maps_free(struct hp_report_maps *maps);

#endif
