/* test_metric.c - scores and counters of one point, by an exact clock.
   A test is named after its row of docs/metrics.md, with the number worked out by hand.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "measure/inference.h"
#include "metric_fixture.h"

/* ---- lifetime score -------------------------------------------------------- */

static void lifetime_one_group(void **state) {
  (void)state;
  /* 0-20, 5-25, 15-40: gaps 5 and 10; (20 + 20 + 25) / (3 * 40) */
  const struct hp_chunk_log chunks[] = {used(0, 20, 8), used(5, 25, 8),
                                        used(15, 40, 8)};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.lifetime, 65.0 / 120);
  assert_int_equal(p.groups, 1);
  assert_int_equal(p.singleton_groups, 0);
}

static void lifetime_gap_equal_to_tau_joins_and_greater_splits(void **state) {
  (void)state;
  const struct hp_chunk_log joined[] = {used(0, 4, 8), used(10, 14, 8)};
  TALLY(p, &plain, joined);
  assert_int_equal(p.groups, 1);
  ASSERT_NEAR(p.scores.lifetime, 8.0 / (2 * 14));
  const struct hp_chunk_log split[] = {used(0, 4, 8), used(11, 15, 8)};
  TALLY(q, &plain, split);
  assert_int_equal(q.groups, 2);
  assert_int_equal(q.singleton_groups, 2);
  ASSERT_NEAR(q.scores.lifetime, 1);
}

static void lifetime_gap_is_between_starts_not_from_an_end(void **state) {
  (void)state;
  /* The first chunk still lives when the second begins 50 later. */
  const struct hp_chunk_log chunks[] = {used(0, 100, 8), used(50, 60, 8)};
  TALLY(p, &plain, chunks);
  assert_int_equal(p.groups, 2);
}

static void lifetime_is_the_mean_of_groups_not_of_chunks(void **state) {
  (void)state;
  /* {0-10, 0-20}: 30 / 40; {1000-1001}: 1 */
  const struct hp_chunk_log chunks[] = {used(0, 10, 8), used(0, 20, 8),
                                        used(1000, 1001, 8)};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.lifetime, (0.75 + 1) / 2);
  assert_int_equal(p.singleton_groups, 1);
}

static void group_of_one_chunk_scores_one(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {used(7, 8, 8)};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.lifetime, 1);
}

static void tau_is_the_floor(void **state) {
  (void)state;
  assert_int_equal(hp_rules_tau(0.001, 999), 0);
  assert_int_equal(hp_rules_tau(0.001, 1000), 1);
  assert_int_equal(hp_rules_tau(0.001, 1999), 1);
  assert_int_equal(hp_rules_tau(0.01, 12345), 123);
  /* 0.29 * 100 = 28.999... in binary, 29 as it was meant. */
  assert_int_equal(hp_rules_tau(0.29, 100), 29);
  assert_int_equal(hp_rules_tau(1, 1000), 1000);
}

static void tau_of_zero_joins_only_equal_times(void **state) {
  (void)state;
  struct hp_rules rules = plain;
  rules.tau = 0;
  const struct hp_chunk_log chunks[] = {used(5, 9, 8), used(5, 9, 8),
                                        used(6, 9, 8)};
  TALLY(p, &rules, chunks);
  assert_int_equal(p.groups, 2);
}

/* ---- usage score ----------------------------------------------------------- */

static void usage_counts_read_and_written_bytes(void **state) {
  (void)state;
  struct hp_chunk_log half = used(0, 10, 100);
  half.lo = 25;
  half.hi = 75;
  const struct hp_chunk_log chunks[] = {half, used(0, 10, 300)};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.usage, 350.0 / 400);
  assert_int_equal(p.bytes_accessed, 350);
}

static void usage_of_write_only_is_zero(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {counted(0, 5, 0)};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.usage, 0);
}

static void usage_of_read_only_is_zero_but_not_if_zeroed(void **state) {
  (void)state;
  const struct hp_chunk_log raw[] = {counted(5, 0, 0)};
  TALLY(p, &plain, raw);
  ASSERT_NEAR(p.scores.usage, 0);
  const struct hp_chunk_log zeroed[] = {counted(5, 0, HP_CHUNK_ZEROED)};
  TALLY(q, &plain, zeroed);
  ASSERT_NEAR(q.scores.usage, 1);
}

static void usage_of_unused_is_zero_zeroed_or_not(void **state) {
  (void)state;
  struct hp_chunk_log zeroed = idle(0, 10, 8);
  zeroed.flags = HP_CHUNK_ZEROED;
  const struct hp_chunk_log chunks[] = {idle(0, 10, 8), zeroed};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.usage, 0);
}

static void access_beyond_the_size_is_clamped(void **state) {
  (void)state;
  struct hp_chunk_log over = used(0, 10, 10);
  over.lo = 4;
  over.hi = 16;
  over.flags = HP_CHUNK_OVERRUN;
  struct hp_chunk_log beyond = used(0, 10, 10);
  beyond.lo = 12;
  beyond.hi = 16;
  const struct hp_chunk_log chunks[] = {over, beyond};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.usage, 6.0 / 20);
  assert_int_equal(p.bytes_accessed, 6);
}

static void zero_size_request_is_counted_and_has_no_usage(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {idle(0, 10, 0), idle(1, 10, 0)};
  TALLY(p, &plain, chunks);
  assert_int_equal(p.chunks, 2);
  assert_int_equal(p.bytes, 0);
  assert_true(p.scores.usage == HP_NULL_SCORE);
  ASSERT_NEAR(p.scores.useful_lifetime, 0);
  assert_int_equal(held(&p, HP_INF_zero_size), 2);
  assert_true(p.inferences[HP_INF_zero_size].flagged);
  assert_true(p.size.defined);
  assert_int_equal(p.size.max, 0);
}

/* ---- useful lifetime ------------------------------------------------------- */

static void useful_lifetime_is_the_mean_over_all_chunks(void **state) {
  (void)state;
  struct hp_chunk_log start = used(0, 100, 8); /* used 10 of 100 */
  start.last = 10;
  struct hp_chunk_log end = used(0, 100, 8); /* used 75 of 100 */
  end.first = 25;
  const struct hp_chunk_log chunks[] = {start, end, idle(0, 100, 8)};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, (0.1 + 0.75 + 0) / 3);
  ASSERT_NEAR(p.scores.useful_lifetime_error, 0);
}

static void useful_lifetime_of_a_single_access_is_one_tick(void **state) {
  (void)state;
  struct hp_chunk_log once = used(0, 50, 8);
  once.first = once.last = 20;
  const struct hp_chunk_log chunks[] = {once};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, 1.0 / 50);
}

static void clock_going_backwards_never_leaves_the_unit_interval(void **state) {
  (void)state;
  struct hp_chunk_log back = used(100, 90, 8); /* freed before allocated */
  back.first = 80;
  back.last = 120;
  const struct hp_chunk_log chunks[] = {back, used(101, 95, 8)};
  TALLY(p, &plain, chunks);
  /* dur = 1 for both; the group spans dur(100, 95) = 1 */
  ASSERT_NEAR(p.scores.lifetime, 1);
  ASSERT_NEAR(p.scores.useful_lifetime, 1);
  assert_int_equal(p.lifetime_ns.max, 1);
}

/* ---- traps ----------------------------------------------------------------- */

static void point_without_chunks_has_null_scores(void **state) {
  (void)state;
  const struct hp_point p = measure(NULL, 0, &plain);
  assert_true(p.scores.lifetime == HP_NULL_SCORE);
  assert_true(p.scores.usage == HP_NULL_SCORE);
  assert_true(p.scores.useful_lifetime == HP_NULL_SCORE);
  assert_true(p.severity == HP_NULL_SCORE);
  assert_int_equal(p.colour, -1);
  assert_false(p.size.defined);
  assert_false(p.lifetime_ns.defined);
  for (int i = 0; i < HP_INF_COUNT; i++)
    assert_false(p.inferences[i].flagged);
}

static void no_score_is_ever_nan(void **state) {
  (void)state;
  static const uint64_t odd[] = {0, 1, 1ull << 33, INT64_MAX};
  for (size_t a = 0; a < 4; a++)
    for (size_t b = 0; b < 4; b++)
      for (size_t c = 0; c < 4; c++)
        for (uint32_t flags = 0; flags < 64; flags++) {
          struct hp_chunk_log chunk = used(odd[a], odd[b], odd[c]);
          chunk.flags = flags;
          chunk.step = flags & 1 ? 0 : 10;
          const struct hp_chunk_log chunks[] = {chunk, idle(odd[b], odd[a], 0)};
          TALLY(p, flags & 1 ? &plain : &coarse, chunks);
          const double all[] = {p.scores.lifetime, p.scores.usage,
                                p.scores.useful_lifetime, p.severity};
          for (size_t i = 0; i < 4; i++)
            assert_true(all[i] == HP_NULL_SCORE ||
                        (all[i] >= 0 && all[i] <= 1));
          assert_in_range(p.colour, 0, 11);
          assert_true(p.scores.useful_lifetime_error >= 0 &&
                      p.scores.useful_lifetime_error <= 1);
        }
}

static void counters_saturate_and_say_so(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {counted(UINT64_MAX, 1, 0),
                                        counted(5, 1, 0)};
  TALLY(p, &plain, chunks);
  assert_true(p.reads == UINT64_MAX);
  assert_int_equal(p.writes, 2);
  assert_true(p.counts_saturated);
  const struct hp_chunk_log sums[] = {counted(1, UINT64_MAX - 1, 0),
                                      counted(1, 2, 0)};
  TALLY(q, &plain, sums);
  assert_true(q.writes == UINT64_MAX);
  assert_true(q.counts_saturated);
  const struct hp_chunk_log below[] = {counted(UINT64_MAX - 1, 1, 0)};
  TALLY(r, &plain, below);
  assert_false(r.counts_saturated);
}

static void chunks_above_4_gib_are_whole(void **state) {
  (void)state;
  const uint64_t big = (5ull << 30) + 3;
  struct hp_chunk_log far = used(0, 100, big);
  far.lo = big - 1;
  far.hi = big;
  const struct hp_chunk_log chunks[] = {far, used(0, 100, big)};
  TALLY(p, &plain, chunks);
  assert_int_equal(p.bytes, 2 * big);
  assert_int_equal(p.bytes_accessed, big + 1);
  ASSERT_NEAR(p.scores.usage, ((double)big + 1) / (2.0 * (double)big));
  assert_int_equal(p.size.min, big);
  ASSERT_NEAR(p.size.mean, (double)big);
}

static void bytes_saturate(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {used(0, 100, UINT64_MAX),
                                        used(0, 100, UINT64_MAX)};
  TALLY(p, &plain, chunks);
  assert_true(p.bytes == UINT64_MAX);
  assert_true(p.size.mean > 1.8e19);
  ASSERT_NEAR(p.scores.usage, 1);
}

static void lifetimes_are_of_ended_chunks_only(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {used(0, 30, 8), used(0, 50, 8),
                                        living(used(0, 10000, 8))};
  TALLY(p, &plain, chunks);
  assert_int_equal(p.lifetime_ns.min, 30);
  assert_int_equal(p.lifetime_ns.max, 50);
  ASSERT_NEAR(p.lifetime_ns.mean, 40);
  const struct hp_chunk_log none[] = {living(used(0, 10000, 8))};
  TALLY(q, &plain, none);
  assert_false(q.lifetime_ns.defined);
}

static void lifetimes_are_converted_from_ticks(void **state) {
  (void)state;
  assert_int_equal(hp_ticks_to_ns(3000, 3000000000u), 1000);
  assert_int_equal(hp_ticks_to_ns(1, 3000000000u), 0);
  assert_true(hp_ticks_to_ns(UINT64_MAX, 1) == UINT64_MAX);
}

static void realloc_ends_a_chunk_like_a_free(void **state) {
  (void)state;
  struct hp_chunk_log grown = used(0, 30, 8);
  grown.flags = HP_CHUNK_REALLOC;
  const struct hp_chunk_log chunks[] = {grown, used(30, 40, 16)};
  TALLY(p, &plain, chunks);
  assert_int_equal(p.chunks, 2);
  assert_int_equal(p.live_chunks, 0);
  assert_int_equal(p.lifetime_ns.max, 30);
}

static void live_chunks_take_part_in_the_scores(void **state) {
  (void)state;
  struct hp_chunk_log live = living(used(0, 10000, 100));
  live.last = 100;
  const struct hp_chunk_log chunks[] = {live};
  TALLY(p, &plain, chunks);
  ASSERT_NEAR(p.scores.useful_lifetime, 0.01);
  assert_int_equal(p.live_chunks, 1);
  assert_int_equal(p.live_bytes, 100);
  assert_int_equal(held(&p, HP_INF_never_freed), 1);
  assert_int_equal(held(&p, HP_INF_freed_late), 0);
}

static void exclude_live_leaves_them_out_of_the_scores_only(void **state) {
  (void)state;
  struct hp_rules rules = plain;
  rules.exclude_live = true;
  const struct hp_chunk_log chunks[] = {living(idle(0, 10000, 100)),
                                        used(5, 25, 8)};
  TALLY(p, &rules, chunks);
  ASSERT_NEAR(p.scores.lifetime, 1);
  ASSERT_NEAR(p.scores.usage, 1);
  ASSERT_NEAR(p.scores.useful_lifetime, 1);
  assert_int_equal(p.groups, 1);
  assert_int_equal(p.chunks, 2);
  assert_int_equal(held(&p, HP_INF_unused), 1);
  const struct hp_chunk_log only[] = {living(idle(0, 10000, 100))};
  TALLY(q, &rules, only);
  assert_true(q.scores.lifetime == HP_NULL_SCORE);
  assert_true(q.scores.usage == HP_NULL_SCORE);
  assert_true(q.scores.useful_lifetime == HP_NULL_SCORE);
}

static void memoro_compat_changes_the_usage_score(void **state) {
  (void)state;
  struct hp_rules rules = plain;
  rules.memoro_compat = true;
  struct hp_chunk_log half = counted(0, 3, 0); /* write-only, half of it */
  half.hi = 4;
  const struct hp_chunk_log chunks[] = {idle(0, 100, 1000), half};
  TALLY(p, &rules, chunks);
  ASSERT_NEAR(p.scores.usage, 0.5);
  const struct hp_chunk_log unused[] = {idle(0, 100, 1000)};
  TALLY(q, &rules, unused);
  assert_true(q.scores.usage == HP_NULL_SCORE);
}

/* ---- severity -------------------------------------------------------------- */

static void severity_is_the_floored_geometric_mean(void **state) {
  (void)state;
  const struct hp_scores all = {1, 0.25, 0, 0};
  ASSERT_NEAR(hp_severity(&all), cbrt(1 * 0.25 * 0.01));
  const struct hp_scores some = {0.16, HP_NULL_SCORE, 1, 0};
  ASSERT_NEAR(hp_severity(&some), 0.4);
}

static void colour_has_twelve_steps(void **state) {
  (void)state;
  assert_int_equal(hp_colour(1), 0);
  assert_int_equal(hp_colour(0.01), 11);
  assert_int_equal(hp_colour(0.5), 6); /* 5.5 rounds up */
  assert_int_equal(hp_colour(0.95), 1);
  assert_int_equal(hp_colour(HP_NULL_SCORE), -1);
}

static void names_and_texts_of_inferences(void **state) {
  (void)state;
  assert_string_equal(hp_inference_name(HP_INF_write_only), "write_only");
  assert_string_equal(hp_inference_text(HP_INF_never_freed), "live at the end");
  assert_null(hp_inference_name(HP_INF_COUNT));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lifetime_one_group),
      cmocka_unit_test(lifetime_gap_equal_to_tau_joins_and_greater_splits),
      cmocka_unit_test(lifetime_gap_is_between_starts_not_from_an_end),
      cmocka_unit_test(lifetime_is_the_mean_of_groups_not_of_chunks),
      cmocka_unit_test(group_of_one_chunk_scores_one),
      cmocka_unit_test(tau_is_the_floor),
      cmocka_unit_test(tau_of_zero_joins_only_equal_times),
      cmocka_unit_test(usage_counts_read_and_written_bytes),
      cmocka_unit_test(usage_of_write_only_is_zero),
      cmocka_unit_test(usage_of_read_only_is_zero_but_not_if_zeroed),
      cmocka_unit_test(usage_of_unused_is_zero_zeroed_or_not),
      cmocka_unit_test(access_beyond_the_size_is_clamped),
      cmocka_unit_test(zero_size_request_is_counted_and_has_no_usage),
      cmocka_unit_test(useful_lifetime_is_the_mean_over_all_chunks),
      cmocka_unit_test(useful_lifetime_of_a_single_access_is_one_tick),
      cmocka_unit_test(clock_going_backwards_never_leaves_the_unit_interval),
      cmocka_unit_test(point_without_chunks_has_null_scores),
      cmocka_unit_test(no_score_is_ever_nan),
      cmocka_unit_test(counters_saturate_and_say_so),
      cmocka_unit_test(chunks_above_4_gib_are_whole),
      cmocka_unit_test(bytes_saturate),
      cmocka_unit_test(lifetimes_are_of_ended_chunks_only),
      cmocka_unit_test(lifetimes_are_converted_from_ticks),
      cmocka_unit_test(realloc_ends_a_chunk_like_a_free),
      cmocka_unit_test(live_chunks_take_part_in_the_scores),
      cmocka_unit_test(exclude_live_leaves_them_out_of_the_scores_only),
      cmocka_unit_test(memoro_compat_changes_the_usage_score),
      cmocka_unit_test(severity_is_the_floored_geometric_mean),
      cmocka_unit_test(colour_has_twelve_steps),
      cmocka_unit_test(names_and_texts_of_inferences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
