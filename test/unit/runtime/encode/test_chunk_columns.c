/* test_chunk_columns.c - the library reads what the runtime writes of chunks.
   Expectations stand beside the input, never computed by the writer.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunk_items.h"
#include "profile/aggregate.h"
#include "profile/log.h"
#include "system/clock.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void test_chunk_fields(void **state) {
  (void)state;
  const uint64_t start = 5000000000000; /* ticks: a day's uptime */
  const struct hp_chunk_log chunks[] = {
      {.weight = 1, .t0 = start, .t1 = start, .point = 1, .thread = 1},
      /* above 4 GiB, saturated */
      {.weight = 1,
       .t0 = start + 1,
       .t1 = start + (1ull << 62),
       .first = start + 2,
       .last = start + (1ull << 61),
       .size = (1ull << 47) - 1,
       .lo = (1ull << 33) + 7,
       .hi = (1ull << 47) - 1,
       .reads = UINT64_MAX,
       .writes = UINT64_MAX,
       .free_pc = UINT64_MAX,
       .point = 1,
       .thread = UINT32_MAX,
       .free_thread = UINT32_MAX,
       .flags = HP_CHUNK_ZEROED | HP_CHUNK_MULTITHREAD | HP_CHUNK_OVERRUN |
                HP_CHUNK_REALLOC | HP_CHUNK_EXACT},
      /* clocks of two cores disagree: every difference is negative */
      {.weight = 1,
       .t0 = start + 1000,
       .t1 = start + 990,
       .first = start + 900,
       .last = start + 800,
       .size = 16,
       .lo = 0,
       .hi = 16,
       .writes = 1,
       .free_pc = 0x400010,
       .point = 1,
       .thread = 2,
       .free_thread = 1},
      /* zero size, read at its own time */
      {.weight = 1,
       .t0 = start + 2000,
       .t1 = start + 2000,
       .first = start + 2000,
       .last = start + 2000,
       .reads = 1,
       .free_pc = 0x400020,
       .point = 1,
       .thread = 2,
       .free_thread = 2},
      /* never accessed: its times mean nothing and are not kept */
      {.weight = 1,
       .t0 = start + 3000,
       .t1 = start + 4000,
       .first = start + 3500,
       .last = start + 3600,
       .size = 24,
       .free_pc = 0x400030,
       .point = 1,
       .thread = 1,
       .free_thread = 1},
  };
  hp_clock_window_start = start;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_fixture_log(chunks, LENGTH(chunks));
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_chunks *read = &hp_fixture_point(dump, 1)->chunks;
  assert_int_equal(read->count, LENGTH(chunks));
  const struct hp_chunk_log *items = hp_chunk_items(read);
  for (size_t i = 0; i < LENGTH(chunks); i++)
    hp_fixture_same_chunk(&chunks[i], start, &items[i]);
  hp_dump_close(dump);
}

/* The coarse clock may lag behind the window's start by a step. */
static void test_access_before_the_window(void **state) {
  (void)state;
  const struct hp_chunk_log chunk = {.weight = 1,
                                     .t0 = 1000,
                                     .t1 = 1010,
                                     .first = 990,
                                     .last = 1005,
                                     .reads = 1,
                                     .point = 1,
                                     .thread = 1};
  hp_clock_window_start = 1000;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_fixture_log(&chunk, 1);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_chunk_log *items =
      hp_chunk_items(&hp_fixture_point(dump, 1)->chunks);
  assert_int_equal(items[0].first, 0);
  assert_int_equal(items[0].last, 5);
  hp_dump_close(dump);
}

static void test_no_chunk(void **state) {
  (void)state;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->end.chunks, 0);
  assert_int_equal(dump->end.chunk_files, 0);
  assert_int_equal(hp_fixture_point(dump, 1)->chunks.count, 0);
  hp_dump_close(dump);
  assert_int_equal(access(hp_fixture_path("heapprof.app.42/chunks/log"), F_OK),
                   -1);
}

/* Chunks of several points, in several blocks, and 7 without a point. */
static void test_points_of_chunks(void **state) {
  (void)state;
  const size_t counts[] = {7, 4095, 4096, 5000, 1};
  size_t all = 0;
  for (uint32_t point = 0; point < LENGTH(counts); point++) {
    if (point)
      hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
    for (size_t i = 0; i < counts[point]; i++) {
      /* Those of a point come in reverse. */
      struct hp_chunk_log chunk = {.weight = 1,
                                   .t0 = 1000 - i / 7,
                                   .t1 = 1000,
                                   .size = i,
                                   .point = point,
                                   .thread = (uint32_t)(9 - i % 7)};
      hp_log_append(&chunk);
      all++;
    }
  }
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->end.chunks, all);
  /* One of each point that has many in a batch, three for their few, and the last
     batch, of few. */
  assert_int_equal(dump->end.chunk_files, 7);
  for (uint32_t point = 0; point < LENGTH(counts); point++) {
    const struct hp_chunks *chunks = &hp_fixture_point(dump, point)->chunks;
    assert_int_equal(chunks->count, counts[point]);
    const struct hp_chunk_log *items = hp_chunk_items(chunks);
    for (size_t i = 0; i < chunks->count; i++)
      assert_int_equal(items[i].size, counts[point] - 1 - i);
  }
  hp_dump_close(dump);
}

static void test_live_chunks(void **state) {
  (void)state;
  enum { COUNT = 25000 }; /* more than a block of 1 MiB holds twice */
  static struct hp_chunk_log live[COUNT];
  const struct hp_chunk_log ended = {.weight = 1,
                                     .t0 = COUNT / 2,
                                     .t1 = COUNT,
                                     .size = 77,
                                     .point = 1,
                                     .thread = 2};
  const struct hp_dump_totals totals = {.reason = "exit", .end = 1000000};
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  for (unsigned i = 0; i < COUNT; i++)
    live[i] = (struct hp_chunk_log){
        .weight = 1, .t0 = COUNT - i, .size = i, .point = 1, .thread = 1};
  hp_double_live(live, COUNT);
  hp_fixture_log(&ended, 1);
  struct hp_dump *dump = hp_fixture_round_trip(&totals);
  const struct hp_chunks *chunks = &hp_fixture_point(dump, 1)->chunks;
  assert_int_equal(chunks->count, COUNT + 1);
  const struct hp_chunk_log *items = hp_chunk_items(chunks);
  for (unsigned i = 0; i < COUNT; i++) {
    /* t0 = 1, 2, ...; the ended one comes behind that of equal t0. */
    const struct hp_chunk_log *chunk = &items[i < COUNT / 2 ? i : i + 1];
    assert_int_equal(chunk->t0, i + 1);
    assert_int_equal(chunk->size, COUNT - 1 - i);
    assert_int_equal(chunk->t1, 1000000);
    assert_int_equal(chunk->flags, HP_CHUNK_LIVE);
  }
  assert_int_equal(items[COUNT / 2].size, 77);
  assert_int_equal(items[COUNT / 2].flags, 0);
  hp_dump_close(dump);
}

/* Whatever memory is refused while the last dump is taken, once: what is said of
   live chunks is whole, or only their number and bytes, which is counted. */
static void test_live_chunks_without_memory(void **state) {
  (void)state;
  enum { LIVE = 3000 };
  static struct hp_chunk_log live[LIVE];
  unsigned left_out = 0;
  for (unsigned i = 0; i < LIVE; i++)
    live[i] = (struct hp_chunk_log){.weight = 1,
                                    .t0 = i + 1,
                                    .first = i + 2,
                                    .last = i + 2,
                                    .size = 10,
                                    .hi = 10,
                                    .writes = 1,
                                    .point = i % 2 + 1,
                                    .thread = 1};
  hp_double_live(live, LIVE);
  for (unsigned map = 1;; map++) {
    char name[64];
    hp_double_process(100 + (int)map);
    for (unsigned i = 0; i < 2; i++)
      hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
    assert_true(hp_aggregate_start(1000, false));
    for (unsigned i = 0; i < LIVE; i++)
      hp_aggregate_begin(live[i].point, live[i].t0, live[i].size, 1);
    hp_double.map_to_fail = map;
    hp_fixture_write(NULL);
    if (hp_double.map_to_fail) /* there were not so many */
      break;
    snprintf(name, sizeof name, "heapprof.app.%d", hp_double.pid);
    if (hp_double.warnings)
      continue; /* without a writer there is no dump */
    struct hp_dump *dump = hp_fixture_read(name);
    assert_true(dump->complete);
    uint64_t chunks = 0, written = 0;
    for (uint32_t point = 1; point <= 2; point++) {
      const struct hp_summary *sums = hp_fixture_point(dump, point)->summary;
      assert_non_null(sums);
      chunks += sums->chunks;
      written += sums->writes;
    }
    assert_int_equal(chunks, LIVE);
    assert_int_equal(written + dump->end.undescribed_chunks, LIVE);
    assert_int_equal(dump->end.unsettled_chunks, 0);
    assert_int_equal(dump->end.chunks + dump->end.dropped_chunks, LIVE);
    left_out += dump->end.undescribed_chunks != 0;
    hp_dump_close(dump);
  }
  assert_true(left_out > 1);
}

/* Records that contradict what began and ended: of an end that was counted, and
   of a chunk that never began.  Their points' live chunks count as unknown. */
static void test_live_chunks_in_doubt(void **state) {
  (void)state;
  static const struct hp_chunk_log live[] = {
      {.weight = 1, .t0 = 1, .size = 10, .point = 1, .thread = 1},
      {.weight = 1, .t0 = 2, .size = 20, .point = 2, .thread = 1},
      {.weight = 1, .t0 = 3, .size = 30, .point = 2, .thread = 1},
      {.weight = 1, .t0 = 4, .size = 40, .point = 3, .thread = 1}};
  struct hp_chunk_log ended = live[2];
  ended.t1 = 5;
  for (unsigned i = 0; i < 3; i++)
    hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_double_live(live, LENGTH(live));
  assert_true(hp_aggregate_start(1000, false));
  for (unsigned i = 0; i < 3; i++)
    hp_aggregate_begin(live[i].point, live[i].t0, live[i].size, 1);
  hp_aggregate_end(&ended);
  hp_fixture_log(&ended, 1);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->end.unsettled_chunks, 2 + 1);
  const size_t logged[] = {1, 1, 0};
  for (uint32_t point = 1; point <= 3; point++)
    assert_int_equal(hp_fixture_point(dump, point)->chunks.count,
                     logged[point - 1]);
  const struct hp_summary *certain = hp_fixture_point(dump, 1)->summary;
  assert_int_equal(certain->class_count, 1);
  assert_int_equal(certain->classes[0].classes, HP_CLASS_LIVE);
  const struct hp_summary *doubtful = hp_fixture_point(dump, 2)->summary;
  assert_int_equal(doubtful->chunks, 2);
  assert_int_equal(doubtful->bytes, 50);
  assert_int_equal(doubtful->class_count, 2);
  assert_int_equal(doubtful->classes[1].classes,
                   HP_CLASS_LIVE | HP_CLASS_UNKNOWN | HP_CLASS_READ |
                       HP_CLASS_WRITTEN);
  assert_int_equal(doubtful->classes[1].chunks, 1);
  assert_int_equal(doubtful->classes[1].bytes, 20);
  hp_dump_close(dump);
}

static uint64_t random_word(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 16;
}

static int by_point_and_time(const void *a, const void *b) {
  const struct hp_chunk_log *x = a, *y = b;
  if (x->point != y->point)
    return x->point < y->point ? -1 : 1;
  if (x->t0 != y->t0)
    return x->t0 < y->t0 ? -1 : 1;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

/* 300000 random chunks of 50 points: several blocks a file. */
static void test_many_random_chunks(void **state) {
  (void)state;
  enum { COUNT = 300000, POINTS = 50 };
  struct hp_chunk_log *chunks = calloc(COUNT, sizeof *chunks);
  uint64_t seed = 1;
  assert_non_null(chunks);
  for (size_t i = 0; i < COUNT; i++) {
    struct hp_chunk_log *chunk = &chunks[i];
    unsigned bits = (unsigned)(random_word(&seed) % 40);
    /* i in it: no two are equal in (t0, thread), so that qsort will do. */
    chunk->t0 = 1 + (random_word(&seed) % 1000) * COUNT + i;
    chunk->t1 = chunk->t0 + (random_word(&seed) >> bits);
    chunk->weight = 1;
    chunk->size = random_word(&seed) >> bits;
    chunk->reads = random_word(&seed) >> bits;
    if (chunk->reads) {
      chunk->first = chunk->t0 + random_word(&seed) % 1000;
      chunk->last = chunk->first + random_word(&seed) % 1000;
    }
    chunk->hi = chunk->lo + random_word(&seed) % 5;
    chunk->free_pc = random_word(&seed);
    chunk->flags = random_word(&seed) % 64;
    chunk->thread = (uint32_t)(random_word(&seed) % 4 + 1);
    chunk->free_thread = (uint32_t)(random_word(&seed) % 4);
    /* Low points get many, high ones few. */
    chunk->point = (uint32_t)((random_word(&seed) % POINTS) *
                              (random_word(&seed) % POINTS) / POINTS);
  }
  for (uint32_t i = 1; i < POINTS; i++)
    hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_fixture_log(chunks, COUNT);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  qsort(chunks, COUNT, sizeof *chunks, by_point_and_time);
  size_t at = 0;
  for (uint32_t point = 0; point < POINTS; point++) {
    const struct hp_chunks *read = &hp_fixture_point(dump, point)->chunks;
    const struct hp_chunk_log *items = hp_chunk_items(read);
    for (size_t i = 0; i < read->count; i++, at++) {
      assert_int_equal(chunks[at].point, point);
      hp_fixture_same_chunk(&chunks[at], 0, &items[i]);
    }
  }
  assert_int_equal(at, COUNT);
  hp_dump_close(dump);
  assert_true(hp_fixture_whole_blocks("heapprof.app.42") > POINTS / 2);
  free(chunks);
}

static void test_compression_levels(void **state) {
  (void)state;
  const int levels[] = {0, 1, 6, 9, -1, 99};
  struct hp_chunk_log chunks[1000];
  off_t sizes[LENGTH(levels)];
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  for (unsigned i = 0; i < LENGTH(chunks); i++)
    chunks[i] = (struct hp_chunk_log){
        .weight = 1, .t0 = i, .t1 = i + 5, .point = 1, .thread = 1};
  for (unsigned i = 0; i < LENGTH(levels); i++) {
    char name[64];
    struct stat status;
    hp_double_process((int)i + 1);
    hp_options.dump_compression = levels[i];
    hp_fixture_log(chunks, LENGTH(chunks));
    hp_fixture_write(NULL);
    snprintf(name, sizeof name, "heapprof.app.%u", i + 1);
    struct hp_dump *dump = hp_fixture_read(name);
    assert_int_equal(hp_fixture_point(dump, 1)->chunks.count, LENGTH(chunks));
    hp_dump_close(dump);
    snprintf(name, sizeof name, "heapprof.app.%u/chunks/log", i + 1);
    assert_int_equal(stat(hp_fixture_path(name), &status), 0);
    sizes[i] = status.st_size;
  }
  assert_true(sizes[0] > 13 * 1000); /* 13 columns, none compressed */
  assert_true(sizes[1] < sizes[0] / 10);
}

/* With addresses: of each logged chunk, and of all that live though the log is to
   have none; regions as the heap says. */
static void test_addresses(void **state) {
  (void)state;
  static const struct hp_chunk_log live[] = {
      {.weight = 1, .t0 = 9, .size = 8, .point = 1, .thread = 1, .address = 64},
      {.weight = 1, .t0 = 8, .size = 8, .point = 1, .thread = 1, .address = 80},
      {.weight = 1,
       .t0 = 7,
       .size = 8,
       .point = 1,
       .thread = 1,
       .address = UINT64_MAX}};
  static const uint64_t regions[] = {
      0x18000000000,     128, 64, 0, 1, 0x44000000000, (uint64_t)1 << 38,
      (uint64_t)1 << 38, 1,   0};
  hp_options.addresses = true;
  hp_options.chunk_log = "none";
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_double_live(live, LENGTH(live));
  hp_fixture_log(&live[0], 1); /* ended: left out */
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_chunks *chunks = &hp_fixture_point(dump, 1)->chunks;
  assert_int_equal(chunks->count, LENGTH(live));
  for (size_t i = 0; i < LENGTH(live); i++) {
    const struct hp_chunk_log *chunk = &hp_chunk_items(chunks)[i];
    assert_true(chunk->address == live[LENGTH(live) - 1 - i].address);
    assert_int_equal(chunk->weight, 1);
  }
  const uint8_t *list = dump->end.heap_regions_list;
  struct hp_bytes expected = {0};
  for (size_t i = 0; i < LENGTH(regions); i++)
    hp_put_varint(&expected, regions[i]);
  assert_int_equal(dump->end.heap_regions_list_size, expected.size);
  assert_memory_equal(list, expected.data, expected.size);
  hp_bytes_free(&expected);
  hp_dump_close(dump);
}

/* Without it there is neither, whatever the chunks say. */
static void test_no_addresses(void **state) {
  (void)state;
  const struct hp_chunk_log chunk = {.weight = 1,
                                     .t0 = 1,
                                     .t1 = 2,
                                     .size = 8,
                                     .point = 1,
                                     .thread = 1,
                                     .flags = HP_CHUNK_GROWN,
                                     .chain_length = 2,
                                     .copied = 3,
                                     .address = 64};
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_fixture_log(&chunk, 1);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_chunk_log *items =
      hp_chunk_items(&hp_fixture_point(dump, 1)->chunks);
  assert_int_equal(items[0].address, 0);
  assert_int_equal(items[0].copied, 3);
  assert_null(dump->end.heap_regions_list);
  hp_dump_close(dump);
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, hp_fixture_begin, hp_fixture_end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_chunk_fields),
      TEST(test_access_before_the_window),
      TEST(test_no_chunk),
      TEST(test_points_of_chunks),
      TEST(test_live_chunks),
      TEST(test_live_chunks_in_doubt),
      TEST(test_live_chunks_without_memory),
      TEST(test_many_random_chunks),
      TEST(test_compression_levels),
      TEST(test_addresses),
      TEST(test_no_addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
