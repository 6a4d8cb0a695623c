/* report_objects.h - allocation objects in a report: columns, and both verdicts on them.
   As heapprof-score --by object has them, with its usual --mu and --k.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_OBJECTS_H
#define HP_REPORT_OBJECTS_H

#include "heapprof_object.h"
#include "report/report_attempt.h"

/* {0} is empty. */
struct hp_report_objects {
  hp_objects *all;
  bool *by_ratio; /* of each object: excessive so; by clusters it says itself */
  struct hp_excess_verdict ratios, clusters;
};

hp_status hp_report_objects_make(struct hp_report_objects *objects,
                                 const struct hp_point *const *points,
                                 size_t count, struct hp_error *error);
void hp_report_objects_free(struct hp_report_objects *objects);

/* The member "objects": the excessive ones first of all, then the most
   frequent, of R's detail at most.  Returns how many were left out. */
size_t hp_report_objects_put(struct hp_report_attempt *r,
                             const struct hp_report_objects *objects);

#endif
