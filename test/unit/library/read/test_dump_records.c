/* test_dump_records.c - header, modules, points and end with right checksums and
   impossible contents: each is refused, in words that name the file.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_fixture.h"

#include <string.h>

static void wrong_item_counts_are_refused(void **state) {
  (void)state;
  static const uint16_t kinds[] = {HP_BLOCK_HEADER, HP_BLOCK_MODULES,
                                   HP_BLOCK_POINTS, HP_BLOCK_CHUNKS,
                                   HP_BLOCK_END};
  for (int i = 0; i < FILE_COUNT; i++) {
    struct hp_bytes payload = {0};
    struct hp_error error;
    if (kinds[i] == HP_BLOCK_CHUNKS) {
      hp_put_varint(&payload, HP_COLUMN_COUNT);
      hp_put_varint(&payload, 0); /* runs */
    }
    assert_int_equal(with_payload(i, kinds[i], 1, &payload, &error),
                     HP_E_CORRUPT);
  }
}

static void record_cut_inside_a_block_is_refused(void **state) {
  (void)state;
  for (int i = 0; i < FILE_COUNT; i++) {
    static const uint16_t kinds[] = {HP_BLOCK_HEADER, HP_BLOCK_MODULES,
                                     HP_BLOCK_POINTS, HP_BLOCK_CHUNKS,
                                     HP_BLOCK_END};
    struct hp_bytes payload = {0};
    struct hp_error error;
    hp_put_varint(&payload, 5);
    hp_put_varint(&payload, 100);
    hp_put_bytes(&payload, "abc", 3);
    assert_int_equal(with_payload(i, kinds[i], 1, &payload, &error),
                     HP_E_CORRUPT);
    assert_non_null(strstr(error.text, file_names[i]));
  }
}

static void header_without_a_clock_is_refused(void **state) {
  (void)state;
  static const uint64_t rates[] = {0, 10000000001u, UINT64_MAX};
  for (size_t i = 0; i < 3; i++) {
    struct hp_bytes payload = {0};
    struct hp_error error;
    hp_put_u64_field(&payload, HP_HEADER_ticks_per_second, rates[i]);
    assert_int_equal(with_payload(0, HP_BLOCK_HEADER, 1, &payload, &error),
                     HP_E_CORRUPT);
    assert_non_null(strstr(error.text, "ticks per second"));
  }
}

static void point_ids_are_checked(void **state) {
  (void)state;
  static const uint64_t ids[][2] = {{1, 1}, {0, 2}, {1, 1ull << 32}};
  for (size_t i = 0; i < 3; i++) {
    struct hp_bytes payload = {0};
    struct hp_error error;
    for (int k = 0; k < 2; k++) {
      struct hp_bytes record = {0};
      hp_put_u64_field(&record, HP_POINT_id, ids[i][k]);
      hp_put_varint(&payload, record.size);
      hp_put_bytes(&payload, record.data, record.size);
      hp_bytes_free(&record);
    }
    assert_int_equal(with_payload(2, HP_BLOCK_POINTS, 2, &payload, &error),
                     HP_E_CORRUPT);
  }
}

static void end_without_a_window_is_refused(void **state) {
  (void)state;
  struct hp_bytes payload = {0};
  struct hp_error error;
  hp_put_u64_field(&payload, HP_END_allocations, 4);
  assert_int_equal(with_payload(4, HP_BLOCK_END, 1, &payload, &error),
                   HP_E_CORRUPT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_item_counts_are_refused),
      cmocka_unit_test(record_cut_inside_a_block_is_refused),
      cmocka_unit_test(header_without_a_clock_is_refused),
      cmocka_unit_test(point_ids_are_checked),
      cmocka_unit_test(end_without_a_window_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
