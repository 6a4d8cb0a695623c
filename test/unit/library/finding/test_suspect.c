/* test_suspect.c - suspect.h: whether chunks follow each other, whatever waits for a processor.
   Groups of the lifetime score are those of a run that waited.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "finding/suspect.h"

static struct hp_point point_of(double lifetime, uint64_t groups,
                                uint64_t single) {
  struct hp_point p = {.chunks = 312,
                       .bytes = 312,
                       .peak_bytes = 2,
                       .groups = groups,
                       .singleton_groups = single,
                       .scores = {.lifetime = lifetime}};
  p.inferences[HP_INF_short_lived].flagged = true;
  return p;
}

static void a_first_chunk_that_waits_is_none_of_many(void **state) {
  (void)state;
  const struct hp_point at_once = point_of(0.004, 1, 0);
  assert_true(hp_point_follows_itself(&at_once));
  const struct hp_point waited = point_of((1 + 0.004) / 2, 2, 1);
  assert_true(hp_point_follows_itself(&waited));
  const struct hp_point often = point_of((2 + 0.004) / 3, 3, 2);
  assert_true(hp_point_follows_itself(&often));
}

static void chunks_that_live_apart_follow_nothing(void **state) {
  (void)state;
  const struct hp_point alone = point_of(1, 312, 312);
  assert_false(hp_point_follows_itself(&alone));
  const struct hp_point many = point_of(0.55, 100, 50);
  assert_false(hp_point_follows_itself(&many));
  const struct hp_point together = point_of(0.9, 10, 1);
  assert_false(hp_point_follows_itself(&together));
  const struct hp_point none = point_of(HP_NULL_SCORE, 0, 0);
  assert_false(hp_point_follows_itself(&none));
}

/* One in each request of a server, 20 ms apart. */
static void temporary_chunks_follow_each_other_after_any_pause(void **state) {
  (void)state;
  struct hp_point p = point_of(1, 312, 312);
  p.temporary_known = true;
  p.temporary_chunks = 300;
  assert_true(hp_point_follows_itself(&p));
  p.temporary_chunks = 200;
  assert_false(hp_point_follows_itself(&p));
  p.temporary_chunks = 312;
  p.temporary_known = false;
  assert_false(hp_point_follows_itself(&p));
}

static void chunks_that_pile_up_follow_nothing(void **state) {
  (void)state;
  struct hp_point p = point_of(0.004, 1, 0);
  p.peak_bytes = 100;
  assert_false(hp_point_follows_itself(&p));
}

static void
what_lives_longer_than_the_run_is_not_one_after_the_other(void **state) {
  (void)state;
  struct hp_process process = {.threads = 1};
  struct hp_point p = point_of(0.004, 1, 0);
  p.process = &process;
  p.first_ns = 5000000;
  p.last_ns = 6000000;
  p.lifetime_ns = (struct hp_min_mean_max){.defined = true, .mean = 900};
  p.chunks = 1000;
  assert_false(hp_point_overlaps(&p));
  p.chunks = 2000;
  assert_true(hp_point_overlaps(&p));
  p.live_chunks = 1; /* this has no lifetime */
  p.chunks = 1001;
  assert_false(hp_point_overlaps(&p));
  p.live_chunks = 2; /* while one of them lived, the other did */
  assert_true(hp_point_overlaps(&p));
  p.live_chunks = 0;
  p.chunks = 2000;
  process.threads = 2; /* each may have one at a time */
  assert_false(hp_point_overlaps(&p));
  p.process = NULL;
  assert_true(hp_point_overlaps(&p));
}

/* One of each thread may be there, and of several processes peaks add up. */
static void more_bytes_than_the_largest_chunk_are_several(void **state) {
  (void)state;
  const struct hp_process process = {.threads = 2};
  struct hp_point p = {.process = &process,
                       .peak_bytes = 200,
                       .size = {.defined = true, .min = 8, .max = 100}};
  assert_false(hp_point_has_several(&p));
  p.peak_bytes = 201;
  assert_true(hp_point_has_several(&p));
  p.estimated = true;
  assert_false(hp_point_has_several(&p));
  p.estimated = false;
  p.process = NULL;
  assert_false(hp_point_has_several(&p));
}

static void small_chunks_take_more_than_was_asked_for(void **state) {
  (void)state;
  const struct hp_point p = {.chunks_at_global_peak = 100,
                             .bytes_at_global_peak = 1000,
                             .peak_touched_bytes = 1000,
                             .peak_memory_bytes = 3200};
  const struct hp_suspect s = {.point = &p};
  assert_int_equal(hp_memory_of(&p, 1000), 3200);
  assert_int_equal(hp_memory_of(&p, 500), 1600);
  assert_int_equal(hp_memory_of(&p, 5000), 5000); /* of others, too */
  /* Smaller ones would take as much. */
  const struct hp_verdict v = {.finding = {.saved_peak_bytes = 800}};
  assert_int_equal(hp_memory_of_smaller(&s, &v), 0);
}

static void empty_chunks_take_nothing_of_what_others_asked_for(void **state) {
  (void)state;
  struct hp_point p = {.chunks = 200,
                       .chunks_at_global_peak = 100,
                       .bytes_at_global_peak = 16,
                       .peak_touched_bytes = 16,
                       .peak_memory_bytes = 3200};
  p.inferences[HP_INF_zero_size].chunks = 198;
  assert_int_equal(hp_memory_of(&p, 16), 32);
  assert_int_equal(hp_memory_of(&p, 8), 16);
  p.inferences[HP_INF_zero_size].chunks = 200;
  assert_int_equal(hp_memory_of(&p, 16), 0);
}

static void what_gets_smaller_saves_what_it_asked_for(void **state) {
  (void)state;
  const struct hp_point p = {.chunks_at_global_peak = 10,
                             .bytes_at_global_peak = 10000,
                             .peak_touched_bytes = 10000,
                             .peak_memory_bytes = 10080};
  const struct hp_suspect s = {.point = &p};
  struct hp_verdict v = {.finding = {.saved_peak_bytes = 8000}};
  assert_int_equal(hp_memory_of_smaller(&s, &v), 8000);
  v.finding.saved_peak_bytes = 10000;
  assert_int_equal(hp_memory_of_smaller(&s, &v), 10080 - 320);
}

/* Names of files are not one pointer: those of a cache are its own. */
static void a_place_is_told_by_the_name_of_its_file(void **state) {
  (void)state;
  char file[] = "a.c", again[] = "a.c", other[] = "b.c";
  const char *function = "load";
  struct hp_frame a = {.function = function, .file = file, .line = 3};
  struct hp_frame b = a;
  b.file = again;
  assert_true(hp_is_same_place(&a, &b));
  b.line = 4;
  assert_false(hp_is_same_place(&a, &b));
  b.line = 3;
  b.file = other;
  assert_false(hp_is_same_place(&a, &b));
  b.file = NULL;
  assert_false(hp_is_same_place(&a, &b));
  a.file = NULL;
  assert_true(hp_is_same_place(&a, &b));
  assert_false(hp_is_same_place(&a, NULL));
}

static void a_number_has_no_part(void **state) {
  (void)state;
  struct hp_point p = {.type = "int",
                       .element_size = 4,
                       .size = {.defined = true, .min = 41, .max = 41}};
  assert_false(hp_point_fits_type(&p));
  p.size.min = 40;
  assert_false(hp_point_fits_type(&p));
  p.size.max = 80;
  assert_true(hp_point_fits_type(&p));
  p.type = "char *";
  p.element_size = 8;
  p.size.max = 81;
  assert_false(hp_point_fits_type(&p));
  p.type = "text"; /* a record, with more behind its end */
  assert_true(hp_point_fits_type(&p));
}

/* Two chunks of a stack, 3 us of life each, in a second. */
static struct hp_point of_calls(const struct hp_freed *freed,
                                const struct hp_frame *const *stack,
                                size_t count) {
  return (struct hp_point){
      .place = stack[0],
      .site = stack[0],
      .stack = stack,
      .stack_count = count,
      .chunks = 2,
      .bytes = 200,
      .peak_bytes = 100,
      .size = {.defined = true, .min = 100, .max = 100},
      .lifetime_ns = {.defined = true, .mean = 3000},
      .last_ns = 1000000000,
      .scores = {.lifetime = 1},
      .groups = 2,
      .singleton_groups = 2,
      .freed = freed,
      .freed_count = 1,
      .freed_chunks = 2,
      .inferences = {[HP_INF_short_lived] = {.flagged = true, .chunks = 2}}};
}

static void what_each_call_makes_and_frees_follows_itself(void **state) {
  (void)state;
  struct hp_frame build = {.function = "build", .file = "a.c", .line = 3},
                  caller = {.function = "main", .file = "a.c", .line = 9};
  const struct hp_frame *stack[] = {&build, &caller};
  struct hp_freed freed = {.chunks = 2, .by_allocator = true};
  struct hp_point p = of_calls(&freed, stack, 2);
  assert_true(hp_point_is_made_per_call(&p));
  p.peak_bytes = 200; /* both at a time */
  assert_false(hp_point_is_made_per_call(&p));
  p.peak_bytes = 100;
  p.live_chunks = 1;
  assert_false(hp_point_is_made_per_call(&p));
  p.live_chunks = 0;
  caller.function = build.function; /* a call within a call */
  assert_false(hp_point_is_made_per_call(&p));
}

/* What comes last may be put before; what is kept to the next call lives till then. */
static void
a_free_that_lies_before_is_of_its_call_if_there_are_pauses(void **state) {
  (void)state;
  struct hp_frame build = {.function = "build", .file = "a.c", .line = 3};
  const struct hp_frame *stack[] = {&build};
  struct hp_freed freed = {.chunks = 2};
  struct hp_point p = of_calls(&freed, stack, 1);
  assert_false(hp_point_is_freed_by_its_calls(&p));
  freed.in_its_function = true;
  assert_true(hp_point_is_freed_by_its_calls(&p));
  p.last_ns = 100000; /* 6 of 100 us is too much */
  assert_false(hp_point_is_freed_by_its_calls(&p));
  p.last_ns = 9000; /* as long as both take */
  p.lifetime_ns.mean = 10;
  assert_false(hp_point_is_freed_by_its_calls(&p));
  p = of_calls(&freed, stack, 1);
  p.chunks = p.freed_chunks = freed.chunks = 1; /* no pause */
  assert_false(hp_point_is_freed_by_its_calls(&p));
}

/* Ten tables of a run of 10 s, used from the first second to the third; the peak is reached
   before that, or behind it. */
static void what_is_used_at_the_peak_is_not_kept_too_long(void **state) {
  (void)state;
  struct hp_process process = {.threads = 1, .peak_ns = 2000000000};
  struct hp_point p = {.process = &process,
                       .accesses_known = true,
                       .chunks = 10,
                       .window_ns = 10000000000,
                       .first_ns = 1000000000,
                       .last_ns = 9000000000,
                       .lived_ns = 8e9,
                       .scores = {.useful_lifetime = 0.25}};
  const struct hp_inference_value all = {.chunks = 10}, half = {.chunks = 5};
  assert_true(hp_is_needed_at_peak(&p, &all, false));
  assert_false(hp_is_needed_at_peak(&p, &half, false));
  process.peak_ns = 4000000000;
  assert_false(hp_is_needed_at_peak(&p, &all, false));
  process.peak_ns = 2000000000;
  p.scores.useful_lifetime_error = 0.2;
  assert_false(hp_is_needed_at_peak(&p, &all, false));
}

/* Where three of four are late, the fourth was used for its whole life at most. */
static void what_is_mostly_used_behind_the_peak_is_needed(void **state) {
  (void)state;
  struct hp_process process = {.threads = 1, .peak_ns = 1500000000};
  struct hp_point p = {.process = &process,
                       .accesses_known = true,
                       .chunks = 4,
                       .window_ns = 10000000000,
                       .first_ns = 1000000000,
                       .last_ns = 9000000000,
                       .lived_ns = 8e9,
                       .scores = {.useful_lifetime = 0.4}};
  const struct hp_inference_value late = {.chunks = 3}; /* for 0.2 of it */
  assert_true(hp_is_needed_at_peak(&p, &late, false));
  process.peak_ns = 3000000000;
  assert_false(hp_is_needed_at_peak(&p, &late, false));
}

/* A chunk of 40 bytes that is used for one second of eight, while 50 are live; then 60 are. */
static void no_more_is_saved_than_the_peak_is_higher(void **state) {
  (void)state;
  const struct hp_interval intervals[] = {
      {.begin_ns = 0, .end_ns = 1000000000, .bytes_max = 50},
      {.begin_ns = 1000000000, .end_ns = 2000000000, .bytes_max = 40},
      {.begin_ns = 2000000000, .end_ns = 7000000000, .bytes_max = 60},
      {.begin_ns = 7000000000, .end_ns = 9000000000, .bytes_max = 55}};
  struct hp_process process = {.threads = 1,
                               .peak_ns = 5000000000,
                               .peak_bytes = 60,
                               .intervals = intervals,
                               .interval_count = 4};
  struct hp_point p = {.process = &process,
                       .accesses_known = true,
                       .chunks = 1,
                       .chunks_at_global_peak = 1,
                       .bytes_at_global_peak = 40,
                       .window_ns = 9000000000,
                       .last_ns = 8000000000,
                       .lived_ns = 8e9,
                       .scores = {.useful_lifetime = 0.125}};
  const struct hp_inference_value all = {.chunks = 1}, four = {.chunks = 4};
  assert_int_equal(hp_peak_above_held(&p, &all, false), 10);
  p.chunks_at_global_peak = 0; /* of others that came before */
  assert_int_equal(hp_peak_above_held(&p, &all, false), UINT64_MAX);
  /* Four that are used one after the other, one of them at a time. */
  p.chunks = p.chunks_at_global_peak = 4;
  p.last_begun_ns = 3000000000;
  assert_int_equal(hp_peak_above_held(&p, &four, false), 40);
  /* First used in the last second. */
  p.chunks = p.chunks_at_global_peak = 1;
  p.last_begun_ns = 0;
  assert_int_equal(hp_peak_above_held(&p, &all, true), 5);
}

/* The same, used from the seventh second on; live until the end of the run. */
static void what_is_first_used_ahead_of_the_peak_is_not_early(void **state) {
  (void)state;
  struct hp_process process = {.threads = 1, .peak_ns = 8000000000};
  struct hp_point p = {.process = &process,
                       .accesses_known = true,
                       .chunks = 10,
                       .window_ns = 10000000000,
                       .last_ns = 9000000000,
                       .lived_ns = 8e9,
                       .scores = {.useful_lifetime = 0.25}};
  const struct hp_inference_value all = {.chunks = 10};
  assert_true(hp_is_needed_at_peak(&p, &all, true));
  process.peak_ns = 6000000000;
  assert_false(hp_is_needed_at_peak(&p, &all, true));
  process.peak_ns = 7500000000;
  assert_true(hp_is_needed_at_peak(&p, &all, true));
  p.live_chunks = 10;
  assert_false(hp_is_needed_at_peak(&p, &all, true));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_first_chunk_that_waits_is_none_of_many),
      cmocka_unit_test(chunks_that_live_apart_follow_nothing),
      cmocka_unit_test(temporary_chunks_follow_each_other_after_any_pause),
      cmocka_unit_test(chunks_that_pile_up_follow_nothing),
      cmocka_unit_test(
          what_lives_longer_than_the_run_is_not_one_after_the_other),
      cmocka_unit_test(more_bytes_than_the_largest_chunk_are_several),
      cmocka_unit_test(small_chunks_take_more_than_was_asked_for),
      cmocka_unit_test(empty_chunks_take_nothing_of_what_others_asked_for),
      cmocka_unit_test(what_gets_smaller_saves_what_it_asked_for),
      cmocka_unit_test(a_place_is_told_by_the_name_of_its_file),
      cmocka_unit_test(a_number_has_no_part),
      cmocka_unit_test(what_each_call_makes_and_frees_follows_itself),
      cmocka_unit_test(
          a_free_that_lies_before_is_of_its_call_if_there_are_pauses),
      cmocka_unit_test(what_is_used_at_the_peak_is_not_kept_too_long),
      cmocka_unit_test(what_is_mostly_used_behind_the_peak_is_needed),
      cmocka_unit_test(no_more_is_saved_than_the_peak_is_higher),
      cmocka_unit_test(what_is_first_used_ahead_of_the_peak_is_not_early),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
