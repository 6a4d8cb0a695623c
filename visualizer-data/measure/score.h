/* score.h - what needs all points at once: global scores and percentiles.
   Pure: points in, numbers out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_H
#define HP_SCORE_H

#include "heapprof.h"

/* Means of one score over POINTS; WEIGHTS may be NULL.  Null scores and
   weights of 0 stay out. */
struct hp_global_score hp_score_means(const double *scores,
                                      const uint64_t *weights, size_t count);

/* v[min(n - 1, floor(0.9 n))] of the ascending VALUES, which get sorted; a
   value is "top" if it is at or above it and above *LEAST = v[0]. */
uint64_t hp_score_top_cut(uint64_t *values, size_t count, uint64_t *least);

/* Sets the inferences top_bytes and top_chunks of each of POINTS.  Points
   without chunks take no part. */
hp_status hp_score_tops(struct hp_point *const *points, size_t count,
                        struct hp_error *error);

/* Sets the three scores of *GLOBAL. */
hp_status hp_score_global(struct hp_point *const *points, size_t count,
                          bool weight_by_bytes, struct hp_global *global,
                          struct hp_error *error);

#endif
