/* score.c - global means of the scores and the 90th percentiles.
   docs/metrics.md sections "Global" and "Inferences".
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/score.h"

#include <math.h>
#include <stdlib.h>

#include "base/failure.h"
#include "base/saturate.h"

#define HP_GLOBAL_FLOOR 0.01

struct hp_global_score hp_score_means(const double *scores,
                                      const uint64_t *weights, size_t count) {
  struct hp_global_score result = {HP_NULL_SCORE, HP_NULL_SCORE, HP_NULL_SCORE,
                                   0};
  double weight_sum = 0, sum = 0, logs = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    double weight = weights ? (double)weights[i] : 1;
    if (scores[i] < 0 || weight <= 0)
      continue;
    double floored = scores[i] > HP_GLOBAL_FLOOR ? scores[i] : HP_GLOBAL_FLOOR;
    result.points++;
    weight_sum += weight;
    sum += weight * scores[i];
    logs += weight * log(floored);
  }
  if (result.points == 0)
    return result;
  result.mean = sum / weight_sum;
  result.geomean = exp(logs / weight_sum);
  for (size_t i = 0; i < count; i++)
    if (scores[i] >= 0) {
      double distance = scores[i] - result.mean;
      squares += (weights ? (double)weights[i] : 1) * distance * distance;
    }
  result.variance = squares / weight_sum;
  return result;
}

static int ascending(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

uint64_t hp_score_top_cut(uint64_t *values, size_t count, uint64_t *least) {
  *least = UINT64_MAX;
  if (count == 0)
    return UINT64_MAX;
  qsort(values, count, sizeof *values, ascending);
  *least = values[0];
  size_t at = (size_t)((hp_u128)count * 9 / 10);
  return values[at < count ? at : count - 1];
}

static void set_top(struct hp_point *point, enum hp_inference inference,
                    bool top) {
  struct hp_inference_value *value = &point->inferences[inference];
  value->flagged = top;
  value->chunks = top ? point->chunks : 0;
  value->bytes = top ? point->bytes : 0;
}

hp_status hp_score_tops(struct hp_point *const *points, size_t count,
                        struct hp_error *error) {
  uint64_t *values = reallocarray(NULL, count + 1, sizeof *values);
  if (!values)
    return hp_fail_memory(error);
  uint64_t least;
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (points[i]->chunks)
      values[n++] = points[i]->peak_bytes;
  uint64_t cut = hp_score_top_cut(values, n, &least);
  for (size_t i = 0; i < count; i++)
    set_top(points[i], HP_INF_top_bytes,
            points[i]->chunks && points[i]->peak_bytes >= cut &&
                points[i]->peak_bytes > least);
  n = 0;
  for (size_t i = 0; i < count; i++)
    if (points[i]->chunks)
      values[n++] = points[i]->chunks;
  cut = hp_score_top_cut(values, n, &least);
  for (size_t i = 0; i < count; i++)
    set_top(points[i], HP_INF_top_chunks,
            points[i]->chunks && points[i]->chunks >= cut &&
                points[i]->chunks > least);
  free(values);
  return HP_OK;
}

hp_status hp_score_global(struct hp_point *const *points, size_t count,
                          bool weight_by_bytes, struct hp_global *global,
                          struct hp_error *error) {
  double *scores = reallocarray(NULL, count + 1, sizeof *scores);
  uint64_t *bytes = reallocarray(NULL, count + 1, sizeof *bytes);
  if (!scores || !bytes) {
    free(scores);
    free(bytes);
    return hp_fail_memory(error);
  }
  for (size_t i = 0; i < count; i++)
    bytes[i] = points[i]->bytes;
  const uint64_t *weights = weight_by_bytes ? bytes : NULL;
#define SCORE(name)                                                            \
  for (size_t i = 0; i < count; i++)                                           \
    scores[i] = points[i]->scores.name;                                        \
  global->name = hp_score_means(scores, weights, count);
  SCORE(lifetime)
  SCORE(usage)
  SCORE(useful_lifetime)
#undef SCORE
  free(scores);
  free(bytes);
  return HP_OK;
}
