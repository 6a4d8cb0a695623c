/* test_sample.c - which allocations are samples, and for how many they stand.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/sample.h"

#include "options/options.h"
#include "system_double.h"
#include "thread/thread.h"

#include <math.h>
#include <string.h>

/* What is random is held to so many standard deviations; seeds are fixed. */
#define DEVIATIONS 4

static struct hp_thread *begin(uint64_t every, uint64_t bytes, uint64_t seed,
                               uint32_t number) {
  static struct hp_thread self;
  memset(&self, 0, sizeof self);
  hp_options.sample_every = every;
  hp_options.sample_bytes = bytes;
  hp_options.sample_seed = seed;
  hp_sample_start();
  hp_sample_begin_thread(&self, number);
  return &self;
}

static void assert_share(uint64_t hits, uint64_t tries, double chance) {
  double wanted = (double)tries * chance;
  assert_true(fabs((double)hits - wanted) <=
              DEVIATIONS * sqrt(wanted * (1 - chance)) + 1e-9);
}

static void each_has_one_chance_in_n(void **state) {
  (void)state;
  enum { TRIES = 400000, EVERY = 50 };
  struct hp_thread *self = begin(EVERY, 0, 1, 1);
  uint64_t hits = 0, pairs = 0;
  bool before = false;
  for (int i = 0; i < TRIES; i++) {
    bool hit = hp_sample_hit(self, (size_t)(i % 3000));
    hits += hit;
    pairs += hit && before;
    before = hit;
  }
  assert_share(hits, TRIES, 1.0 / (double)EVERY);
  assert_share(pairs, hits, 1.0 / (double)EVERY); /* whatever came before it */
  assert_int_equal(self->requests, TRIES);
}

static void one_in_one_is_all(void **state) {
  (void)state;
  struct hp_thread *self = begin(1, 0, 0, 1);
  for (size_t i = 0; i < 1000; i++)
    assert_true(hp_sample_hit(self, i));
  assert_int_equal(self->request_bytes, 999 * 1000 / 2);
}

static void a_chance_by_bytes_is_that_of_the_size(void **state) {
  (void)state;
  enum { TRIES = 200000 };
  static const size_t sizes[] = {0, 1, 16, 1000, 3000, 60000};
  uint64_t hits[6] = {0};
  struct hp_thread *self = begin(0, 1000, 2, 1);
  for (int i = 0; i < TRIES; i++)
    for (size_t s = 0; s < 6; s++)
      hits[s] += hp_sample_hit(self, sizes[s]);
  for (size_t s = 0; s < 6; s++)
    assert_share(hits[s], TRIES,
                 -expm1(-(double)(sizes[s] ? sizes[s] : 1) / 1000));
}

/* 1 / chance on average, and no whole number further away. */
static void a_weight_is_right_on_average(void **state) {
  (void)state;
  enum { TRIES = 20000 };
  static const size_t sizes[] = {1, 7, 100, 999, 1000, 5000, 100000, 1 << 30};
  struct hp_thread *self = begin(0, 1000, 3, 1);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    double wanted = -1 / expm1(-(double)sizes[s] / 1000), sum = 0;
    for (int i = 0; i < TRIES; i++) {
      uint64_t flag = hp_sample_rounding(self, sizes[s]);
      uint32_t weight = hp_sample_weight(sizes[s] | flag);
      assert_true(fabs(weight - wanted) < 1);
      sum += weight;
    }
    assert_true(fabs(sum / (double)TRIES - wanted) <=
                DEVIATIONS * 0.5 / sqrt(TRIES));
  }
}

static void a_weight_of_one_in_n_is_n(void **state) {
  (void)state;
  struct hp_thread *self = begin(77, 0, 0, 1);
  assert_int_equal(hp_sample_rounding(self, 100), 0);
  assert_int_equal(hp_sample_weight(100), 77);
  begin(0, 0, 0, 1);
  assert_false(hp_sampling);
  assert_int_equal(hp_sample_weight(100), 1);
}

static uint64_t choices(uint64_t seed, uint32_t thread) {
  struct hp_thread *self = begin(4, 0, seed, thread);
  uint64_t bits = 0;
  for (int i = 0; i < 64; i++)
    bits = bits << 1 | hp_sample_hit(self, 8);
  return bits;
}

static void a_choice_follows_from_seed_and_thread(void **state) {
  (void)state;
  assert_true(choices(5, 1) == choices(5, 1));
  assert_true(choices(5, 1) != choices(6, 1));
  assert_true(choices(5, 1) != choices(5, 2));
  assert_true(choices(1, 2) != choices(2, 1));
}

static void outside_of_the_window_nothing_counts(void **state) {
  (void)state;
  struct hp_thread *self = begin(1, 0, 0, 1);
  hp_recording = false;
  assert_false(hp_sample_hit(self, 8));
  hp_sample_undo(self, 8);
  hp_recording = true;
  assert_int_equal(self->requests, 0);
  assert_int_equal(self->request_bytes, 0);
}

static void a_request_that_is_not_met_is_taken_back(void **state) {
  (void)state;
  struct hp_thread *self = begin(1000, 0, 0, 1);
  hp_sample_hit(self, 10);
  hp_sample_hit(self, 100);
  hp_sample_undo(self, 100);
  assert_int_equal(self->requests, 1);
  assert_int_equal(self->request_bytes, 10);
}

int main(void) {
  double_start();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_has_one_chance_in_n),
      cmocka_unit_test(one_in_one_is_all),
      cmocka_unit_test(a_chance_by_bytes_is_that_of_the_size),
      cmocka_unit_test(a_weight_is_right_on_average),
      cmocka_unit_test(a_weight_of_one_in_n_is_n),
      cmocka_unit_test(a_choice_follows_from_seed_and_thread),
      cmocka_unit_test(outside_of_the_window_nothing_counts),
      cmocka_unit_test(a_request_that_is_not_met_is_taken_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
