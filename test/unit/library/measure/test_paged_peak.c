/* test_paged_peak.c - what of the requested bytes lies on touched pages, by hand.
   Small chunks share pages, so that all of them counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/paged_peak.h"

static uint64_t of_class(uint64_t chunks, uint64_t bytes, uint64_t span) {
  const struct hp_class_sum class = {
      .chunks = chunks, .bytes = bytes, .span = span};
  return hp_paged_class(&class);
}

static void small_chunks_count_whole(void **state) {
  (void)state;
  assert_int_equal(of_class(100, 100 * 4095, 0), 100 * 4095);
  assert_int_equal(of_class(0, 0, 0), 0);
}

static void of_larger_ones_a_page_more_than_was_accessed(void **state) {
  (void)state;
  assert_int_equal(of_class(200, 200 * 16384, 200 * 200), 200 * (200 + 4096));
  assert_int_equal(of_class(10, 10 * 65536, 0), 10 * 4096);
}

static void never_more_than_was_asked_for(void **state) {
  (void)state;
  assert_int_equal(of_class(10, 10 * 8192, 10 * 8000), 10 * 8192);
  assert_int_equal(of_class(2, UINT64_MAX, UINT64_MAX), UINT64_MAX);
}

static void pages_say_it_of_large_chunks(void **state) {
  (void)state;
  const struct hp_tally tally = {
      .chunks = 2,
      .bytes = 200 << 20,
      .touched = 200 << 20, /* the first and the last byte were accessed */
      .pages = {.chunks = 2, .bytes = 200 << 20, .touched = 8192}};
  assert_int_equal(hp_paged_touched(&tally), 8192);
}

static void others_are_told_by_their_accesses(void **state) {
  (void)state;
  const struct hp_tally tally = {
      .chunks = 3,
      .bytes = (1 << 20) + 20000,
      .touched = 4096 + 10000,
      .pages = {.chunks = 1, .bytes = 1 << 20, .touched = 4096}};
  assert_int_equal(hp_paged_touched(&tally), 4096 + 4096 + 10000);
}

static void unknown_accesses_may_have_been_anywhere(void **state) {
  (void)state;
  const struct hp_tally tally = {
      .chunks = 3,
      .bytes = (1 << 20) + 20000,
      .unknown_points = 1,
      .pages = {.chunks = 1, .bytes = 1 << 20, .touched = 4096}};
  assert_int_equal(hp_paged_touched(&tally), 4096 + 20000);
}

static void some_speak_for_others_that_have_pages(void **state) {
  (void)state;
  struct hp_tally tally = {
      .chunks = 1000,
      .bytes = 40960000,
      .unknown_points = 1,
      .sampled_pages = {.chunks = 8, .bytes = 8 * 40960, .touched = 8 * 4096}};
  assert_int_equal(hp_paged_touched(&tally), 4096000);
  tally.sampled_pages.chunks = 7; /* too few */
  assert_int_equal(hp_paged_touched(&tally), 40960000);
  /* Smaller than a page: others lie on the same one. */
  tally.sampled_pages =
      (struct hp_page_sum){.chunks = 8, .bytes = 8 * 600, .touched = 0};
  assert_int_equal(hp_paged_touched(&tally), 40960000);
}

static void a_share_is_exact_and_at_most_all(void **state) {
  (void)state;
  assert_int_equal(hp_paged_share(1000, 1, 3), 333);
  assert_int_equal(hp_paged_share(1000, 4, 3), 1000);
  assert_int_equal(hp_paged_share(1000, 0, 0), 0);
  assert_int_equal(hp_paged_share(UINT64_MAX, UINT64_MAX - 1, UINT64_MAX),
                   UINT64_MAX - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_chunks_count_whole),
      cmocka_unit_test(of_larger_ones_a_page_more_than_was_accessed),
      cmocka_unit_test(never_more_than_was_asked_for),
      cmocka_unit_test(pages_say_it_of_large_chunks),
      cmocka_unit_test(others_are_told_by_their_accesses),
      cmocka_unit_test(unknown_accesses_may_have_been_anywhere),
      cmocka_unit_test(some_speak_for_others_that_have_pages),
      cmocka_unit_test(a_share_is_exact_and_at_most_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
