/* test_coarse_clock.c - useful lifetimes where accesses read the coarse clock.
   A test is named after its row of docs/metrics.md, with the number worked out by hand.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "metric_fixture.h"

static void coarse_without_unknown_is_the_plain_mean(void **state) {
  (void)state;
  /* 100 of 200, known with error 10/200; 50 of 100, exact; never accessed */
  const struct hp_chunk_log chunks[] = {active(0, 200, 100, 0),
                                        active(1, 100, 50, HP_CHUNK_EXACT),
                                        idle(2, 5, 8)};
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, (0.5 + 0.5 + 0) / 3);
  ASSERT_NEAR(p.scores.useful_lifetime_error, 0.05 / 3);
}

static void coarse_boundary_of_known_is_twenty_ticks(void **state) {
  (void)state;
  const struct hp_chunk_log known[] = {active(0, 200, 100, 0)};
  TALLY(p, &coarse, known);
  ASSERT_NEAR(p.scores.useful_lifetime, 0.5);
  const struct hp_chunk_log unknown[] = {active(0, 199, 100, 0)};
  TALLY(q, &coarse, unknown);
  assert_true(q.scores.useful_lifetime == HP_NULL_SCORE);
}

static void coarse_without_a_sample_is_null_with_error_one(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {active(0, 50, 0, 0),
                                        active(1, 400, 400, 0)};
  TALLY(p, &coarse, chunks);
  assert_true(p.scores.useful_lifetime == HP_NULL_SCORE);
  ASSERT_NEAR(p.scores.useful_lifetime_error, 1);
}

static void coarse_sample_is_taken_behind_the_first_64(void **state) {
  (void)state;
  /* The exact chunks in front (a = 1) are no random choice and stay out of the
     sample; the eight behind have a = 0.2 and 0.4. */
  struct hp_chunk_log chunks[74];
  for (uint64_t i = 0; i < 64; i++)
    chunks[i] = active(i, 100, 100, HP_CHUNK_EXACT);
  for (uint64_t i = 64; i < 72; i++)
    chunks[i] = active(i, 100, i % 2 ? 20 : 40, HP_CHUNK_EXACT);
  chunks[72] = chunks[73] = active(73, 100, 0, 0);
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, (64 + 8 * 0.3 + 2 * 0.3) / 74);
  /* 0.1 from the mean, each: variance 8 * 0.01 / 7; for 2 of 74 */
  ASSERT_NEAR(p.scores.useful_lifetime_error,
              2 * 2 * sqrt(0.08 / 7 / 8 + 1.0 / 64) / 74);
}

static void coarse_sample_that_is_all_alike_has_an_error(void **state) {
  (void)state;
  struct hp_chunk_log chunks[11];
  for (uint64_t i = 0; i < 10; i++)
    chunks[i] = active(i, 100, 20, HP_CHUNK_EXACT);
  chunks[10] = active(10, 100, 0, 0);
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, 0.2);
  ASSERT_NEAR(p.scores.useful_lifetime_error, 2.0 / 10 / 11);
}

static void coarse_sample_falls_back_to_all_exact(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {active(0, 100, 60, HP_CHUNK_EXACT),
                                        active(1, 100, 0, 0)};
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, 0.6);
  /* A sample of one bounds nothing. */
  ASSERT_NEAR(p.scores.useful_lifetime_error, 0.5);
}

static void coarse_long_exact_chunks_are_no_sample(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {active(0, 100, 0, 0),
                                        active(1, 500, 500, HP_CHUNK_EXACT)};
  TALLY(p, &coarse, chunks);
  assert_true(p.scores.useful_lifetime == HP_NULL_SCORE);
}

static void coarse_reallocated_chunks_are_no_sample(void **state) {
  (void)state;
  /* Both reallocated ones are exact and used to the end; 0.2 speaks for the
     unknown chunk. */
  const unsigned grown = HP_CHUNK_EXACT | HP_CHUNK_REALLOC;
  const struct hp_chunk_log chunks[] = {
      active(0, 100, 0, 0), active(1, 100, 100, grown),
      active(2, 100, 20, HP_CHUNK_EXACT), active(3, 100, 100, grown)};
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, (0.2 + 1 + 0.2 + 1) / 4);
}

static void coarse_aged_chunks_are_in_the_sample(void **state) {
  (void)state;
  /* By the coarse clock with error 10/100: 0.8; exactly: 0.2. */
  struct hp_chunk_log chunks[9] = {active(0, 100, 0, 0)};
  for (uint64_t i = 1; i < 9; i++)
    chunks[i] = i % 2 ? active(i, 100, 80, HP_CHUNK_AGED)
                      : active(i, 100, 20, HP_CHUNK_EXACT);
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, 0.5);
  /* 0.3 from the mean, each: variance 8 * 0.09 / 7; and 0.1 of every other */
  ASSERT_NEAR(p.scores.useful_lifetime_error,
              (2 * sqrt(0.72 / 7 / 8 + 1.0 / 64) + 0.05 + 4 * 0.1) / 9);
}

static void coarse_aged_chunks_alone_are_known_with_an_error(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {active(0, 100, 80, HP_CHUNK_AGED),
                                        active(1, 9, 3, HP_CHUNK_AGED)};
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, (0.8 + 3.0 / 9) / 2);
  ASSERT_NEAR(p.scores.useful_lifetime_error, (0.1 + 1) / 2);
}

static void coarse_step_of_unknown_length_trusts_only_exact(void **state) {
  (void)state;
  const uint64_t long_life = 100ull * UINT32_MAX;
  struct hp_chunk_log chunks[] = {active(0, long_life, 4500, 0)};
  chunks[0].step = UINT32_MAX;
  TALLY(p, &coarse, chunks);
  assert_true(p.scores.useful_lifetime == HP_NULL_SCORE);
}

static void coarse_error_is_at_most_one(void **state) {
  (void)state;
  /* sample {0.01, 1}: 2 sqrt(0.99^2 / 4 + 1 / 4) > 1 */
  const struct hp_chunk_log chunks[] = {active(0, 100, 0, 0),
                                        active(1, 100, 1, HP_CHUNK_EXACT),
                                        active(2, 100, 100, HP_CHUNK_EXACT)};
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, (0.505 + 0.01 + 1) / 3);
  ASSERT_NEAR(p.scores.useful_lifetime_error, 1.0 / 3);
}

static void coarse_freed_late_counts_only_sure_verdicts(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {
      active(0, 30, 16, 0), /* 14 of 30 after the last: never late */
      active(1, 30, 10, 0), /* 20 of 30, or 10 of 30 at worst: not counted */
      active(2, 30, 2, 0),  /* 28, at worst 18 of 30: late */
      active(3, 200, 95, 0) /* known: 105 of 200: late */
  };
  TALLY(p, &coarse, chunks);
  assert_int_equal(held(&p, HP_INF_freed_late), 2);
  assert_true(p.inferences[HP_INF_freed_late].flagged); /* 2 of 3 judged */
}

static void without_a_coarse_clock_all_are_exact(void **state) {
  (void)state;
  struct hp_chunk_log chunks[] = {active(0, 100, 30, 0)};
  chunks[0].step = 0;
  TALLY(p, &coarse, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, 0.3);
  ASSERT_NEAR(p.scores.useful_lifetime_error, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coarse_without_unknown_is_the_plain_mean),
      cmocka_unit_test(coarse_boundary_of_known_is_twenty_ticks),
      cmocka_unit_test(coarse_without_a_sample_is_null_with_error_one),
      cmocka_unit_test(coarse_sample_is_taken_behind_the_first_64),
      cmocka_unit_test(coarse_sample_that_is_all_alike_has_an_error),
      cmocka_unit_test(coarse_sample_falls_back_to_all_exact),
      cmocka_unit_test(coarse_long_exact_chunks_are_no_sample),
      cmocka_unit_test(coarse_reallocated_chunks_are_no_sample),
      cmocka_unit_test(coarse_aged_chunks_are_in_the_sample),
      cmocka_unit_test(coarse_aged_chunks_alone_are_known_with_an_error),
      cmocka_unit_test(coarse_step_of_unknown_length_trusts_only_exact),
      cmocka_unit_test(coarse_error_is_at_most_one),
      cmocka_unit_test(coarse_freed_late_counts_only_sure_verdicts),
      cmocka_unit_test(without_a_coarse_clock_all_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
