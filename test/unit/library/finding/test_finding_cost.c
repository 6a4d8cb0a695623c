/* test_finding_cost.c - what waste costs of a run, by hand, and what is too little to be told.
   Pure: no dump is read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "finding/finding_cost.h"
#include "finding/finding_rule.h"

static const struct hp_finding_rule rule = {.name = "some"};
static const struct hp_finding_rule no_saving = {.name = "other",
                                                 .saves_nothing = true};

static struct hp_verdict measured(struct hp_verdict v,
                                  const struct hp_run_cost *run) {
  if (!v.rule)
    v.rule = &rule;
  hp_finding_measure(&v, run);
  return v;
}

static void its_parts_add_up(void **state) {
  (void)state;
  const struct hp_run_cost run = {.pair_ns = 100, .run_ns = 1e6};
  struct hp_verdict v =
      measured((struct hp_verdict){.finding = {.saved_chunks = 500,
                                               .saved_copied_bytes = 100000},
                                   .written_for_nobody = 200000,
                                   .sharing.writes = 1000},
               &run);
  assert_true(v.finding.cost_ns > 89999 && v.finding.cost_ns < 90001);
  assert_true(v.finding.share_of_time > 0.0899 &&
              v.finding.share_of_time < 0.0901);
  v = measured(
      (struct hp_verdict){.rule = &no_saving, .finding = {.chunks = 7}}, &run);
  assert_true(v.finding.cost_ns > 699 && v.finding.cost_ns < 701);
}

static void a_call_that_waited_is_no_mean(void **state) {
  (void)state;
  struct hp_call_use use = {.mean_ns = 7380, .usual_ns = 7000, .median_ns = 54};
  use.mean_error_ns = 7400;
  assert_true(hp_call_ns(&use) > 53.9 && hp_call_ns(&use) < 54.1);
  use.mean_error_ns = 3600;
  assert_true(hp_call_ns(&use) > 7379);
  use.mean_error_ns = -1; /* not known */
  assert_true(hp_call_ns(&use) > 7379);
}

/* As of 80335 calls on a machine with ten runnable threads for each processor. */
static void many_that_waited_are_no_mean_either(void **state) {
  (void)state;
  struct hp_call_use use = {
      .mean_ns = 3240, .mean_error_ns = 812, .usual_ns = 140, .median_ns = 122};
  assert_true(hp_call_ns(&use) > 139.9 && hp_call_ns(&use) < 140.1);
  use.usual_ns = 1700; /* many take that */
  assert_true(hp_call_ns(&use) > 3239);
}

static void few_calls_say_nothing_of_others(void **state) {
  (void)state;
  struct hp_call_use use = {.timed = 1, .mean_ns = 32300, .median_ns = 33100};
  assert_false(hp_call_is_known(&use));
  use.timed = 7;
  assert_false(hp_call_is_known(&use));
  use.timed = 8;
  assert_true(hp_call_is_known(&use));
}

static void never_more_than_the_run(void **state) {
  (void)state;
  struct hp_run_cost run = {.pair_ns = 100, .run_ns = 10};
  struct hp_verdict v =
      measured((struct hp_verdict){.finding = {.saved_chunks = 500}}, &run);
  assert_true(v.finding.share_of_time >= 1 && v.finding.share_of_time <= 1);
  run.run_ns = 0;
  v = measured((struct hp_verdict){.finding = {.saved_chunks = 500}}, &run);
  assert_true(v.finding.share_of_time <= 0);
}

static void too_little_of_a_long_run_and_its_peak(void **state) {
  (void)state;
  struct hp_run_cost run = {.pair_ns = 100, .run_ns = 1e9};
  struct hp_verdict v =
      measured((struct hp_verdict){.finding = {.saved_chunks = 9000}}, &run);
  assert_true(v.is_too_cheap);
  v = measured((struct hp_verdict){.finding = {.saved_chunks = 11000}}, &run);
  assert_false(v.is_too_cheap);
  v = measured((struct hp_verdict){.finding = {.saved_chunks = 9000,
                                               .share_of_memory = 0.01}},
               &run);
  assert_false(v.is_too_cheap);
  run.run_ns = 9e8; /* of a short one nobody can tell */
  v = measured((struct hp_verdict){.finding = {.saved_chunks = 1}}, &run);
  assert_false(v.is_too_cheap);
}

static void rank_leaves_out_what_is_unknown(void **state) {
  (void)state;
  const struct hp_finding f = {.share_of_time = 0.25,
                               .share_of_memory = HP_NULL_SCORE,
                               .share_of_allocations = 0.9};
  assert_true(hp_finding_rank(&f) > 0.2499 && hp_finding_rank(&f) < 0.2501);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_parts_add_up),
      cmocka_unit_test(a_call_that_waited_is_no_mean),
      cmocka_unit_test(many_that_waited_are_no_mean_either),
      cmocka_unit_test(few_calls_say_nothing_of_others),
      cmocka_unit_test(never_more_than_the_run),
      cmocka_unit_test(too_little_of_a_long_run_and_its_peak),
      cmocka_unit_test(rank_leaves_out_what_is_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
