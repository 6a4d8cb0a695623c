/* test_aggregate.c - online aggregates against sums over the whole list.
   Every field of every record, at random times and at the end, many seeds.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate_fixture.h"
#include "history.h"
#include "profile/aggregate_groups.h"
#include "profile/histogram.h"
#include "profile/thread_sums.h"
#include "read/record.h"
#include "reference.h"

enum { SEEDS = 60, STEPS = 6000 };
#define SHORT_TICKS 40u

static const char *const names[HP_TAGS] = {
#define HP_AGGREGATE_FIELD(tag, name, type, text) [tag] = #name,
#include "heapprof_format.def"
};
static const char *const timeline_names[HP_TAGS] = {
#define HP_TIMELINE_FIELD(tag, name, type, text) [tag] = #name,
#include "heapprof_format.def"
};

/* ---- comparing ----------------------------------------------------------- */

struct place {
  uint64_t seed;
  size_t step;
  uint64_t record; /* point or interval */
};

static void require_same(const struct hp_fields *actual,
                         const struct hp_fields *expected,
                         const char *const *tag_names, struct place at) {
  for (unsigned tag = 0; tag < HP_TAGS; tag++) {
    size_t n = expected->counts[tag];
    if (actual->counts[tag] != n)
      fail_msg("seed %" PRIu64 " step %zu record %" PRIu64
               ": %s has %zu numbers instead of %zu",
               at.seed, at.step, at.record, tag_names[tag], actual->counts[tag],
               n);
    for (size_t i = 0; i < n; i++)
      if (actual->values[tag][i] != expected->values[tag][i])
        fail_msg("seed %" PRIu64 " step %zu record %" PRIu64 ": %s[%zu] is "
                 "%" PRIu64 " instead of %" PRIu64,
                 at.seed, at.step, at.record, tag_names[tag], i,
                 actual->values[tag][i], expected->values[tag][i]);
  }
}

static int by_class(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void read_record(struct hp_fields *fields, struct hp_bytes *bytes) {
  assert_false(bytes->failed);
  hp_fields_read(fields, bytes->data, bytes->size);
  bytes->size = 0;
  /* Those of one class stand in a row of four. */
  qsort(fields->values[HP_AGGREGATE_classes],
        fields->counts[HP_AGGREGATE_classes] / 4, 4 * sizeof(uint64_t),
        by_class);
}

/* What is compared at one moment of a history. */
struct moment {
  struct hp_history *history;
  struct hp_chunk_log *all, *own, *live;
  struct hp_reference *peaks; /* one for each point */
  uint64_t end;
  struct place place;
};

static struct hp_fields actual, expected, intervals[HP_TIMELINE_MAX];

/* The record of POINT with LIVE chunks, PUT_AT_A_TIME of them. */
enum { PUT_AT_A_TIME = 3 };
static bool put_record(struct hp_bytes *to, uint32_t point, uint64_t end,
                       const struct hp_chunk_log *live, size_t count) {
  if (!hp_aggregate_put_begin(point, end))
    return false;
  for (size_t i = 0; i < count; i += PUT_AT_A_TIME)
    hp_aggregate_put_live(&live[i], count - i < PUT_AT_A_TIME ? count - i
                                                              : PUT_AT_A_TIME);
  hp_aggregate_put_end(to);
  return true;
}

static void compare_point(struct moment *m, uint32_t point) {
  static struct hp_bytes bytes;
  size_t live = hp_history_live(m->history, point, m->end, m->live), next = 0;
  struct hp_reference reference = m->peaks[point];
  reference.point = point;
  reference.chunks = m->own;
  reference.end = m->end;
  reference.short_ticks = SHORT_TICKS;
  reference.tau = m->end / 1000;
  for (size_t i = 0; i < m->history->count; i++) {
    const struct hp_past *past = &m->history->chunks[i];
    if (past->chunk.point == point)
      m->own[reference.count++] = past->ended ? past->chunk : m->live[next++];
  }
  bool has = put_record(&bytes, point, m->end, m->live, live);
  assert_int_equal(has, reference.count > 0);
  if (!has)
    return;
  hp_reference_record(&reference, &expected);
  read_record(&actual, &bytes);
  m->place.record = point;
  require_same(&actual, &expected, names, m->place);
}

static void compare_timeline(struct moment *m) {
  static struct hp_bytes bytes;
  size_t count =
      hp_reference_timeline(m->all, m->history->count, m->end, intervals);
  assert_int_equal(hp_aggregate_put_timeline(&bytes, m->end), count);
  struct hp_cursor at = {bytes.data, bytes.data + bytes.size}, record;
  for (size_t i = 0; i < count; i++) {
    assert_true(hp_take_record(&at, &record));
    hp_fields_read(&actual, record.at, (size_t)(record.end - record.at));
    m->place.record = i;
    require_same(&actual, &intervals[i], timeline_names, m->place);
  }
  assert_ptr_equal(at.at, at.end);
  bytes.size = 0;
}

static void compare(struct hp_history *h, uint64_t seed, size_t step) {
  struct moment m = {.history = h,
                     .all = calloc(h->count + 1, sizeof *m.all),
                     .own = calloc(h->count + 1, sizeof *m.own),
                     .live = calloc(h->count + 1, sizeof *m.live),
                     .peaks = calloc(h->points, sizeof *m.peaks),
                     .end = h->now + hp_history_random(h, 2) *
                                         hp_history_random(h, 1000),
                     .place = {seed, step, 0}};
  assert_true(m.all && m.own && m.live && m.peaks);
  for (size_t i = 0; i < h->count; i++) {
    m.all[i] = h->chunks[i].chunk;
    if (!h->chunks[i].ended)
      m.all[i].flags |= HP_CHUNK_LIVE;
  }
  struct hp_reference_peak peak;
  hp_reference_peaks(m.all, h->count, h->points, m.peaks, &peak);
  struct hp_aggregate_totals totals;
  hp_aggregate_totals(&totals);
  assert_int_equal(totals.peak_bytes, peak.bytes);
  assert_int_equal(totals.peak_chunks, peak.chunks);
  assert_int_equal(totals.peak_time, peak.time);
  assert_int_equal(totals.chunks, h->live_count);
  assert_int_equal(totals.orphans, 0);
  assert_false(totals.failed);
  for (uint32_t point = 0; point < h->points; point++)
    compare_point(&m, point);
  compare_timeline(&m);
  h->now = m.end; /* no event is before what was put */
  h->has_begun = true;
  free(m.all);
  free(m.own);
  free(m.live);
  free(m.peaks);
}

/* ---- histories ----------------------------------------------------------- */

static void random_histories_equal_the_reference(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct hp_history h;
    hp_history_begin(&h, seed);
    assert_true(hp_aggregate_start(SHORT_TICKS, false));
    compare(&h, seed, 0);
    size_t steps = seed % 5 == 0 ? STEPS : STEPS / 10;
    for (size_t step = 1; step <= steps; step++) {
      hp_history_step(&h);
      if (step % (steps / 3) == 0 || step == 40)
        compare(&h, seed, step);
    }
    hp_history_end(&h);
  }
}

/* ---- groups -------------------------------------------------------------- */

static void one_tick(uint32_t point, uint64_t t0) {
  const struct hp_chunk_log chunk = {
      .weight = 1, .t0 = t0, .t1 = t0 + 1, .point = point};
  hp_aggregate_begin(point, t0, 0, 1);
  hp_aggregate_end(&chunk);
}

static void groups_never_outnumber_a_thousand_and_one(void **state) {
  (void)state;
  struct hp_bytes bytes = {0};
  assert_true(hp_aggregate_start(0, false));
  uint64_t t = 0;
  for (int i = 0; i < 200000; i++)
    one_tick(0, t += t / 1000 + 1);
  size_t memory = hp_aggregate_memory();
  assert_true(memory < 400000);
  assert_true(put_record(&bytes, 0, t, NULL, 0));
  read_record(&actual, &bytes);
  assert_true(actual.counts[HP_AGGREGATE_groups] / 6 <= 1001);
  assert_int_equal(actual.counts[HP_AGGREGATE_tau], 0);
  hp_bytes_free(&bytes);
}

/* More groups than the budget has room for: the record says which tau it was
   merged by, and is what that tau gives. */
static void
groups_beyond_the_budget_are_merged_by_a_tau_that_is_said(void **state) {
  (void)state;
  enum { POINTS = 3000, EACH = 700 };
  struct hp_bytes bytes = {0};
  assert_true(hp_aggregate_start(0, false));
  static struct hp_chunk_log chunks[EACH];
  for (uint64_t i = 0; i < EACH; i++)
    for (uint32_t point = 0; point < POINTS; point++)
      one_tick(point, 1000000 + i * 10000 + i % 7 * 500 + point / 1000);
  const uint64_t end = 1000000 + 10000 * EACH;
  /* Parts grow by a quarter, and those given back may be of another size. */
  assert_true(hp_aggregate_memory() <
              HP_GROUPS_BUDGET / 4 * 5 + POINTS * (288 + 2048) + (8 << 20));
  size_t merged = 0;
  for (uint32_t point = 0; point < POINTS; point++) {
    assert_true(put_record(&bytes, point, end, NULL, 0));
    read_record(&actual, &bytes);
    merged += actual.counts[HP_AGGREGATE_tau];
    for (uint64_t i = 0; i < EACH; i++) {
      chunks[i].t0 = 1000000 + i * 10000 + i % 7 * 500 + point / 1000;
      chunks[i].t1 = chunks[i].t0 + 1;
      chunks[i].point = point;
    }
    const struct hp_reference reference = {
        .point = point,
        .chunks = chunks,
        .count = EACH,
        .end = end,
        .tau = actual.counts[HP_AGGREGATE_tau]
                   ? actual.values[HP_AGGREGATE_tau][0]
                   : end / 1000};
    hp_reference_record(&reference, &expected);
    require_same(&actual, &expected, names, (struct place){0, 0, point});
  }
  assert_true(merged > POINTS / 10);
  assert_true(merged < POINTS);
  hp_bytes_free(&bytes);
}

/* ---- generations --------------------------------------------------------- */

/* The record counts them to 16 bits, and what is beside it the rest. */
static void generations_are_counted_beyond_what_a_record_holds(void **state) {
  (void)state;
  enum { MANY = 3 * 65536 + 7 };
  assert_true(hp_aggregate_start(0, false));
  hp_thread_sums_start();
  assert_int_equal(hp_aggregate_generations(1), 0);
  for (uint64_t i = 1; i <= MANY; i++)
    one_tick(1, 2 * i);
  uint64_t chunks, bytes;
  hp_aggregate_counts(1, &chunks, &bytes);
  assert_int_equal(chunks, MANY);
  assert_int_equal(hp_aggregate_generations(1), MANY);
  one_tick(2, 2 * MANY + 2);
  assert_int_equal(hp_aggregate_generations(2), 1);
  for (uint64_t i = 0; i < 5; i++) /* four begin when another is live */
    hp_aggregate_begin(2, 2 * MANY + 10 + i, 0, 1);
  assert_int_equal(hp_aggregate_generations(2), 2);
  for (uint64_t i = 0; i < 3; i++) /* each begins when the one before ends */
    one_tick(3, 2 * MANY + 20 + i);
  assert_int_equal(hp_aggregate_generations(3), 3);
}

/* ---- the rest ------------------------------------------------------------ */

enum { FEW_POINTS = 1024 };
/* What COUNT chunks more of each point take, in turns. */
static size_t memory_of(uint64_t first, uint64_t count) {
  const size_t before = hp_aggregate_memory();
  for (uint64_t i = first; i < first + count; i++)
    for (uint32_t point = 0; point < FEW_POINTS; point++)
      one_tick(point, 100000 + i);
  return hp_aggregate_memory() - before;
}

/* 16 bytes each, in blocks that double; what is given back makes up half of the larger
   ones, and of the lists that the records replace nothing is left in use. */
static void few_chunks_take_no_record(void **state) {
  (void)state;
  assert_true(hp_aggregate_start(0, false));
  assert_int_equal(memory_of(0, 1), FEW_POINTS * 16);
  assert_int_equal(memory_of(1, 1), FEW_POINTS * 32);
  assert_in_range(memory_of(2, 1), FEW_POINTS * 32, FEW_POINTS * 34);
  assert_int_equal(memory_of(3, 1), 0);
  assert_in_range(memory_of(4, 1), FEW_POINTS * 64, FEW_POINTS * 68);
  assert_int_equal(memory_of(5, 3), 0);
  assert_int_equal(memory_of(8, 1), FEW_POINTS * 192);
  assert_int_equal(memory_of(9, 100), 0);
}

/* Of points that have one chunk each: it lives, has ended, or was accessed, too. */
static void an_only_chunk_takes_no_record(void **state) {
  (void)state;
  enum { POINTS = 999 };
  assert_true(hp_aggregate_start(0, false));
  size_t before = hp_aggregate_memory();
  for (uint32_t point = 0; point < POINTS; point++) {
    const struct hp_chunk_log chunk = {.weight = 1,
                                       .t0 = 1000 * (uint64_t)point + 100,
                                       .t1 = 1000 * (uint64_t)point + 900,
                                       .first = 1000 * (uint64_t)point + 200,
                                       .last = 1000 * (uint64_t)point + 300,
                                       .size = point,
                                       .reads = point % 3 == 2,
                                       .point = point};
    hp_aggregate_begin(point, chunk.t0, chunk.size, 1);
    if (point % 3)
      hp_aggregate_end(&chunk);
  }
  assert_int_equal(hp_aggregate_memory() - before,
                   POINTS * 16 + POINTS / 3 * 32);
}

static uint64_t field_of(uint32_t point, unsigned tag) {
  static struct hp_bytes bytes;
  bytes.size = 0;
  assert_true(put_record(&bytes, point, (uint64_t)1 << 50, NULL, 0));
  read_record(&actual, &bytes);
  return actual.counts[tag] ? actual.values[tag][0] : 0;
}

/* Events come in an order that is not always that of their times: who was live
   when the peak came counts. */
static void
only_chunk_was_live_at_the_peak_by_the_order_of_events(void **state) {
  (void)state;
  enum { EARLY, LATE_END, LATER, PEAK, LATE_BEGIN };
  const struct hp_chunk_log
      early = {.weight = 1, .t0 = 100, .t1 = 110, .size = 100, .point = EARLY},
      late = {.weight = 1, .t0 = 120, .t1 = 250, .size = 10, .point = LATE_END};
  assert_true(hp_aggregate_start(0, false));
  hp_aggregate_begin(EARLY, early.t0, early.size, 1);
  hp_aggregate_end(&early);
  hp_aggregate_begin(LATE_END, late.t0, late.size, 1);
  hp_aggregate_begin(LATER, 300, 10, 1);
  hp_aggregate_begin(PEAK, 200, 500, 1); /* stepped back */
  hp_aggregate_end(&late);
  hp_aggregate_begin(LATE_BEGIN, 280, 0, 1);
  assert_int_equal(field_of(EARLY, HP_AGGREGATE_at_peak_chunks), 0);
  assert_int_equal(field_of(LATE_END, HP_AGGREGATE_at_peak_chunks), 1);
  assert_int_equal(field_of(LATER, HP_AGGREGATE_at_peak_chunks), 1);
  assert_int_equal(field_of(PEAK, HP_AGGREGATE_at_peak_chunks), 1);
  assert_int_equal(field_of(LATE_BEGIN, HP_AGGREGATE_at_peak_chunks), 0);
}

/* Beyond what an entry has bits for. */
static void only_chunk_may_be_large_and_live_for_long(void **state) {
  (void)state;
  assert_true(hp_aggregate_start(0, false));
  for (unsigned bits = 10; bits < 49; bits++) {
    const struct hp_chunk_log chunk = {.weight = 1,
                                       .t0 = ((uint64_t)1 << bits) + 1,
                                       .t1 = (uint64_t)1 << (bits + 1),
                                       .size = (uint64_t)1
                                               << (bits % 2 ? bits : 3),
                                       .point = bits};
    hp_aggregate_begin(bits, chunk.t0, chunk.size, 1);
    assert_int_equal(field_of(bits, HP_AGGREGATE_bytes), chunk.size);
    assert_int_equal(field_of(bits, HP_AGGREGATE_groups), chunk.t0);
    hp_aggregate_end(&chunk);
    assert_int_equal(field_of(bits, HP_AGGREGATE_size_max), chunk.size);
    assert_int_equal(field_of(bits, HP_AGGREGATE_life_max),
                     chunk.t1 - chunk.t0);
    assert_int_equal(field_of(bits, HP_AGGREGATE_groups), chunk.t0);
  }
}

/* All begin before the first ends: the first ones are still told from the later
   ones.  Of accesses that nobody knew when chunks began, none is of the first. */
static void first_chunks_are_known_before_any_has_ended(void **state) {
  (void)state;
  enum { COUNT = 100 };
  static struct hp_bytes bytes;
  for (int unknown = 0; unknown < 2; unknown++) {
    assert_true(hp_aggregate_start(10000, false));
    hp_aggregate_without_accesses = unknown;
    for (uint64_t i = 0; i < COUNT; i++)
      hp_aggregate_begin(0, 100 + i, 8, 1);
    hp_aggregate_without_accesses = false;
    for (uint64_t i = 0; i < COUNT; i++) {
      const struct hp_chunk_log chunk = {.weight = 1,
                                         .t0 = 100 + i,
                                         .t1 = 1000 + i,
                                         .first = 200 + i,
                                         .last = 300 + i,
                                         .size = 8,
                                         .reads = 1,
                                         .step = UINT32_MAX,
                                         .flags = HP_CHUNK_EXACT};
      hp_aggregate_end(&chunk);
    }
    bytes.size = 0;
    assert_true(put_record(&bytes, 0, 2000, NULL, 0));
    read_record(&actual, &bytes);
    const uint64_t *first = actual.values[HP_AGGREGATE_sample_first];
    assert_int_equal(actual.counts[HP_AGGREGATE_sample_first] != 0, !unknown);
    if (!unknown)
      assert_int_equal(first[0], HP_FIRST_CHUNKS);
    assert_int_equal(actual.values[HP_AGGREGATE_sample_later][0],
                     unknown ? COUNT : COUNT - HP_FIRST_CHUNKS);
  }
}

/* Each value has one digit less than the one before, or one more. */
static void histogram_has_room_for_what_occurs(void **state) {
  (void)state;
  for (int descends = 0; descends < 2; descends++) {
    struct hp_pool pool = {0};
    struct hp_bytes put = {0};
    uint32_t histogram = 0;
    assert_true(hp_pool_start(&pool, 1 << 20, 1 << 20));
    for (unsigned i = 0; i <= 64; i++) {
      unsigned digits = descends ? 64 - i : i;
      uint64_t value = digits ? UINT64_MAX >> (64 - digits) : 0;
      assert_true(hp_histogram_count(&histogram, &pool, value, digits + 1));
    }
    hp_histogram_put(histogram, &pool, &put);
    assert_int_equal(put.size, 66);
    for (unsigned i = 0; i <= 65; i++)
      assert_int_equal(put.data[i], i); /* from 0 on: 1, 2, 3 ... */
    /* Two blocks of each size up to 1 KiB. */
    assert_true(pool.arena.used <= 2 * 2048);
    hp_bytes_free(&put);
  }
}

static void a_new_window_forgets_the_old_one(void **state) {
  (void)state;
  struct hp_bytes bytes = {0};
  assert_true(hp_aggregate_start(0, false));
  for (uint64_t i = 0; i < 1000; i++)
    hp_aggregate_begin(7, i * i, i, 1);
  assert_true(hp_aggregate_start(0, false));
  assert_false(put_record(&bytes, 7, 1000000, NULL, 0));
  struct hp_aggregate_totals totals;
  hp_aggregate_totals(&totals);
  assert_int_equal(totals.chunks, 0);
  assert_int_equal(totals.peak_bytes, 0);
  assert_int_equal(totals.points, 0);
  one_tick(7, 5);
  assert_true(put_record(&bytes, 7, 10, NULL, 0));
  read_record(&actual, &bytes);
  assert_int_equal(actual.values[HP_AGGREGATE_chunks][0], 1);
  hp_bytes_free(&bytes);
}

static void end_without_a_beginning_is_counted_and_left_out(void **state) {
  (void)state;
  assert_true(hp_aggregate_start(0, false));
  const struct hp_chunk_log chunk = {
      .weight = 1, .t0 = 1, .t1 = 2, .size = 8, .point = 3};
  hp_aggregate_end(&chunk);
  struct hp_aggregate_totals totals;
  hp_aggregate_totals(&totals);
  assert_int_equal(totals.orphans, 1);
  assert_int_equal(totals.bytes, 0);
  /* Of another one that is smaller, neither. */
  hp_aggregate_begin(3, 3, 4, 1);
  hp_aggregate_end(&chunk);
  hp_aggregate_totals(&totals);
  assert_int_equal(totals.orphans, 2);
  assert_int_equal(totals.bytes, 4);
}

static void moved_chunk_counts_where_it_is(void **state) {
  (void)state;
  struct hp_bytes bytes = {0};
  assert_true(hp_aggregate_start(0, false));
  hp_aggregate_begin(1, 10, 100, 1);
  hp_aggregate_move(1, 2, 10, 100, 1);
  assert_false(put_record(&bytes, 1, 50, NULL, 0));
  const struct hp_chunk_log chunk = {
      .weight = 1, .t0 = 10, .t1 = 30, .size = 100, .point = 2};
  hp_aggregate_end(&chunk);
  assert_true(put_record(&bytes, 2, 50, NULL, 0));
  read_record(&actual, &bytes);
  assert_int_equal(actual.values[HP_AGGREGATE_bytes][0], 100);
  assert_int_equal(actual.values[HP_AGGREGATE_peak_bytes][0], 100);
  assert_int_equal(actual.values[HP_AGGREGATE_at_peak_bytes][0], 100);
  struct hp_aggregate_totals totals;
  hp_aggregate_totals(&totals);
  assert_int_equal(totals.chunks, 0);
  assert_int_equal(totals.peak_bytes, 100);
  assert_int_equal(totals.orphans, 0);
  hp_bytes_free(&bytes);
}

static void without_memory_no_record_is_put(void **state) {
  (void)state;
  struct hp_bytes bytes = {0};
  assert_true(hp_aggregate_start(0, false));
  one_tick(1, 5);
  hp_fixture_commits_left = 0;
  one_tick(1u << 25, 6);
  hp_fixture_commits_left = SIZE_MAX;
  struct hp_aggregate_totals totals;
  hp_aggregate_totals(&totals);
  assert_true(totals.failed);
  assert_false(put_record(&bytes, 1, 10, NULL, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_histories_equal_the_reference),
      cmocka_unit_test(groups_never_outnumber_a_thousand_and_one),
      cmocka_unit_test(
          groups_beyond_the_budget_are_merged_by_a_tau_that_is_said),
      cmocka_unit_test(generations_are_counted_beyond_what_a_record_holds),
      cmocka_unit_test(few_chunks_take_no_record),
      cmocka_unit_test(an_only_chunk_takes_no_record),
      cmocka_unit_test(only_chunk_was_live_at_the_peak_by_the_order_of_events),
      cmocka_unit_test(only_chunk_may_be_large_and_live_for_long),
      cmocka_unit_test(first_chunks_are_known_before_any_has_ended),
      cmocka_unit_test(histogram_has_room_for_what_occurs),
      cmocka_unit_test(a_new_window_forgets_the_old_one),
      cmocka_unit_test(end_without_a_beginning_is_counted_and_left_out),
      cmocka_unit_test(moved_chunk_counts_where_it_is),
      cmocka_unit_test(without_memory_no_record_is_put),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
