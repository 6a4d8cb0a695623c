/* test_chunk_store.c - chunks are packed, sorted and come back as they were.
   Fields are as large, and as far apart, as a file may have them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_fixture.h"

#include "chunk_items.h"

static void chunks_are_sorted_by_time_and_thread(void **state) {
  (void)state;
  const struct hp_chunk_log mixed[] = {
      {.t0 = 9, .t1 = 10, .size = 1, .point = 1, .thread = 1},
      {.t0 = 4, .t1 = 10, .size = 2, .point = 1, .thread = 2},
      {.t0 = 4, .t1 = 10, .size = 3, .point = 1, .thread = 1},
      {.t0 = 4, .t1 = 10, .size = 4, .point = 1, .thread = 2},
      {.t0 = 0, .t1 = 10, .size = 5, .point = 1, .thread = 3}};
  struct hp_build build = small;
  build.chunks = mixed;
  build.chunk_count = 5;
  struct fixture f;
  begin(&f, &build);
  struct hp_dump *dump;
  struct hp_error error;
  assert_int_equal(hp_dump_read(&dump, f.dump, &error), HP_OK);
  static const uint64_t sizes[] = {5, 3, 2, 4, 1};
  const struct hp_chunk_log *items = hp_chunk_items(&dump->points[1].chunks);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(items[i].size, sizes[i]);
  hp_dump_close(dump);
  finish(&f);
}

static void many_chunks_out_of_order_are_sorted_and_stable(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  struct hp_chunks sorted = {0};
  for (uint32_t i = 0; i < COUNT; i++) { /* size tells the logged order */
    const struct hp_chunk_log chunk = {
        .t0 = i * 7919u % 50, .size = i, .weight = 1, .thread = i % 3};
    assert_true(hp_chunks_add(&sorted, &chunk));
  }
  struct hp_error error;
  assert_int_equal(hp_chunks_sort(&sorted, &error), HP_OK);
  assert_int_equal(sorted.count, COUNT);
  assert_int_equal(sorted.first_t0, 0);
  const struct hp_chunk_log *items = hp_chunk_items(&sorted);
  for (size_t i = 1; i < COUNT; i++) {
    const struct hp_chunk_log *a = &items[i - 1], *b = &items[i];
    assert_true(a->t0 <= b->t0);
    if (a->t0 == b->t0) {
      assert_true(a->thread <= b->thread);
      if (a->thread == b->thread)
        assert_true(a->size < b->size);
    }
  }
  hp_chunks_free(&sorted);
}

/* Fields as large and as far apart as a file may have them, in runs that
   overlap. */
static void packed_chunks_come_back_as_they_were(void **state) {
  (void)state;
  enum { COUNT = 5000, RUNS = 7 };
  static struct hp_chunk_log all[COUNT];
  struct hp_chunks packed = {0};
  struct hp_error error;
  uint64_t seed = 1;
  for (size_t i = 0; i < COUNT; i++) {
    uint64_t random[12];
    for (size_t k = 0; k < 12; k++) { /* of 0 to 63 bits */
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      random[k] = seed >> (1 + (seed >> 20) % 63);
    }
    bool accessed = random[5] || random[6];
    all[i] = (struct hp_chunk_log){.t0 = i % (COUNT / RUNS),
                                   .t1 = random[1],
                                   .first = accessed ? random[2] : 0,
                                   .last = accessed ? random[3] : 0,
                                   .size = random[4],
                                   .reads = i % 9 ? random[5] : UINT64_MAX,
                                   .writes = random[6],
                                   .lo = random[7] / 2,
                                   .hi = random[7],
                                   .free_pc = random[8],
                                   .step = (uint32_t)random[9],
                                   .weight = (uint32_t)random[10] | 1,
                                   .flags = (uint32_t)random[11] & 127,
                                   .thread = (uint32_t)(i / (COUNT / RUNS)),
                                   .free_thread = (uint32_t)random[0],
                                   .address = i % 5 ? random[3] : 0};
    assert_true(hp_chunks_add(&packed, &all[i]));
  }
  assert_memory_equal(hp_chunk_items(&packed), all, sizeof all);
  assert_int_equal(hp_chunks_sort(&packed, &error), HP_OK);
  assert_int_equal(packed.size, packed.capacity);
  const struct hp_chunk_log *sorted = hp_chunk_items(&packed);
  for (size_t i = 0; i < COUNT; i++) {
    size_t run = sorted[i].thread, at = sorted[i].t0;
    assert_memory_equal(&sorted[i], &all[run * (COUNT / RUNS) + at],
                        sizeof *all);
    if (i)
      assert_true(sorted[i - 1].t0 < at ||
                  (sorted[i - 1].t0 == at && sorted[i - 1].thread < run));
  }
  struct hp_chunk_reader reader = hp_chunks_read(&packed);
  struct hp_chunk_log life;
  for (size_t i = 0; i < COUNT; i++) {
    assert_true(hp_chunks_next_life(&reader, &life));
    assert_int_equal(life.t0, sorted[i].t0);
    assert_true(life.t1 == sorted[i].t1);
    assert_true(life.size == sorted[i].size);
    assert_int_equal(life.weight, sorted[i].weight);
    assert_int_equal(life.flags, sorted[i].flags);
  }
  assert_false(hp_chunks_next_life(&reader, &life));
  hp_chunks_free(&packed);
}

/* In parts of a file, or where there is no room for one in memory. */
static void spilled_chunks_are_sorted_and_read_part_by_part(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  for (int fails = 0; fails < 2; fails++) {
    struct hp_spill spill = {.bound = 1 << 12, .has_failed = fails};
    struct hp_chunks chunks = {.spill = &spill};
    struct hp_error error;
    for (uint32_t i = 0; i < COUNT; i++) { /* two halves that overlap */
      const struct hp_chunk_log chunk = {.t0 = i % (COUNT / 2) * 2 +
                                               i / (COUNT / 2),
                                         .t1 = 1u << 20,
                                         .size = i,
                                         .weight = 1,
                                         .free_pc = i * 1000003u};
      assert_true(hp_chunks_add(&chunks, &chunk));
      if (i % 777 == 0)
        hp_chunks_spill(&chunks);
    }
    assert_int_equal(chunks.parts == NULL, fails);
    assert_int_equal(hp_chunks_sort(&chunks, &error), HP_OK);
    assert_int_equal(chunks.parts == NULL, fails);
    assert_int_equal(chunks.count, COUNT);
    struct hp_chunk_reader reader = hp_chunks_read(&chunks);
    struct hp_chunk_reader lives = hp_chunks_read(&chunks);
    struct hp_chunk_log chunk, life;
    for (uint32_t i = 0; i < COUNT; i++) {
      assert_true(hp_chunks_next(&reader, &chunk));
      assert_int_equal(chunk.t0, i);
      assert_int_equal(chunk.size, i / 2 + i % 2 * (COUNT / 2));
      assert_int_equal(chunk.free_pc, (uint32_t)chunk.size * 1000003u);
      assert_true(hp_chunks_next_life(&lives, &life));
      assert_int_equal(life.size, chunk.size);
    }
    assert_false(hp_chunks_next(&reader, &chunk));
    assert_false(hp_chunks_next_life(&lives, &life));
    hp_chunks_free(&chunks);
    assert_int_equal(spill.tails, 0);
    hp_spill_close(&spill);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chunks_are_sorted_by_time_and_thread),
      cmocka_unit_test(many_chunks_out_of_order_are_sorted_and_stable),
      cmocka_unit_test(packed_chunks_come_back_as_they_were),
      cmocka_unit_test(spilled_chunks_are_sorted_and_read_part_by_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
