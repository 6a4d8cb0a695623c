/* test_meter_reader.c - records as a meter leaves them, and as nobody should have left them.
   Shares against values worked out by hand; quantiles within a bucket's width.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "meter_reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct hp_meter_record record;
static struct hp_meter_view view;

/* A tick is half a nanosecond; the timer takes 10 ticks. */
static int begin(void **state) {
  (void)state;
  memset(&record, 0, sizeof record);
  record.magic = HP_METER_MAGIC;
  record.size = sizeof record;
  record.last_ns = 1000;
  record.last_ticks = 2000;
  record.timer_ticks = 10;
  record.allocations = 4;
  return 0;
}

static void is_near(double value, double expected) {
  assert_true(fabs(value - expected) < 1e-9);
}

static void call(enum hp_meter_function function, uint64_t ticks,
                 uint64_t bytes) {
  struct hp_meter_call *c = &record.functions[function];
  c->calls++;
  c->bytes += bytes;
  c->ticks += ticks;
  c->buckets[hp_meter_bucket(ticks)]++;
}

static void test_no_meter(void **state) {
  (void)state;
  record.magic = 0;
  assert_string_equal(hp_meter_read(&record, &view),
                      "the meter was not loaded");
}

static void test_other_version(void **state) {
  (void)state;
  record.size++;
  assert_non_null(strstr(hp_meter_read(&record, &view), "another version"));
  record.size--;
  record.sample_count = HP_METER_SAMPLES + 1;
  assert_non_null(strstr(hp_meter_read(&record, &view), "overwritten"));
}

static void test_nothing_allocated(void **state) {
  (void)state;
  record.allocations = 0;
  assert_non_null(hp_meter_read(&record, &view));
  assert_int_equal(view.sample_count, 0);
}

/* No byte at the end of the name. */
static void test_long_name(void **state) {
  (void)state;
  memset(record.library, 'x', sizeof record.library);
  assert_null(hp_meter_read(&record, &view));
  assert_int_equal(strlen(view.library), sizeof view.library - 1);
}

static void test_buckets(void **state) {
  (void)state;
  for (uint64_t ticks = 0; ticks < 100000; ticks++) {
    uint32_t bucket = hp_meter_bucket(ticks);
    assert_true(hp_meter_bucket_begin(bucket) <= ticks);
    assert_true(hp_meter_bucket_begin(bucket + 1) > ticks);
  }
  assert_true(hp_meter_bucket(UINT64_MAX) < HP_METER_BUCKETS);
}

static void test_times(void **state) {
  (void)state;
  for (int i = 0; i < 99; i++)
    call(HP_METER_MALLOC, 110, 100);
  call(HP_METER_MALLOC, 10010, 1000);
  call(HP_METER_FREE, 5, 0); /* less than the timer itself */
  assert_null(hp_meter_read(&record, &view));
  assert_int_equal(view.function_count, 2);
  assert_string_equal(view.functions[0].name, "malloc");
  assert_int_equal(view.functions[0].calls, 100);
  assert_int_equal(view.requested_bytes, 10900);
  is_near(view.functions[0].mean_ns, ((99 * 110 + 10010) / 100.0 - 10) / 2);
  assert_true(fabs(view.functions[0].median_ns - 50) < 50 / 8.0);
  assert_true(fabs(view.functions[0].p99_ns - 50) < 50 / 4.0);
  assert_string_equal(view.functions[1].name, "free");
  is_near(view.functions[1].mean_ns, 0);
}

static void test_clock_stood_still(void **state) {
  (void)state;
  record.last_ticks = record.begin_ticks;
  call(HP_METER_MALLOC, 110, 100);
  assert_null(hp_meter_read(&record, &view));
  is_near(view.functions[0].mean_ns, 0);
}

/* 3 chunks, one of them a mapping: 8 bytes of head each, and 8 more. */
static void test_arenas(void **state) {
  (void)state;
  record.sample_count = 1;
  record.samples[0] =
      (struct hp_meter_sample){.usable_bytes = 5000, .chunks = 3};
  record.arenas = (struct hp_meter_arenas){.known = 1,
                                           .arenas = 2,
                                           .mmap_bytes = 4096,
                                           .mmap_chunks = 1,
                                           .in_use_bytes = 1600};
  assert_null(hp_meter_read(&record, &view));
  assert_int_equal(view.arenas.known, 0); /* the end was not seen */
  record.ended = 1;
  assert_null(hp_meter_read(&record, &view));
  assert_int_equal(view.arenas.arenas, 2);
  assert_int_equal(view.cached_bytes, 4096 + 1600 - 5000 - 4 * 8);
  record.arenas.in_use_bytes = 0; /* less than the chunks */
  assert_null(hp_meter_read(&record, &view));
  assert_int_equal(view.cached_bytes, 0);
}

/* Two regions, 30 of 100 and 10 of 50 bytes in their spans. */
static void test_shares(void **state) {
  (void)state;
  record.sample_count = 2;
  record.samples[0] = (struct hp_meter_sample){.live_bytes = 40,
                                               .usable_bytes = 50,
                                               .placed_bytes = 40,
                                               .span_bytes = 150,
                                               .mapped_bytes = 400,
                                               .resident_bytes = 200,
                                               .regions = 2,
                                               .fragmentation_sum = 0.7 + 0.8};
  record.samples[1] =
      (struct hp_meter_sample){.mapped_bytes = 300, .empty_regions = 1};
  record.ended = 1;
  assert_null(hp_meter_read(&record, &view));
  struct hp_meter_shares first = hp_meter_shares_of(&view.samples[0]);
  is_near(first.fragmentation_total, 110 / 150.0);
  is_near(first.fragmentation_mean, 0.75);
  is_near(first.internal, 0.2);
  is_near(first.external, 1 - 50 / 150.0);
  is_near(first.utilisation, 0.1);
  /* An empty region has no fragmentation, and is not taken for 0. */
  is_near(view.end.fragmentation_total, HP_METER_NONE);
  is_near(view.end.fragmentation_mean, HP_METER_NONE);
  is_near(view.end.utilisation, 0);
  is_near(view.mean.fragmentation_total, 110 / 150.0);
  is_near(view.mean.utilisation, 0.05);
  assert_int_equal(view.peak_mapped_bytes, 400);
  assert_int_equal(view.peak_resident_bytes, 200);
  assert_true(view.ended);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_no_meter, begin),
      cmocka_unit_test_setup(test_other_version, begin),
      cmocka_unit_test_setup(test_nothing_allocated, begin),
      cmocka_unit_test_setup(test_long_name, begin),
      cmocka_unit_test_setup(test_buckets, begin),
      cmocka_unit_test_setup(test_times, begin),
      cmocka_unit_test_setup(test_clock_stood_still, begin),
      cmocka_unit_test_setup(test_arenas, begin),
      cmocka_unit_test_setup(test_shares, begin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
