/* test_filling.c - what of a chunk is initialised and not accessed later.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/filling.h"

#include <string.h>

#include "chunk/allocator.h"
#include "heap/owner.h"
#include "system_double.h"
#include "thread/thread.h"

#define SIZE 1024u /* parts of 16 bytes */

static struct hp_chunk *chunk;
static char *bytes;
static uint32_t point = 6;
static struct hp_fill fill;

/* A chunk of zeros, of a point of its own. */
static int start(void **state) {
  (void)state;
  if (!bytes) {
    struct hp_request request = {.size = SIZE};
    bytes = hp_allocate(&request);
    chunk = hp_owner_of(bytes).chunk;
  }
  hp_fill_start();
  memset(bytes, 0, SIZE);
  struct hp_cold *cold = hp_cold_of(chunk);
  cold->point = ++point;
  cold->word &= ~HP_RECORD_MULTITHREAD;
  assert_false(hp_fill_wants(cold, false)); /* the first of a point */
  assert_true(hp_fill_wants(cold, false));
  hp_fill_begin(&fill, cold);
  return 0;
}

static void write_to(uint64_t from, uint64_t to) {
  assert_true(hp_fill_touch(&fill, from, to, 0, 1));
}

static void read_from(uint64_t from, uint64_t to) {
  assert_true(hp_fill_touch(&fill, from, to, 1, 0));
}

static struct hp_initialised_sum end(bool is_torn) {
  const uintptr_t readers[] = {0x1000, 0x2000};
  const struct hp_fill_end how = {
      .is_torn = is_torn, .readers = readers, .reader_count = 2};
  hp_fill_end(&fill, chunk, hp_cold_of(chunk), &how);
  return hp_initialised_of(point);
}

static void all_at_once_and_then_some(void **state) {
  (void)state;
  write_to(0, SIZE);
  write_to(64, 96);
  read_from(200, 204);
  const struct hp_initialised_sum sum = end(false);
  assert_int_equal(sum.chunks, 1);
  assert_int_equal(sum.lost, 0);
  assert_int_equal(sum.filled, 1);
  assert_int_equal(sum.bytes, SIZE);
  assert_int_equal(sum.only, SIZE - 32 - 16);
  assert_int_equal(sum.settled, sum.only);
  assert_int_equal(sum.readers[0], 0);
}

static void slot_by_slot_whatever_comes_first(void **state) {
  (void)state;
  write_to(0, 4);
  write_to(4, 8);
  for (unsigned at = 8; at + 40 <= SIZE; at += 40) {
    write_to(at + 24, at + 40);
    write_to(at, at + 4);
    write_to(at + 8, at + 24);
  }
  write_to(8, 12); /* not initialised any more */
  assert_int_equal(end(false).only, 8 + 1000 - 16);
  assert_int_equal(hp_initialised_of(point).filled, 0); /* in the head */
}

static void from_the_end_and_in_two_ranges(void **state) {
  (void)state;
  for (unsigned at = SIZE; at > 512; at -= 16)
    write_to(at - 16, at);
  for (unsigned at = 0; at < 256; at += 16)
    write_to(at, at + 16);
  write_to(320, 336); /* goes on with the second */
  read_from(0, 16);
  assert_int_equal(end(false).only, 512 + 336 - 16);
}

static void what_is_read_ends_it(void **state) {
  (void)state;
  write_to(0, 512);
  read_from(0, 4);
  write_to(512, SIZE);
  const struct hp_initialised_sum sum = end(false);
  assert_int_equal(sum.only, 512 - 16);
  assert_int_equal(sum.filled, 0);
}

static void what_is_filled_in_full_has_nothing_left(void **state) {
  (void)state;
  write_to(0, SIZE);
  for (unsigned at = 0; at < SIZE; at += 8)
    write_to(at, at + 8);
  assert_int_equal(end(false).only, 0);
  assert_int_equal(hp_initialised_of(point).filled, 1);
}

static void what_is_not_blank_is_data(void **state) {
  (void)state;
  write_to(0, SIZE);
  write_to(64, 96);
  memset(bytes + 96, 'x', SIZE - 96);
  assert_int_equal(end(false).only, 0);
  assert_int_equal(hp_initialised_of(point).bytes, SIZE);
}

static void what_takes_it_down_is_no_use(void **state) {
  (void)state;
  write_to(0, SIZE);
  write_to(64, 96);
  hp_fill_burst(&fill);
  read_from(0, SIZE);
  const struct hp_initialised_sum sum = end(true);
  assert_int_equal(sum.only, 0);
  assert_int_equal(sum.settled, SIZE - 32);
  assert_int_equal(sum.filled, 1);
  assert_int_equal(sum.readers[0], 0x1000);
  assert_int_equal(sum.readers[1], 0x2000);
}

static void one_that_lives_is_added_to_a_sum(void **state) {
  (void)state;
  struct hp_initialised_sum sum = hp_initialised_of(point);
  assert_int_equal(sum.chunks, 0);
  write_to(0, SIZE);
  write_to(64, 96);
  hp_fill_add_live(&fill, chunk, &sum);
  assert_int_equal(sum.chunks, 1);
  assert_int_equal(sum.only, SIZE - 32);
  assert_int_equal(hp_initialised_of(point).chunks, 0);
}

static void one_that_is_busy_is_let_go_others_earlier(void **state) {
  (void)state;
  for (unsigned i = 0; i < HP_FILL_ACCESSES; i++)
    read_from(0, 4);
  assert_false(hp_fill_touch(&fill, 0, 4, 1, 0));
  for (unsigned i = 0; i < HP_FILL_LOST; i++)
    hp_fill_lose(hp_cold_of(chunk));
  assert_int_equal(hp_initialised_of(point).lost, HP_FILL_LOST);
  hp_fill_begin(&fill, hp_cold_of(chunk));
  for (unsigned i = 0; i < HP_FILL_ACCESSES / 2; i++)
    read_from(0, 4);
  assert_false(hp_fill_touch(&fill, 0, 4, 1, 0));
}

static void some_of_a_point_are_looked_at(void **state) {
  (void)state;
  struct hp_cold *cold = hp_cold_of(chunk);
  for (unsigned i = 1; i < HP_FILL_FIRST; i++)
    assert_true(hp_fill_wants(cold, false));
  assert_false(hp_fill_wants(cold, false));
  unsigned wanted = 0;
  for (cold->t0 = 0; cold->t0 < 4096; cold->t0++)
    wanted += hp_fill_wants(cold, true);
  assert_in_range(wanted, 32, 300);
  const uint64_t word = cold->word;
  cold->word -= SIZE - HP_FILL_SIZE_MIN + 1;
  cold->point = ++point;
  assert_false(hp_fill_wants(cold, true));
  cold->word = word;
  assert_false(hp_fill_wants(cold, true));
  assert_true(hp_fill_wants(cold, true));
  cold->word += HP_FILL_LARGE - SIZE;
  cold->point = ++point;
  assert_true(hp_fill_wants(cold, true));
  cold->word = word;
}

static int start_all(void **state) {
  (void)state;
  double_start();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(all_at_once_and_then_some, start),
      cmocka_unit_test_setup(slot_by_slot_whatever_comes_first, start),
      cmocka_unit_test_setup(from_the_end_and_in_two_ranges, start),
      cmocka_unit_test_setup(what_is_read_ends_it, start),
      cmocka_unit_test_setup(what_is_filled_in_full_has_nothing_left, start),
      cmocka_unit_test_setup(what_is_not_blank_is_data, start),
      cmocka_unit_test_setup(what_takes_it_down_is_no_use, start),
      cmocka_unit_test_setup(one_that_lives_is_added_to_a_sum, start),
      cmocka_unit_test_setup(one_that_is_busy_is_let_go_others_earlier, start),
      cmocka_unit_test_setup(some_of_a_point_are_looked_at, start)};
  return cmocka_run_group_tests(tests, start_all, NULL);
}
