/* test_score.c - global means and percentiles, by hand.
   Null scores stay out; every mean says over how many points it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "measure/score.h"

static bool near(double a, double b) { return fabs(a - b) < 1e-12; }

static void means_of_the_defined_scores(void **state) {
  (void)state;
  const double scores[] = {1, HP_NULL_SCORE, 0.25, 0};
  const struct hp_global_score s = hp_score_means(scores, NULL, 4);
  assert_int_equal(s.points, 3);
  assert_true(near(s.mean, 1.25 / 3));
  assert_true(near(s.geomean, cbrt(0.25 * 0.01))); /* 0 floored at 0.01 */
  /* population variance: mean of squares less square of mean */
  assert_true(near(s.variance, 1.0625 / 3 - 1.25 / 3 * 1.25 / 3));
}

static void means_of_no_score_are_null(void **state) {
  (void)state;
  const double scores[] = {HP_NULL_SCORE};
  const struct hp_global_score s = hp_score_means(scores, NULL, 1);
  assert_int_equal(s.points, 0);
  assert_true(s.mean == HP_NULL_SCORE);
  assert_true(s.geomean == HP_NULL_SCORE);
  assert_true(s.variance == HP_NULL_SCORE);
  assert_int_equal(hp_score_means(NULL, NULL, 0).points, 0);
}

static void weights_count(void **state) {
  (void)state;
  const double scores[] = {1, 0.25, 0.5};
  const uint64_t weights[] = {1, 3, 0};
  const struct hp_global_score s = hp_score_means(scores, weights, 3);
  assert_int_equal(s.points, 2);
  assert_true(near(s.mean, 1.75 / 4));
  assert_true(near(s.geomean, pow(0.25, 0.75)));
  const double d1 = 1 - 0.4375, d2 = 0.25 - 0.4375;
  assert_true(near(s.variance, (d1 * d1 + 3 * d2 * d2) / 4));
}

static void cut_is_the_90th_percentile(void **state) {
  (void)state;
  uint64_t least;
  uint64_t ten[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  assert_int_equal(hp_score_top_cut(ten, 10, &least), 10); /* v[9] */
  assert_int_equal(least, 1);
  uint64_t eleven[] = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  assert_int_equal(hp_score_top_cut(eleven, 11, &least), 10); /* v[9] */
  uint64_t one[] = {7};
  assert_int_equal(hp_score_top_cut(one, 1, &least), 7);
  assert_int_equal(least, 7);
}

static void tops(struct hp_point *points, size_t count) {
  struct hp_point *views[16];
  struct hp_error error;
  for (size_t i = 0; i < count; i++)
    views[i] = &points[i];
  assert_int_equal(hp_score_tops(views, count, &error), HP_OK);
}

static void tops_are_sorted_each_on_its_own(void **state) {
  (void)state;
  struct hp_point points[3] = {{.chunks = 1, .bytes = 900, .peak_bytes = 900},
                               {.chunks = 50, .bytes = 100, .peak_bytes = 2},
                               {.chunks = 2, .bytes = 20, .peak_bytes = 10}};
  tops(points, 3);
  assert_true(points[0].inferences[HP_INF_top_bytes].flagged);
  assert_false(points[0].inferences[HP_INF_top_chunks].flagged);
  assert_true(points[1].inferences[HP_INF_top_chunks].flagged);
  assert_int_equal(points[1].inferences[HP_INF_top_chunks].chunks, 50);
  assert_int_equal(points[1].inferences[HP_INF_top_chunks].bytes, 100);
  assert_int_equal(points[2].inferences[HP_INF_top_bytes].chunks, 0);
}

static void tops_of_equal_points_are_none(void **state) {
  (void)state;
  struct hp_point points[3] = {{.chunks = 4, .peak_bytes = 8},
                               {.chunks = 4, .peak_bytes = 8},
                               {.chunks = 4, .peak_bytes = 8}};
  tops(points, 3);
  for (int i = 0; i < 3; i++) {
    assert_false(points[i].inferences[HP_INF_top_bytes].flagged);
    assert_false(points[i].inferences[HP_INF_top_chunks].flagged);
  }
  tops(points, 1); /* a single point is above nothing */
  assert_false(points[0].inferences[HP_INF_top_bytes].flagged);
}

static void tops_with_ties_at_the_cut_are_all(void **state) {
  (void)state;
  struct hp_point points[4] = {{.chunks = 1, .peak_bytes = 1},
                               {.chunks = 1, .peak_bytes = 9},
                               {.chunks = 1, .peak_bytes = 9},
                               {.chunks = 1, .peak_bytes = 9}};
  tops(points, 4);
  assert_false(points[0].inferences[HP_INF_top_bytes].flagged);
  for (int i = 1; i < 4; i++)
    assert_true(points[i].inferences[HP_INF_top_bytes].flagged);
}

static void points_without_chunks_are_not_in_the_percentile(void **state) {
  (void)state;
  struct hp_point points[3] = {{.chunks = 5, .peak_bytes = 8},
                               {.chunks = 0, .peak_bytes = 0},
                               {.chunks = 5, .peak_bytes = 8}};
  tops(points, 3);
  assert_false(points[0].inferences[HP_INF_top_bytes].flagged);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(means_of_the_defined_scores),
      cmocka_unit_test(means_of_no_score_are_null),
      cmocka_unit_test(weights_count),
      cmocka_unit_test(cut_is_the_90th_percentile),
      cmocka_unit_test(tops_are_sorted_each_on_its_own),
      cmocka_unit_test(tops_of_equal_points_are_none),
      cmocka_unit_test(tops_with_ties_at_the_cut_are_all),
      cmocka_unit_test(points_without_chunks_are_not_in_the_percentile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
