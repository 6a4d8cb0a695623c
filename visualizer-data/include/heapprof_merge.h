/* heapprof_merge.h - puts the dumps of many processes into one.
   docs/heapprof-merge.md says what is added up and what is kept of each.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_MERGE_H
#define HEAPPROF_MERGE_H

#include "heapprof.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hp_merge_totals {
  size_t processes;
  size_t left_out; /* dumps of processes that are in the merged one already */
  size_t points;
  size_t other_ranks; /* dumps that were not asked for */
};

/* Writes the directory OUT, which must not exist, from each of PATHS: a dump, a
   merged dump, or a directory that holds some.  What it holds does not depend
   on the order, nor on what was merged before.  After a failure there is no
   OUT.  RANKS: only dumps of these MPI ranks, such as "0,3-5"; NULL: all. */
hp_status hp_merge(const char *out, const char *ranks, const char *const *paths,
                   size_t count, struct hp_merge_totals *totals,
                   struct hp_error *error);

#ifdef __cplusplus
}
#endif
#endif
