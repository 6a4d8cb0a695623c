/* test_inference.c - every row of the table of inferences in docs/metrics.md.
   Numbers are worked out by hand; a test is named after its row.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "measure/inference.h"
#include "metric_fixture.h"

/* ---- inferences ---------------------------------------------------------- */

static void unused_write_only_read_only(void **state) {
  (void)state;
  struct hp_chunk_log zeroed = idle(0, 100, 8);
  zeroed.flags = HP_CHUNK_ZEROED;
  const struct hp_chunk_log chunks[] = {
      idle(0, 100, 7),  zeroed,
      counted(0, 2, 0), counted(0, 2, HP_CHUNK_ZEROED),
      counted(2, 0, 0), counted(2, 0, HP_CHUNK_ZEROED),
      counted(1, 1, 0),
  };
  TALLY(p, &plain, chunks);
  assert_int_equal(held(&p, HP_INF_unused), 1);
  assert_int_equal(p.inferences[HP_INF_unused].bytes, 7);
  assert_int_equal(held(&p, HP_INF_write_only), 2);
  assert_int_equal(held(&p, HP_INF_read_only), 1);
  assert_false(p.inferences[HP_INF_unused].flagged);
}

static void share_inferences_are_flagged_at_half(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {idle(0, 100, 8), counted(1, 1, 0)};
  TALLY(p, &plain, chunks);
  assert_true(p.inferences[HP_INF_unused].flagged);
  const struct hp_chunk_log third[] = {idle(0, 100, 8), counted(1, 1, 0),
                                       counted(1, 1, 0)};
  TALLY(q, &plain, third);
  assert_false(q.inferences[HP_INF_unused].flagged);
}

static void short_lived_is_strictly_below_the_bound(void **state) {
  (void)state;
  struct hp_rules rules = plain;
  rules.short_ticks = hp_rules_short_ticks(1000, 2000000000);
  assert_int_equal(rules.short_ticks, 2000);
  assert_int_equal(hp_rules_short_ticks(1, 1500000000), 2); /* 1.5 ticks */
  const struct hp_chunk_log chunks[] = {used(0, 1999, 8), used(0, 2000, 8)};
  TALLY(p, &rules, chunks);
  assert_int_equal(held(&p, HP_INF_short_lived), 1);
}

static void allocated_early_is_over_half_the_lifetime(void **state) {
  (void)state;
  struct hp_chunk_log half = used(0, 100, 8);
  half.first = 50;
  struct hp_chunk_log early = used(0, 100, 8);
  early.first = 51;
  const struct hp_chunk_log chunks[] = {half, early, idle(0, 100, 8)};
  TALLY(p, &plain, chunks);
  assert_int_equal(held(&p, HP_INF_allocated_early), 1);
  /* half of the accessed chunks; the idle one does not count */
  assert_true(p.inferences[HP_INF_allocated_early].flagged);
}

static void freed_late_is_over_half_and_never_live(void **state) {
  (void)state;
  struct hp_chunk_log half = used(0, 100, 8);
  half.last = 50;
  struct hp_chunk_log late = used(0, 100, 8);
  late.last = 49;
  const struct hp_chunk_log chunks[] = {half, late, living(late)};
  TALLY(p, &plain, chunks);
  assert_int_equal(held(&p, HP_INF_freed_late), 1);
  assert_false(p.inferences[HP_INF_freed_late].flagged);
}

static void low_coverage_is_below_half(void **state) {
  (void)state;
  struct hp_chunk_log half = used(0, 100, 9);
  half.hi = 5;
  struct hp_chunk_log low = used(0, 100, 9);
  low.hi = 4;
  const struct hp_chunk_log chunks[] = {half, low, idle(0, 100, 9)};
  TALLY(p, &plain, chunks);
  assert_int_equal(held(&p, HP_INF_low_coverage), 1);
  assert_int_equal(p.inferences[HP_INF_low_coverage].bytes, 9);
  assert_true(p.inferences[HP_INF_low_coverage].flagged);
}

static void low_coverage_skips_zero_size(void **state) {
  (void)state;
  struct hp_chunk_log empty = used(0, 100, 0);
  empty.hi = 3;
  const struct hp_chunk_log chunks[] = {empty};
  TALLY(p, &plain, chunks);
  assert_int_equal(held(&p, HP_INF_low_coverage), 0);
  assert_false(p.inferences[HP_INF_low_coverage].flagged);
}

static void multithread_and_freed_elsewhere(void **state) {
  (void)state;
  struct hp_chunk_log shared = used(0, 100, 8);
  shared.flags = HP_CHUNK_MULTITHREAD;
  struct hp_chunk_log given = used(0, 100, 8);
  given.free_thread = 2;
  const struct hp_chunk_log chunks[] = {shared, given, living(used(0, 100, 8))};
  TALLY(p, &plain, chunks);
  assert_int_equal(p.multithread_chunks, 1);
  assert_int_equal(p.freed_elsewhere, 1);
  assert_true(p.inferences[HP_INF_multithread].flagged);
  assert_true(p.inferences[HP_INF_freed_elsewhere].flagged);
}

/* Of sizes that ascend each takes over from the one before; those of 0 are not
   among them. */
static struct hp_point sizes(size_t count, const uint64_t *size) {
  struct hp_chunk_log chunks[16];
  struct hp_chunk_log before = {.chain_length = 0};
  for (size_t i = 0; i < count; i++) {
    chunks[i] = used(i, 100 + i, size[i]);
    struct hp_chunk_log *c = &chunks[i];
    if (size[i] == 0)
      continue;
    c->chain_length = 1;
    if (before.chain_length && size[i] > before.size) {
      c->flags |= HP_CHUNK_GROWN;
      c->chain_length = before.chain_length + 1;
      c->chain_first =
          before.chain_length > 1 ? before.chain_first : before.size;
      c->chain_bytes = c->chain_copied = before.chain_copied + before.size;
      c->copied = before.size;
    }
    before = *c;
    if (c->chain_length == 1)
      before.chain_copied = 0;
  }
  return measure(chunks, count, &plain);
}
#define SIZES(...)                                                             \
  sizes(sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                  \
        (uint64_t[]){__VA_ARGS__})

static void growing_needs_four_sizes(void **state) {
  (void)state;
  struct hp_point p = SIZES(1, 2, 3);
  assert_int_equal(p.growth.length, 0);
  assert_false(p.inferences[HP_INF_growing].flagged);
  p = SIZES(1, 2, 4, 8);
  assert_int_equal(p.growth.length, 4);
  assert_int_equal(p.growth.first_size, 1);
  assert_int_equal(p.growth.last_size, 8);
  assert_true(p.inferences[HP_INF_growing].flagged);
  assert_int_equal(held(&p, HP_INF_growing), 4);
  assert_int_equal(p.inferences[HP_INF_growing].bytes, 15);
}

static void growing_copies_are_all_sizes_but_the_last(void **state) {
  (void)state;
  const struct hp_point p = SIZES(16, 32, 64, 128, 256);
  assert_int_equal(p.growth.copied_bytes, 16 + 32 + 64 + 128);
}

static void growing_run_open_at_the_end_counts(void **state) {
  (void)state;
  const struct hp_point p = SIZES(9, 5, 6, 7, 8);
  assert_int_equal(p.growth.length, 4);
  assert_int_equal(p.growth.first_size, 5);
}

static void growing_skips_zero_sizes(void **state) {
  (void)state;
  const struct hp_point p = SIZES(0, 1, 0, 2, 0, 3, 4, 0);
  assert_int_equal(p.growth.length, 4);
  assert_int_equal(held(&p, HP_INF_growing), 4);
}

static void growing_is_strict(void **state) {
  (void)state;
  const struct hp_point p = SIZES(1, 2, 2, 3, 4);
  assert_int_equal(p.growth.length, 0);
}

static void growing_reports_the_longest_run_and_counts_all(void **state) {
  (void)state;
  const struct hp_point p = SIZES(1, 2, 3, 4, 5, 1, 10, 20, 30);
  assert_int_equal(p.growth.length, 5);
  assert_int_equal(p.growth.last_size, 5);
  assert_int_equal(held(&p, HP_INF_growing), 9);
}

static void growing_of_equal_runs_reports_the_costlier(void **state) {
  (void)state;
  const struct hp_point p = SIZES(1, 2, 3, 4, 1, 10, 20, 30);
  assert_int_equal(p.growth.last_size, 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unused_write_only_read_only),
      cmocka_unit_test(share_inferences_are_flagged_at_half),
      cmocka_unit_test(short_lived_is_strictly_below_the_bound),
      cmocka_unit_test(allocated_early_is_over_half_the_lifetime),
      cmocka_unit_test(freed_late_is_over_half_and_never_live),
      cmocka_unit_test(low_coverage_is_below_half),
      cmocka_unit_test(low_coverage_skips_zero_size),
      cmocka_unit_test(multithread_and_freed_elsewhere),
      cmocka_unit_test(growing_needs_four_sizes),
      cmocka_unit_test(growing_copies_are_all_sizes_but_the_last),
      cmocka_unit_test(growing_run_open_at_the_end_counts),
      cmocka_unit_test(growing_skips_zero_sizes),
      cmocka_unit_test(growing_is_strict),
      cmocka_unit_test(growing_reports_the_longest_run_and_counts_all),
      cmocka_unit_test(growing_of_equal_runs_reports_the_costlier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
