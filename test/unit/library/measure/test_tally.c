/* test_tally.c - groups of points: scores over the union of their chunks.
   A test is named after its row of docs/metrics.md, with the number worked out by hand.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "metric_fixture.h"

static void group_scores_are_over_the_union(void **state) {
  (void)state;
  const struct hp_chunk_log a[] = {used(0, 10, 8), used(0, 20, 8)};
  const struct hp_chunk_log b[] = {idle(0, 10, 24), used(500, 600, 8),
                                   idle(900, 910, 16)};
  struct hp_tally one, two, sum = {0};
  tally_chunks(&one, a, 2, &plain);
  tally_chunks(&two, b, 3, &plain);
  hp_tally_add(&sum, &one);
  hp_tally_add(&sum, &two);
  struct hp_point p = {0};
  hp_tally_finish(&sum, &p);
  assert_int_equal(p.chunks, 5);
  assert_int_equal(p.groups, 4);
  /* groups: 0.75 of a; 1, 1, 1 of b */
  ASSERT_NEAR(p.scores.lifetime, 3.75 / 4);
  ASSERT_NEAR(p.scores.usage, 24.0 / 64);
  ASSERT_NEAR(p.scores.useful_lifetime, 3.0 / 5);
  assert_int_equal(p.size.min, 8);
  assert_int_equal(p.size.max, 24);
  ASSERT_NEAR(p.size.mean, 64.0 / 5);
  assert_int_equal(held(&p, HP_INF_unused), 2);
}

static void group_of_nothing_is_null(void **state) {
  (void)state;
  struct hp_tally sum = {0}, empty;
  tally_chunks(&empty, NULL, 0, &plain);
  hp_tally_add(&sum, &empty);
  struct hp_point p = {0};
  hp_tally_finish(&sum, &p);
  assert_true(p.scores.lifetime == HP_NULL_SCORE);
  assert_false(p.size.defined);
}

static void group_lends_a_sample_to_points_without_one(void **state) {
  (void)state;
  /* b has no sample of its own and takes a's mean, 0.3, at full error. */
  const struct hp_chunk_log a[] = {active(0, 100, 0, 0),
                                   active(1, 100, 20, HP_CHUNK_EXACT),
                                   active(2, 100, 40, HP_CHUNK_EXACT)};
  const struct hp_chunk_log b[] = {active(0, 100, 0, 0)};
  struct hp_tally one, two, sum = {0};
  tally_chunks(&one, a, 3, &coarse);
  tally_chunks(&two, b, 1, &coarse);
  hp_tally_add(&sum, &two);
  hp_tally_add(&sum, &one);
  struct hp_point p = {0};
  hp_tally_finish(&sum, &p);
  ASSERT_NEAR(p.scores.useful_lifetime, (0.2 + 0.4 + 0.3 + 0.3) / 4);
  /* One chunk in two may be unlike both of a's: error 1, too. */
  ASSERT_NEAR(p.scores.useful_lifetime_error, (1.0 + 1) / 4);
}

static void a_weight_counts_as_so_many_chunks(void **state) {
  (void)state;
  struct hp_chunk_log thinned[] = {used(0, 100, 8), idle(3, 103, 24)};
  thinned[1].weight = 3;
  const struct hp_chunk_log all[] = {used(0, 100, 8), idle(3, 103, 24),
                                     idle(3, 103, 24), idle(3, 103, 24)};
  TALLY(p, &plain, thinned);
  TALLY(q, &plain, all);
  assert_memory_equal(&p, &q, sizeof p);
  assert_int_equal(p.chunks, 4);
  ASSERT_NEAR(p.scores.usage, 8.0 / 80);
}

/* One chunk of 30 bytes that was read half, and two of 70 bytes in all that no
   dump looked at: they live, and neither were used nor were not. */
static void unseen_chunks_are_unknown(void **state) {
  (void)state;
  struct hp_class_sum classes[] = {
      {HP_CLASS_READ | HP_CLASS_WRITTEN | HP_CLASS_JUDGED, 1, 30, 15},
      {HP_CLASS_READ | HP_CLASS_WRITTEN | HP_CLASS_LIVE | HP_CLASS_UNKNOWN, 2,
       70, 70}};
  struct hp_summary partly = {
      .chunks = 3, .bytes = 100, .classes = classes, .class_count = 2};
  struct hp_tally tally;
  struct hp_point p = {0};
  hp_tally_summary(&tally, &partly, &plain);
  hp_tally_finish(&tally, &p);
  assert_true(p.accesses_known);
  assert_int_equal(p.unknown_chunks, 2);
  assert_int_equal(p.live_chunks, 2);
  assert_int_equal(p.inferences[HP_INF_never_freed].bytes, 70);
  ASSERT_NEAR(p.scores.usage, 0.5);
  assert_int_equal(p.bytes_accessed, 15);

  struct hp_summary none = partly;
  none.classes++;
  none.class_count--;
  none.chunks = 2;
  none.bytes = 70;
  hp_tally_summary(&tally, &none, &plain);
  hp_tally_finish(&tally, &p);
  assert_false(p.accesses_known);
  assert_int_equal(p.unknown_chunks, 2);
  assert_int_equal(p.live_chunks, 2);
  ASSERT_NEAR(p.scores.usage, HP_NULL_SCORE);
  ASSERT_NEAR(p.scores.useful_lifetime, HP_NULL_SCORE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(group_scores_are_over_the_union),
      cmocka_unit_test(group_of_nothing_is_null),
      cmocka_unit_test(group_lends_a_sample_to_points_without_one),
      cmocka_unit_test(a_weight_counts_as_so_many_chunks),
      cmocka_unit_test(unseen_chunks_are_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
