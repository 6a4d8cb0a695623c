/* test_contents.c - what chunks hold, by point: ended ones and, of a dump, live
   ones; several threads; what a window forgets.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/contents.h"

#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "chunk/free_stack.h"
#include "chunk/reallocate.h"
#include "heap/heap.h"
#include "hook_abi.h"
#include "options/options.h"
#include "system_double.h"
#include "thread/thread.h"

#include <pthread.h>
#include <string.h>

static void begin(bool contents, bool exact) {
  hp_options.contents = contents;
  hp_options.exact_time = exact;
  hp_contents_start();
  hp_free_stacks_start();
}

/* One call in one place is one point: no loop is to be unrolled. */
static volatile int one = 1;

static int start(void **state) {
  (void)state;
  double_start();
  return 0;
}

/* A chunk of SIZE bytes, all of them VALUE. */
HP_NOINLINE static void *hold(size_t size, int value, uint32_t *point) {
  struct hp_request request = {
      .size = size, .entry = HP_ENTRY_MALLOC, .caller = HP_CALLER()};
  char *p = hp_allocate(&request);
  assert_non_null(p);
  memset(p, value, size);
  p[0] = 1;
  hp_access_range(p, size, HP_ACCESS_WRITE);
  *point = hp_cold_of(hp_chunk_at(p))->point;
  return p;
}

HP_NOINLINE static void deallocate(void *p) {
  struct hp_caller caller = HP_CALLER();
  hp_deallocate(p, &caller);
  __asm__ volatile("" ::: "memory");
}

static void without_the_option_nobody_looks(void **state) {
  (void)state;
  uint32_t point;
  begin(false, false);
  assert_int_equal(hp_contents_of, 0);
  deallocate(hold(100, 2, &point));
  assert_int_equal(hp_contents_sum_of(point).chunks, 0);
}

static void sums_of_a_point(void **state) {
  (void)state;
  uint32_t point = 0;
  begin(true, true);
  for (int i = 0; i < 102; i += one)
    deallocate(hold(i == 101 ? 101 : 100, i < 100 ? 2 + i % 10 : 0, &point));
  const struct hp_contents_sum sum = hp_contents_sum_of(point);
  assert_int_equal(sum.chunks, 102);
  assert_int_equal(sum.bytes, 10201);
  assert_int_equal(sum.chosen_chunks, 0); /* each stands for itself */
  assert_int_equal(sum.zero, 99 + 100);
  assert_int_equal(sum.sparse_chunks, 2);
  assert_int_equal(sum.sparse_bytes, 201);
  assert_int_equal(sum.uniform_chunks, 0);
  assert_int_equal(sum.different, 12); /* the last two are of other sizes */
  assert_int_equal(sum.different_bytes, 1201);
  assert_int_equal(sum.single, 2);
  assert_int_equal(sum.single_bytes, 201);
  assert_int_equal(sum.unkept, 0);
  struct hp_content_bits bits;
  hp_contents_bits_of(&bits, point);
  assert_int_equal(bits.chunks, 102);
  assert_int_equal(bits.words[0] & 0xff, 1);
  assert_int_equal(bits.words[0] >> 56, 15);    /* 2 to 11 */
  assert_int_equal(bits.words[12], 0x0f0f0f0f); /* of 100 bytes, and one of 0 */
  assert_int_equal(bits.words[13], 0);
  begin(true, true);
  assert_int_equal(hp_contents_sum_of(point).chunks, 0);
}

static void live_ones_are_of_one_dump(void **state) {
  (void)state;
  uint32_t point = 0;
  static const int values[] = {2, 3, 2, 3, 4, 4}; /* the first three end */
  char *chunks[6], **live = chunks + 3;
  begin(true, true);
  for (int i = 0; i < 6; i += one)
    chunks[i] = hold(100, values[i], &point);
  for (int i = 0; i < 3; i++)
    deallocate(chunks[i]);
  for (int dump = 0; dump < 2; dump++) {
    struct hp_contents_sum sum = hp_contents_sum_of(point);
    struct hp_content_bits bits;
    hp_contents_bits_of(&bits, point);
    assert_int_equal(bits.words[1] & 0xff, 3);
    assert_int_equal(sum.chunks, 3);
    assert_int_equal(sum.different, 2);
    assert_int_equal(sum.single, 1);
    hp_contents_begin_dump();
    for (int i = 0; i < 3; i++) {
      const struct hp_chunk *chunk = hp_chunk_at(live[i]);
      hp_contents_add_live(
          &sum, &bits,
          &(struct hp_chunk_reference){
              .t0 = hp_cold_of(chunk)->t0, .point = point, .chunk = chunk});
    }
    hp_contents_end_dump();
    assert_int_equal(sum.chunks, 6);
    assert_int_equal(bits.chunks, 6);
    assert_int_equal(bits.words[1] & 0xff, 7);
    assert_int_equal(sum.different, 3);
    assert_int_equal(sum.single, 0);
  }
  for (int i = 0; i < 3; i++)
    deallocate(live[i]);
}

HP_NOINLINE static void *resize(void *p, size_t size) {
  struct hp_request request = {
      .size = size, .entry = HP_ENTRY_REALLOC, .caller = HP_CALLER()};
  return hp_reallocate(p, &request);
}

static void realloc_ends_one(void **state) {
  (void)state;
  uint32_t point = 0;
  begin(true, true);
  void *p = hold(100, 7, &point);
  p = resize(p, 5000);
  assert_int_equal(hp_contents_sum_of(point).chunks, 1);
  deallocate(p);
  assert_int_equal(hp_contents_sum_of(point).chunks, 1);
}

static void contents_beyond_the_table_differ(void **state) {
  (void)state;
  uint32_t point = 0;
  const uint64_t kept = ((uint64_t)1 << 18) / 4 * 3, all = kept + 1000;
  begin(true, true);
  for (uint64_t i = 0; i < all; i++) {
    char *p = hold(100, 7, &point);
    memcpy(p + 8, &i, sizeof i);
    deallocate(p);
  }
  const struct hp_contents_sum sum = hp_contents_sum_of(point);
  assert_int_equal(sum.chunks, all);
  assert_int_equal(sum.different, all);
  assert_true(sum.unkept >= 1000 && sum.unkept < 2000);
}

static uint32_t shared_point;
static void *end_many(void *arg) {
  for (int i = 0; i < 20000; i++)
    deallocate(hold(64, 2 + i % 5, &shared_point));
  return arg;
}

static void threads_lose_none(void **state) {
  (void)state;
  pthread_t threads[4];
  begin(true, true);
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, end_many, NULL), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  uint64_t chunks = 0;
  for (uint32_t point = 1; point <= shared_point + 4; point++) {
    const struct hp_contents_sum sum = hp_contents_sum_of(point);
    chunks += sum.chunks;
    assert_true(sum.chunks == 0 || (sum.different == 5 && sum.single == 0));
  }
  assert_int_equal(chunks, 80000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(without_the_option_nobody_looks, start),
      cmocka_unit_test(sums_of_a_point),
      cmocka_unit_test(live_ones_are_of_one_dump),
      cmocka_unit_test(realloc_ends_one),
      cmocka_unit_test(contents_beyond_the_table_differ),
      cmocka_unit_test(threads_lose_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
