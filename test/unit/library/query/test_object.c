/* test_object.c - allocation objects and what is excessive among them, by numbers worked out by hand.
   Points are made here; dumps are another test's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "heapprof_object.h"

static const struct hp_frame maker = {.function = "make", .line = 1};
static const struct hp_frame maker_again = {
    .function = "make", .line = 1, .address = 9};
static const struct hp_frame dropper = {.function = "drop", .line = 2};
static const struct hp_frame sweeper = {.function = "sweep", .line = 3};
static const struct hp_frame *const make_stack[] = {&maker};
static const struct hp_frame *const drop_stack[] = {&dropper};
static const struct hp_frame *const sweep_stack[] = {&sweeper};

#define MS 1e6

static struct hp_freed freed(const struct hp_frame *const *stack, uint64_t size,
                             uint64_t chunks, double mean_ms) {
  return (struct hp_freed){.stack = stack,
                           .stack_count = 1,
                           .site = stack[0],
                           .site_is_all = true,
                           .place_is_all = true,
                           .size = size,
                           .chunks = chunks,
                           .lived_ns = mean_ms * MS * (double)chunks};
}

static hp_objects *make(const struct hp_point *points, size_t count,
                        bool by_stack) {
  const struct hp_point *list[16];
  hp_objects *objects;
  struct hp_error error;
  for (size_t i = 0; i < count; i++)
    list[i] = &points[i];
  assert_int_equal(hp_objects_make(&objects, list, count, by_stack, &error),
                   HP_OK);
  return objects;
}

static struct hp_excess_verdict judge(hp_objects *objects,
                                      struct hp_excess_rules rules) {
  struct hp_excess_verdict verdict;
  struct hp_error error;
  assert_int_equal(hp_objects_judge(objects, &rules, &verdict, &error), HP_OK);
  return verdict;
}

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-9 * b; }

/* One point whose chunks of the size i + 1 were freed chunks[i] times, after
   lives[i] ms on average. */
static hp_objects *make_sizes(const uint64_t *chunks, const double *lives,
                              size_t count) {
  static struct hp_freed parts[16];
  for (size_t i = 0; i < count; i++)
    parts[i] = freed(drop_stack, i + 1, chunks[i], lives[i]);
  const struct hp_point point = {.id = 1,
                                 .stack = make_stack,
                                 .stack_count = 1,
                                 .site = &maker,
                                 .freed = parts,
                                 .freed_count = count};
  return make(&point, 1, false);
}

static void equal_sizes_and_callers_are_one_object(void **state) {
  (void)state;
  const struct hp_freed first[] = {freed(drop_stack, 16, 3, 2),
                                   freed(sweep_stack, 16, 1, 5),
                                   freed(drop_stack, 32, 4, 1)};
  const struct hp_freed second[] = {freed(drop_stack, 16, 1, 6)};
  const struct hp_point points[] = {{.id = 7,
                                     .site = &maker,
                                     .chunks = 10,
                                     .live_chunks = 1,
                                     .freed_chunks = 8,
                                     .freed = first,
                                     .freed_count = 3},
                                    {.id = 2,
                                     .site = &maker_again,
                                     .chunks = 1,
                                     .freed_chunks = 1,
                                     .freed = second,
                                     .freed_count = 1}};
  hp_objects *objects = make(points, 2, false);
  assert_int_equal(hp_object_count(objects), 3);
  assert_int_equal(hp_objects_unknown(objects), 1);
  const struct hp_made_object *o =
      hp_object_at(objects, 1); /* as often, smaller */
  assert_true(o->size == 16 && o->frequency == 4 && o->freed_by == &dropper);
  assert_true(is_near(o->mean_lifetime_ns, 3 * MS)); /* (3 2 + 1 6) / 4 */
  assert_true(is_near(o->ratio, 4.0 / 3));
  assert_int_equal(o->point_count, 2);
  assert_true(o->points[0] == 2 && o->points[1] == 7);
  o = hp_object_at(objects, 0);
  assert_true(o->size == 32 && o->frequency == 4 && is_near(o->ratio, 4));
  o = hp_object_at(objects, 2);
  assert_true(o->freed_by == &sweeper && is_near(o->ratio, 0.2));
  hp_objects_free(objects);
}

static void stacks_tell_more_apart_than_callers(void **state) {
  (void)state;
  const struct hp_frame *const long_stack[] = {&dropper, &sweeper};
  struct hp_freed parts[] = {freed(drop_stack, 16, 1, 1),
                             freed(long_stack, 16, 1, 1)};
  parts[1].stack_count = 2;
  const struct hp_point point = {
      .id = 1, .site = &maker, .freed = parts, .freed_count = 2};
  hp_objects *objects = make(&point, 1, false);
  assert_int_equal(hp_object_count(objects), 1);
  hp_objects_free(objects);
  objects = make(&point, 1, true);
  assert_int_equal(hp_object_count(objects), 2);
  hp_objects_free(objects);
}

/* Ratios 1 2 3 4 100: Q1 2, Q3 4, IQR 2, so 3 IQRs above is 10. */
static void outliers_are_above_the_bound(void **state) {
  (void)state;
  const uint64_t chunks[] = {1, 2, 3, 4, 100};
  const double lives[] = {1, 1, 1, 1, 1};
  hp_objects *objects = make_sizes(chunks, lives, 5);
  struct hp_excess_verdict v =
      judge(objects, (struct hp_excess_rules){HP_EXCESS_IQR, .mu = 3});
  assert_int_equal(v.verdict, HP_VERDICT_FOUND);
  assert_true(is_near(v.q1, 2) && is_near(v.q3, 4) && is_near(v.bound, 10));
  assert_true(v.objects == 5 && v.members == 1);
  assert_true(hp_object_at(objects, 0)->excessive);
  assert_false(hp_object_at(objects, 1)->excessive);
  v = judge(objects, (struct hp_excess_rules){HP_EXCESS_IQR, .mu = 48});
  assert_int_equal(v.verdict, HP_VERDICT_NOT_FOUND); /* 100 is not above 100 */
  assert_int_equal(v.members, 0);
  assert_false(hp_object_at(objects, 0)->excessive);
  v = judge(objects, (struct hp_excess_rules){HP_EXCESS_IQR, .mu = 3,
                                              .min_frequency = 3});
  assert_int_equal(v.verdict, HP_VERDICT_UNDETERMINED); /* three are left */
  assert_int_equal(v.objects, 3);
  hp_objects_free(objects);
}

/* Ratios 1 2 3 10 of four: Q1 1.75, Q3 4.75. */
static void quartiles_lie_between_neighbours(void **state) {
  (void)state;
  const uint64_t chunks[] = {2, 4, 6, 20};
  const double lives[] = {2, 2, 2, 2};
  hp_objects *objects = make_sizes(chunks, lives, 4);
  struct hp_excess_verdict v =
      judge(objects, (struct hp_excess_rules){HP_EXCESS_IQR, .mu = 1});
  assert_true(is_near(v.q1, 1.75) && is_near(v.q3, 4.75));
  assert_true(is_near(v.bound, 7.75));
  assert_int_equal(v.members, 1);
  hp_objects_free(objects);
}

static void few_objects_and_none_are_undetermined(void **state) {
  (void)state;
  const uint64_t chunks[] = {1, 2, 1000};
  const double lives[] = {1, 1, 1};
  for (size_t count = 0; count <= 3; count++) {
    hp_objects *objects = make_sizes(chunks, lives, count);
    struct hp_excess_verdict v =
        judge(objects, (struct hp_excess_rules){HP_EXCESS_IQR, .mu = 3});
    assert_int_equal(v.verdict, HP_VERDICT_UNDETERMINED);
    v = judge(objects, (struct hp_excess_rules){HP_EXCESS_CLUSTERS, .k = 3});
    if (count < 2)
      assert_int_equal(v.verdict, HP_VERDICT_UNDETERMINED);
    hp_objects_free(objects);
  }
}

/* Three groups far apart: frequent and short, rare and long, rare and short
   but not as short. */
static void the_frequent_and_short_lived_cluster_is_found(void **state) {
  (void)state;
  const uint64_t chunks[] = {100000, 90000, 3, 2, 4, 5};
  const double lives[] = {0.001, 0.002, 5000, 6000, 20, 30};
  hp_objects *objects = make_sizes(chunks, lives, 6);
  const struct hp_excess_rules rules = {HP_EXCESS_CLUSTERS, .k = 3};
  struct hp_excess_verdict v = judge(objects, rules);
  assert_int_equal(v.verdict, HP_VERDICT_FOUND);
  assert_true(v.clusters == 3 && v.members == 2);
  assert_true(hp_object_at(objects, 0)->excessive &&
              hp_object_at(objects, 1)->excessive);
  assert_int_equal(hp_object_at(objects, 0)->cluster, v.cluster);
  assert_int_equal(hp_object_at(objects, 2)->cluster,
                   hp_object_at(objects, 3)->cluster);
  const int before = v.cluster;
  assert_int_equal(judge(objects, rules).cluster, before); /* the same again */
  hp_objects_free(objects);
}

static void frequent_and_long_lived_is_not_excessive(void **state) {
  (void)state;
  const uint64_t chunks[] = {100000, 90000, 3, 2};
  const double lives[] = {5000, 6000, 0.001, 0.002};
  hp_objects *objects = make_sizes(chunks, lives, 4);
  struct hp_excess_verdict v =
      judge(objects, (struct hp_excess_rules){HP_EXCESS_CLUSTERS, .k = 2});
  assert_int_equal(v.verdict, HP_VERDICT_NOT_FOUND);
  assert_true(v.members == 0 && v.cluster == -1 && v.clusters == 2);
  hp_objects_free(objects);
}

static void a_tie_and_one_place_are_undetermined(void **state) {
  (void)state;
  const uint64_t equal[] = {10, 10};
  const double apart[] = {1, 9}, together[] = {1, 1};
  const struct hp_excess_rules rules = {HP_EXCESS_CLUSTERS, .k = 3};
  hp_objects *objects = make_sizes(equal, apart, 2);
  struct hp_excess_verdict v = judge(objects, rules);
  assert_int_equal(v.verdict, HP_VERDICT_UNDETERMINED); /* as frequent */
  assert_int_equal(v.clusters, 2);
  hp_objects_free(objects);
  objects = make_sizes(equal, together, 2);
  v = judge(objects, rules);
  assert_int_equal(v.verdict, HP_VERDICT_UNDETERMINED);
  assert_int_equal(v.clusters, 1);
  hp_objects_free(objects);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_sizes_and_callers_are_one_object),
      cmocka_unit_test(stacks_tell_more_apart_than_callers),
      cmocka_unit_test(outliers_are_above_the_bound),
      cmocka_unit_test(quartiles_lie_between_neighbours),
      cmocka_unit_test(few_objects_and_none_are_undetermined),
      cmocka_unit_test(the_frequent_and_short_lived_cluster_is_found),
      cmocka_unit_test(frequent_and_long_lived_is_not_excessive),
      cmocka_unit_test(a_tie_and_one_place_are_undetermined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
