/* test_record.c - varints, fields and records at their limits.
   Malformed bytes give false and never a read beyond the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dump_builder.h"
#include "read/record.h"

static struct hp_cursor over(const struct hp_bytes *bytes) {
  return (struct hp_cursor){bytes->data, bytes->data + bytes->size};
}

static void varints_round_trip(void **state) {
  (void)state;
  static const uint64_t values[] = {
      0,         1,         127,        128,        16383,
      16384,     INT64_MAX, 1ull << 63, UINT32_MAX, UINT64_MAX - 1,
      UINT64_MAX};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    struct hp_bytes bytes = {0};
    hp_put_varint(&bytes, values[i]);
    struct hp_cursor at = over(&bytes);
    uint64_t value;
    assert_true(hp_take_varint(&at, &value));
    assert_true(value == values[i]);
    assert_ptr_equal(at.at, at.end);
    /* Cut anywhere it is no varint. */
    for (size_t size = 0; size < bytes.size; size++) {
      at = (struct hp_cursor){bytes.data, bytes.data + size};
      assert_false(hp_take_varint(&at, &value));
    }
    hp_bytes_free(&bytes);
  }
}

static void varint_beyond_64_bits_is_refused(void **state) {
  (void)state;
  static const uint8_t two[] = {0xff, 0xff, 0xff, 0xff, 0xff,
                                0xff, 0xff, 0xff, 0xff, 2};
  static const uint8_t eleven[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                   0x80, 0x80, 0x80, 0x80, 0};
  uint64_t value;
  struct hp_cursor at = {two, two + sizeof two};
  assert_false(hp_take_varint(&at, &value));
  at = (struct hp_cursor){eleven, eleven + sizeof eleven};
  assert_false(hp_take_varint(&at, &value));
}

static void zigzag_round_trips(void **state) {
  (void)state;
  static const int64_t values[] = {0, -1, 1, -2, INT64_MAX, INT64_MIN};
  static const uint64_t coded[] = {0, 1, 2, 3, UINT64_MAX - 1, UINT64_MAX};
  for (size_t i = 0; i < 6; i++)
    assert_true(hp_unzigzag(coded[i]) == values[i]);
}

static void field_longer_than_its_record_is_refused(void **state) {
  (void)state;
  static const uint8_t bytes[] = {1, 5, 'a', 'b'};
  struct hp_cursor at = {bytes, bytes + sizeof bytes};
  struct hp_field field;
  assert_false(hp_take_field(&at, &field));
  static const uint8_t huge[] = {1,    0xff, 0xff, 0xff, 0xff, 0xff,
                                 0xff, 0xff, 0xff, 0xff, 1};
  at = (struct hp_cursor){huge, huge + sizeof huge};
  assert_false(hp_take_field(&at, &field));
}

static void number_with_a_tail_is_refused(void **state) {
  (void)state;
  static const uint8_t bytes[] = {1, 2, 7, 7};
  struct hp_cursor at = {bytes, bytes + sizeof bytes};
  struct hp_field field;
  uint64_t value;
  assert_true(hp_take_field(&at, &field));
  assert_false(hp_field_u64(&field, &value));
  static const uint8_t empty[] = {1, 0};
  at = (struct hp_cursor){empty, empty + sizeof empty};
  assert_true(hp_take_field(&at, &field));
  assert_false(hp_field_u64(&field, &value));
}

static void stack_deltas_wrap(void **state) {
  (void)state;
  static const uint64_t frames[] = {0x400123, 0x7fff00000000, 0x400100, 0,
                                    UINT64_MAX};
  struct hp_bytes bytes = {0};
  uint64_t before = 0;
  for (size_t i = 0; i < 5; i++) {
    hp_put_zigzag(&bytes, (int64_t)(frames[i] - before));
    before = frames[i];
  }
  const struct hp_field field = {2, over(&bytes)};
  uint64_t addresses[64];
  size_t count;
  assert_true(hp_field_stack(&field, addresses, &count));
  assert_int_equal(count, 5);
  for (size_t i = 0; i < 5; i++)
    assert_true(addresses[i] == frames[i]);
  hp_bytes_free(&bytes);
}

static void empty_stack_has_no_frames(void **state) {
  (void)state;
  const struct hp_field field = {2, {NULL, NULL}};
  uint64_t addresses[1];
  size_t count = 7;
  assert_true(hp_field_stack(&field, addresses, &count));
  assert_int_equal(count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(varints_round_trip),
      cmocka_unit_test(varint_beyond_64_bits_is_refused),
      cmocka_unit_test(zigzag_round_trips),
      cmocka_unit_test(field_longer_than_its_record_is_refused),
      cmocka_unit_test(number_with_a_tail_is_refused),
      cmocka_unit_test(stack_deltas_wrap),
      cmocka_unit_test(empty_stack_has_no_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
