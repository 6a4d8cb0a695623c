/* test_chunklog.c - blocks of chunks with right checksums and impossible contents.
   Each is refused by name, before its counts are believed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_fixture.h"

#include <string.h>

/* A CHUNKS payload of one run and ROOM bytes for its columns, all 0. */
static struct hp_bytes one_run(uint64_t width, uint64_t runs, uint64_t point,
                               uint64_t count, uint64_t weight, size_t room) {
  struct hp_bytes payload = {0};
  hp_put_varint(&payload, width);
  hp_put_varint(&payload, runs);
  hp_put_varint(&payload, point);
  hp_put_varint(&payload, count);
  hp_put_varint(&payload, weight);
  for (size_t i = 0; i < room; i++)
    hp_put_varint(&payload, 0);
  return payload;
}

/* What is said of that payload as a block of ITEMS chunks. */
static void require_corrupt(struct hp_bytes payload, uint64_t items,
                            const char *text) {
  struct hp_error error;
  assert_int_equal(
      with_payload(3, HP_BLOCK_CHUNKS, (uint32_t)items, &payload, &error),
      HP_E_CORRUPT);
  assert_non_null(strstr(error.text, "chunks/0: offset 0"));
  if (!strstr(error.text, text))
    fail_msg("\"%s\" does not say \"%s\"", error.text, text);
}

static void huge_count_of_chunks_is_refused(void **state) {
  (void)state;
  static const uint64_t counts[] = {2, 1000, UINT32_MAX};
  for (size_t i = 0; i < 3; i++)
    require_corrupt(
        one_run(HP_COLUMN_COUNT, 1, 1, counts[i], 1, HP_COLUMN_COUNT),
        counts[i], "do not fit");
  require_corrupt(
      one_run(HP_COLUMN_COUNT, 1, 1, UINT64_MAX, 1, HP_COLUMN_COUNT),
      UINT32_MAX, "run of 18446744073709551615 chunks");
}

static void huge_count_of_runs_is_refused(void **state) {
  (void)state;
  require_corrupt(one_run(HP_COLUMN_COUNT, 2, 1, 1, 1, 3), 1,
                  "run 1: impossible weight 0");
  require_corrupt(one_run(HP_COLUMN_COUNT, 1000, 1, 1, 1, HP_COLUMN_COUNT), 1,
                  "runs do not fit");
  require_corrupt(
      one_run(HP_COLUMN_COUNT, UINT64_MAX, 1, 1, 1, HP_COLUMN_COUNT), 1,
      "runs do not fit");
}

static void odd_count_of_columns_is_refused(void **state) {
  (void)state;
  static const uint64_t widths[] = {0, 1, HP_COLUMNS_LEAST - 1};
  for (size_t i = 0; i < 3; i++)
    require_corrupt(one_run(widths[i], 1, 1, 1, 1, HP_COLUMN_COUNT), 1,
                    "columns instead of");
  require_corrupt(one_run(UINT64_MAX, 1, 1, 1, 1, HP_COLUMN_COUNT), 1,
                  "do not fit");
}

static void impossible_weight_is_refused(void **state) {
  (void)state;
  require_corrupt(one_run(HP_COLUMN_COUNT, 1, 1, 1, 0, HP_COLUMN_COUNT), 1,
                  "impossible weight 0");
  require_corrupt(
      one_run(HP_COLUMN_COUNT, 1, 1, 1, 1ull << 32, HP_COLUMN_COUNT), 1,
      "impossible weight 4294967296");
}

static void bytes_behind_the_columns_are_refused(void **state) {
  (void)state;
  require_corrupt(one_run(HP_COLUMN_COUNT, 1, 1, 1, 1, HP_COLUMN_COUNT + 1), 1,
                  "1 bytes behind");
}

static void chunk_of_an_unknown_point_is_refused(void **state) {
  (void)state;
  require_corrupt(one_run(HP_COLUMN_COUNT, 1, 77, 1, 1, HP_COLUMN_COUNT), 1,
                  "77");
}

static void impossible_columns_are_refused_by_name(void **state) {
  (void)state;
  static const struct {
    enum hp_chunk_column column;
    uint64_t value;
    const char *name;
  } cases[] = {{HP_COLUMN_t0, 1, "t0"}, /* zigzag of -1 */
               {HP_COLUMN_life, 1, "life"},
               {HP_COLUMN_thread, 1ull << 32, "thread"},
               {HP_COLUMN_free_thread, 1ull << 32, "free_thread"},
               {HP_COLUMN_step, 1ull << 33, "step"},
               {HP_COLUMN_first, 1, "first"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hp_bytes payload = one_run(HP_COLUMN_COUNT, 1, 1, 1, 1, 0);
    for (enum hp_chunk_column c = 0; c < HP_COLUMN_COUNT; c++)
      hp_put_varint(&payload, c == cases[i].column   ? cases[i].value
                              : c == HP_COLUMN_reads ? 1
                                                     : 0);
    require_corrupt(payload, 1, cases[i].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(huge_count_of_chunks_is_refused),
      cmocka_unit_test(huge_count_of_runs_is_refused),
      cmocka_unit_test(odd_count_of_columns_is_refused),
      cmocka_unit_test(impossible_weight_is_refused),
      cmocka_unit_test(bytes_behind_the_columns_are_refused),
      cmocka_unit_test(chunk_of_an_unknown_point_is_refused),
      cmocka_unit_test(impossible_columns_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
