/* test_relay.c - relay.h: which points' chains go on with those that one place has begun.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "finding/relay.h"

static const char *const names[] = {"head", "body", "notes"};
#define AT(name, number)                                                       \
  {.function = names[name], .module = "app", .file = "app.c", .line = number}
static const struct hp_frame head = AT(0, 1), body = AT(1, 2), notes = AT(2, 3),
                             more_notes = AT(2, 4);

/* LENGTH chunks from 64 bytes to LAST, of which CHAINS began here. */
static struct hp_point point_of(uint64_t id, const struct hp_frame *place,
                                uint64_t chains, uint64_t length,
                                uint64_t last) {
  return (struct hp_point){
      .id = id,
      .type = "char",
      .place = place,
      .first_ns = id * 100,
      .growth = {.length = length, .first_size = 64, .last_size = last},
      .grown = {.chains = chains, .chunks = 10, .copied_bytes = last}};
}

#define POINTS 4u
static struct hp_point points[POINTS];
static struct hp_relays all;

static int start(void **state) {
  (void)state;
  points[0] = point_of(1, &head, 5, 3, 256);
  points[1] = point_of(2, &body, 0, 5, 1024);
  points[2] = point_of(3, &notes, 0, 9, 16384);
  points[3] = point_of(4, &more_notes, 0, 8, 8192);
  return 0;
}

static void sort(void) {
  for (unsigned i = POINTS; i--;)
    assert_true(hp_relays_add(&all, &points[i]));
  hp_relays_sort(&all);
}

static int end(void **state) {
  (void)state;
  hp_relays_free(&all);
  return 0;
}

static void expect_none(void) {
  sort();
  for (unsigned i = 0; i < POINTS; i++)
    assert_null(hp_relays_find(&all, &points[i]));
}

static void from_place_to_place(void **state) {
  (void)state;
  sort();
  for (unsigned i = 0; i < POINTS; i++) {
    const struct hp_relay *relay = hp_relays_find(&all, &points[i]);
    assert_non_null(relay);
    assert_ptr_equal(relay->begun, &points[0]);
    assert_ptr_equal(relay->most, &points[2]);
    assert_int_equal(relay->places, 4);
    assert_int_equal(relay->last_size, 16384);
  }
}

/* Of one size each, in functions that do not call realloc. */
static void put_takers(void) {
  for (unsigned i = 0; i < POINTS; i++)
    points[i].size = (struct hp_min_mean_max){true, 64, 1024, 500};
  points[0].resizes.grown = points[1].resizes.grown = 1;
  points[2].size.min = points[3].size.min = 1024;
}

static void what_grew_elsewhere_is_taken_over(void **state) {
  (void)state;
  put_takers();
  sort();
  for (unsigned i = 0; i < POINTS; i++) {
    const struct hp_relay *relay = hp_relays_find(&all, &points[i]);
    assert_int_equal(hp_relays_takes_over(&all, &points[i]), i >= 2);
    if (i >= 2) {
      assert_null(relay);
      continue;
    }
    assert_ptr_equal(relay->begun, &points[0]);
    assert_ptr_equal(relay->most, &points[1]);
    assert_int_equal(relay->places, 2);
  }
}

static void of_several_sizes_it_may_have_grown_there(void **state) {
  (void)state;
  put_takers();
  points[3].size.max = 4096;
  sort();
  for (unsigned i = 0; i < POINTS; i++) {
    assert_non_null(hp_relays_find(&all, &points[i]));
    assert_false(hp_relays_takes_over(&all, &points[i]));
  }
}

static void where_nobody_calls_realloc_nothing_is_taken_over(void **state) {
  (void)state;
  put_takers();
  points[0].resizes.grown = points[1].resizes.grown = 0;
  sort();
  for (unsigned i = 0; i < POINTS; i++)
    assert_false(hp_relays_takes_over(&all, &points[i]));
}

static void nobody_begins_or_nobody_goes_on(void **state) {
  (void)state;
  points[0].grown.chains = 0;
  expect_none();
  hp_relays_free(&all);
  for (unsigned i = 0; i < POINTS; i++)
    points[i].grown.chains = 1;
  expect_none();
}

static void two_functions_begin(void **state) {
  (void)state;
  points[1].grown.chains = 1;
  expect_none();
}

static void one_is_of_another_size_type_or_time(void **state) {
  (void)state;
  points[1].growth.first_size = 32;
  points[2].type = "int";
  points[3].first_ns = 1; /* before any of its chains began */
  expect_none();
}

static void what_does_not_grow_or_has_no_place_is_left_out(void **state) {
  (void)state;
  points[1].grown.chunks = 0;
  points[2].place = NULL;
  sort();
  assert_int_equal(all.count, 2);
  assert_null(hp_relays_find(&all, &points[1]));
  assert_ptr_equal(hp_relays_find(&all, &points[0])->most, &points[3]);
}

/* Also at one place; what was not seen to be copied is no fact of the others. */
static void the_longest_of_one_place(void **state) {
  (void)state;
  for (unsigned i = 0; i < POINTS; i++)
    points[i].place = &head;
  points[3].first_ns = 1; /* made a chunk before that made a chain of them */
  points[2].grown.likely_chunks = 1;
  points[1].type = "int";
  expect_none();
  assert_ptr_equal(hp_relays_longest(&all, &points[0]), &points[3]);
  assert_null(hp_relays_longest(&all, &points[1]));
}

/* Others went on with it, though they had made a chunk before that made it a chain. */
static void the_longest_of_the_only_chain(void **state) {
  (void)state;
  points[0].grown.chains = 1;
  points[3].first_ns = 1;
  expect_none();
  assert_ptr_equal(hp_relays_longest(&all, &points[0]), &points[2]);
  hp_relays_free(&all);
  points[0].grown.chains = 2;
  expect_none();
  assert_null(hp_relays_longest(&all, &points[0]));
}

/* Of one call that has a type only where there is room for its record. */
static void the_longest_of_one_call(void **state) {
  (void)state;
  const struct hp_frame *const call[] = {&head, &body};
  for (unsigned i = 0; i < 2; i++) {
    points[i].stack = call;
    points[i].stack_count = 2;
  }
  points[1].type = "int";
  points[1].growth.first_size = 128;
  sort();
  assert_ptr_equal(hp_relays_longest(&all, &points[0]), &points[2]);
  assert_null(hp_relays_longest(&all, &points[1]));
  for (unsigned i = 0; i < POINTS; i++)
    assert_false(hp_relays_has_sisters(&all, &points[i]));
  hp_relays_free(&all);
  points[2].type = points[3].type = "long"; /* elsewhere, by other types */
  sort();
  for (unsigned i = 0; i < POINTS; i++) {
    assert_true(hp_relays_has_sisters(&all, &points[i]) == (i < 2));
    assert_ptr_equal(hp_relays_longest(&all, &points[i]),
                     i < 2 ? &points[1] : NULL);
  }
  hp_relays_free(&all);
  points[1].grown.chains = 1; /* each has its own */
  sort();
  assert_false(hp_relays_has_sisters(&all, &points[0]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(from_place_to_place, start, end),
      cmocka_unit_test_setup_teardown(what_grew_elsewhere_is_taken_over, start,
                                      end),
      cmocka_unit_test_setup_teardown(of_several_sizes_it_may_have_grown_there,
                                      start, end),
      cmocka_unit_test_setup_teardown(
          where_nobody_calls_realloc_nothing_is_taken_over, start, end),
      cmocka_unit_test_setup_teardown(nobody_begins_or_nobody_goes_on, start,
                                      end),
      cmocka_unit_test_setup_teardown(two_functions_begin, start, end),
      cmocka_unit_test_setup_teardown(one_is_of_another_size_type_or_time,
                                      start, end),
      cmocka_unit_test_setup_teardown(
          what_does_not_grow_or_has_no_place_is_left_out, start, end),
      cmocka_unit_test_setup_teardown(the_longest_of_one_place, start, end),
      cmocka_unit_test_setup_teardown(the_longest_of_one_call, start, end),
      cmocka_unit_test_setup_teardown(the_longest_of_the_only_chain, start,
                                      end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
