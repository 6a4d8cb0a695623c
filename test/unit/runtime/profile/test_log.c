/* test_log.c - the chunk log: what its budget keeps, and who writes it when.
   The library reads it back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer_fixture.h"

#include <unistd.h>

#include "chunk_items.h"
#include "dump/log_file.h"
#include "profile/log.h"
#include "profile/log_budget.h"

/* What is logged is on disk before the dump is finished, and can be read. */
static void test_log_is_written_as_it_goes(void **state) {
  (void)state;
  enum { COUNT = 10000 };
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  for (uint64_t i = 0; i < COUNT; i++)
    hp_log_append(
        &(struct hp_chunk_log){.weight = 1, .t0 = i, .point = 1, .thread = 1});
  uint64_t written = hp_log_counts().chunks;
  assert_true(written > COUNT / 2 && written < COUNT);
  struct hp_dump *dump = hp_fixture_read("heapprof.app.42");
  assert_false(dump->complete);
  assert_int_equal(hp_fixture_point(dump, 1)->chunks.count, written);
  hp_dump_close(dump);
  dump = hp_fixture_round_trip(NULL);
  assert_int_equal(hp_fixture_point(dump, 1)->chunks.count, COUNT);
  hp_dump_close(dump);
}

static void log_many(uint32_t point, size_t count) {
  for (size_t i = 0; i < count; i++)
    hp_log_append(&(struct hp_chunk_log){
        .weight = 1, .t0 = i, .t1 = i, .size = i, .point = point, .thread = 1});
}

/* 8 chunks, 16 of every second, 16 of every fourth, ...: a point is thinned
   alone; sizes are sequence numbers. */
static void test_budget_of_a_point(void **state) {
  (void)state;
  hp_options.chunk_log = "budget";
  hp_options.chunk_log_point = 8;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  log_many(1, 8 + 16 * 2 + 16 * 4 + 3 * 8);
  log_many(2, 8);
  assert_int_equal(hp_log_counts().thinned, 128 + 8 - 51);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_chunks *read = &hp_fixture_point(dump, 1)->chunks;
  assert_int_equal(read->count, 8 + 16 + 16 + 3);
  const struct hp_chunk_log *items = hp_chunk_items(read);
  static const struct {
    size_t count;
    uint32_t weight;
  } steps[] = {{8, 1}, {16, 2}, {16, 4}, {3, 8}};
  uint64_t size = 0;
  for (size_t step = 0; step < 4; step++)
    for (size_t i = 0; i < steps[step].count; i++, items++) {
      assert_int_equal(items->weight, steps[step].weight);
      assert_in_range(items->size, size, size + items->weight - 1);
      size += items->weight; /* it is one of as many as it stands for */
    }
  assert_int_equal(hp_fixture_point(dump, 2)->chunks.count, 8);
  assert_int_equal(dump->end.chunks, 51);
  hp_dump_close(dump);
}

/* Points that begin in any order, of which some never have another chunk, are thinned
   each alone; what is weighed for another dump meanwhile is forgotten. */
static void test_budgets_of_neighbours(void **state) {
  (void)state;
  enum { POINTS = 61, EACH = 8 + 16 * 2, STEP = 24 };
  hp_options.chunk_log = "budget";
  hp_options.chunk_log_point = 8;
  for (uint32_t point = 1; point <= POINTS; point++)
    hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  for (uint32_t i = 0; i < POINTS * EACH; i++) {
    const uint32_t point = 1 + i * STEP % POINTS;
    if (point % 7 && i % 300 == 299) {
      hp_log_set_aside();
      for (uint32_t j = 0; j < 20 * i; j++)
        hp_log_weigh(1 + j % (2 * POINTS));
      hp_log_put_back();
    }
    if (point % 7 || i < POINTS)
      log_many(point, 1);
  }
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  for (uint32_t point = 1; point <= POINTS; point++)
    assert_int_equal(hp_fixture_point(dump, point)->chunks.count,
                     point % 7 ? 8 + 16 : 1);
  hp_dump_close(dump);
}

/* What budgets say by their rule alone: nothing is known ahead. */
#define PLAIN_POINTS (2 * HP_LOG_PASSING)
static struct plain {
  struct hp_log_budget total, of[PLAIN_POINTS];
  bool begun[PLAIN_POINTS], budgeted[PLAIN_POINTS];
} plain, plain_aside;

static uint32_t weigh_plainly(uint32_t point) {
  struct hp_log_budget *of = &plain.of[point], *total = &plain.total;
  const bool is_first = !plain.begun[point];
  plain.begun[point] = true;
  if (is_first) {
    hp_log_spend(total, hp_options.chunk_log_total);
    return 1;
  }
  if (!plain.budgeted[point])
    hp_log_spend(of, hp_options.chunk_log_point);
  plain.budgeted[point] = true;
  if (!of->left) {
    of->group =
        of->coarseness > total->coarseness ? of->coarseness : total->coarseness;
    of->left = (1u << of->group) & ((1u << HP_LOG_COARSEST) - 1);
  }
  of->left--;
  const bool keeps = of->left == hp_log_choose(point, of);
  if (!of->left)
    hp_log_spend(of, hp_options.chunk_log_point);
  if (!keeps)
    return 0;
  hp_log_spend(total, hp_options.chunk_log_total);
  return 1u << of->group;
}

/* Points that share a place among those whose next chunks are left out, come late,
   and are set aside: each chunk is as the rule says. */
static void test_budgets_known_ahead(void **state) {
  (void)state;
  hp_options.chunk_log = "budget";
  hp_options.chunk_log_point = 8;
  hp_options.chunk_log_total = 4000;
  uint64_t number = 1;
  size_t passed = 0;
  for (uint32_t i = 0; i < 400000; i++) {
    number = number * 6364136223846793005u + 1442695040888963407u;
    const uint32_t any = (uint32_t)(number >> 33);
    uint32_t point = any % 8 ? any % 64 : any % (1 + i / 800);
    if (any % 5 == 0)
      point += HP_LOG_PASSING;
    if (i % 50000 == 25000) {
      hp_log_set_aside();
      plain_aside = plain;
    } else if (i % 50000 == 30000) {
      hp_log_put_back();
      plain = plain_aside;
    }
    const bool passes = any % 3 && hp_log_passes(point);
    passed += passes;
    assert_int_equal(passes ? 0 : hp_log_weigh(point), weigh_plainly(point));
  }
  assert_true(passed > 100000);
}

/* Every point is thinned once all together have used their budget. */
static void test_budget_of_all_points(void **state) {
  (void)state;
  hp_options.chunk_log = "budget";
  hp_options.chunk_log_total = 100;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  log_many(1, 100);
  log_many(2, 21); /* the first, and one of every two */
  assert_int_equal(hp_log_counts().thinned, 10);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(hp_fixture_point(dump, 1)->chunks.count, 100);
  assert_int_equal(hp_fixture_point(dump, 2)->chunks.count, 11);
  hp_dump_close(dump);
}

/* A point that begins when all together are thinned keeps its first chunk, which
   stands for itself alone. */
static void test_first_chunk_of_a_late_point(void **state) {
  (void)state;
  hp_options.chunk_log = "budget";
  hp_options.chunk_log_total = 100;
  for (int i = 0; i < 3; i++)
    hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  log_many(1, 100 + 2 * 25); /* 100, then a quarter of that by halves */
  log_many(2, 1);
  log_many(3, 9);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_chunks *one = &hp_fixture_point(dump, 2)->chunks;
  const struct hp_chunks *nine = &hp_fixture_point(dump, 3)->chunks;
  assert_int_equal(one->count, 1);
  assert_int_equal(hp_chunk_items(one)[0].weight, 1);
  assert_int_equal(nine->count, 3);
  assert_int_equal(hp_chunk_items(nine)[0].size, 0);
  assert_int_equal(hp_chunk_items(nine)[0].weight, 1);
  for (size_t i = 0; i < 2; i++) {
    assert_in_range(hp_chunk_items(nine)[1 + i].size, 1 + 4 * i, 4 + 4 * i);
    assert_int_equal(hp_chunk_items(nine)[1 + i].weight, 4);
  }
  hp_dump_close(dump);
}

/* So they stand for as many as there were, but for chance, though the last group
   of none is whole. */
static void test_many_points_of_few_chunks(void **state) {
  (void)state;
  enum { POINTS = 2000, EACH = 11 };
  hp_options.chunk_log = "budget";
  hp_options.chunk_log_total = 4000; /* thinned to one in 32 at last */
  uint64_t begun = 0, stands_for = 0;
  for (uint32_t point = 1; point <= POINTS; point++) {
    hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
    log_many(point, EACH);
    begun += EACH;
  }
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  for (uint32_t point = 1; point <= POINTS; point++) {
    const struct hp_chunks *read = &hp_fixture_point(dump, point)->chunks;
    assert_true(read->count >= 1);
    for (size_t i = 0; i < read->count; i++)
      stands_for += hp_chunk_items(read)[i].weight;
  }
  assert_in_range(stands_for, begun - begun / 10, begun + begun / 10);
  hp_dump_close(dump);
}

static void test_log_of_nothing(void **state) {
  (void)state;
  hp_options.chunk_log = "none";
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  log_many(1, 10);
  assert_int_equal(hp_log_counts().thinned, 10);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->end.chunks, 0);
  assert_int_equal(dump->end.chunk_files, 0);
  hp_dump_close(dump);
}

/* While nothing is written, batches and queue fill up; what then ends is lost,
   takes nothing of the budget, and is counted.  All goes on when there is room. */
static void test_log_of_a_disk_that_hangs(void **state) {
  (void)state;
  enum { COUNT = 1000000 };
  hp_options.dump_compression = 0;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_double.disk_is_slow = true;
  log_many(1, COUNT);
  struct hp_log_counts counts = hp_log_counts();
  assert_int_equal(counts.chunks, 0);
  assert_int_equal(counts.overruns, 1);
  assert_true(counts.dropped > COUNT / 10 && counts.dropped < COUNT);
  assert_null(counts.failure);
  hp_log_write(hp_log_filled());
  assert_int_equal(hp_log_counts().chunks, COUNT - counts.dropped);
  hp_double.disk_is_slow = false;
  log_many(1, 10000);
  assert_int_equal(hp_log_counts().dropped, counts.dropped);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->end.dropped_chunks, counts.dropped);
  assert_int_equal(dump->end.back_pressure, 1);
  assert_int_equal(hp_fixture_point(dump, 1)->chunks.count,
                   COUNT + 10000 - counts.dropped);
  hp_dump_close(dump);
}

/* Who waits for the disk anyway loses nothing. */
static void test_log_that_waits(void **state) {
  (void)state;
  enum { COUNT = 1000000 };
  hp_options.dump_compression = 0;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_double.disk_is_slow = true;
  hp_log_wait(hp_log_write);
  log_many(1, COUNT);
  assert_int_equal(hp_log_counts().dropped, 0);
  assert_int_equal(hp_log_counts().overruns, 0);
  hp_log_wait(NULL);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(hp_fixture_point(dump, 1)->chunks.count, COUNT);
  hp_dump_close(dump);
}

/* A process whose memory was copied leaves its parent's dump alone. */
static void test_log_of_another_process(void **state) {
  (void)state;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  log_many(1, 100);
  hp_double.pid = 43;
  log_many(1, 10000);
  assert_int_equal(access(hp_fixture_path("heapprof.app.43"), F_OK), -1);
  assert_int_equal(access(hp_fixture_path("heapprof.app.42"), F_OK), -1);
  assert_int_equal(hp_log_counts().dropped, 8192);
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, hp_fixture_begin, hp_fixture_end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_log_is_written_as_it_goes),
      TEST(test_budget_of_a_point),
      TEST(test_budgets_of_neighbours),
      TEST(test_budgets_known_ahead),
      TEST(test_budget_of_all_points),
      TEST(test_first_chunk_of_a_late_point),
      TEST(test_many_points_of_few_chunks),
      TEST(test_log_of_nothing),
      TEST(test_log_of_a_disk_that_hangs),
      TEST(test_log_that_waits),
      TEST(test_log_of_another_process),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
