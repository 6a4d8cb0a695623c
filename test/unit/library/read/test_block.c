/* test_block.c - blocks of other kinds, versions and sizes than they can be.
   Sizes are refused before there is memory for them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_fixture.h"

#include <string.h>

static void block_of_another_kind_is_refused(void **state) {
  (void)state;
  struct hp_bytes payload = {0};
  struct hp_error error;
  assert_int_equal(with_payload(2, HP_BLOCK_MODULES, 0, &payload, &error),
                   HP_E_CORRUPT);
  assert_non_null(strstr(error.text, "MODULES"));
}

/* Changes a field of the first block header of the header file and its CRC. */
static hp_status with_header_field(size_t at, uint32_t value, size_t size,
                                   struct hp_error *error) {
  struct fixture f;
  begin(&f, &small);
  struct hp_bytes *file = &f.image.header;
  for (size_t i = 0; i < size; i++)
    file->data[at + i] = (uint8_t)(value >> (8 * i));
  /* crc32 by way of the builder: the CRC of 28 bytes as a stored payload. */
  struct hp_bytes head = {0}, wrapped = {0};
  hp_put_bytes(&head, file->data, 28);
  hp_put_block(&wrapped, HP_BLOCK_HEADER, 0, &head, false);
  memcpy(file->data + 28, wrapped.data + 24, 4);
  hp_file_write(path_in(&f, "header"), file->data, file->size);
  const hp_status status = status_of(f.dump, error);
  hp_bytes_free(&head);
  hp_bytes_free(&wrapped);
  finish(&f);
  return status;
}

static void newer_version_is_named(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(with_header_field(4, HP_FORMAT_VERSION + 1, 2, &error),
                   HP_E_VERSION);
  assert_non_null(strstr(error.text, "newer heapprof"));
  assert_int_equal(with_header_field(12, 2, 4, &error), HP_E_VERSION);
}

static void older_version_is_named(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(with_header_field(4, 1, 2, &error), HP_E_VERSION);
  assert_non_null(strstr(error.text, "profile the program again"));
  assert_int_equal(with_header_field(4, 0, 2, &error), HP_E_VERSION);
}

static void huge_sizes_are_refused_without_memory_for_them(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(with_header_field(16, UINT32_MAX, 4, &error), HP_E_CORRUPT);
  assert_int_equal(with_header_field(20, UINT32_MAX, 4, &error), HP_E_CORRUPT);
  assert_int_equal(with_header_field(20, HP_BLOCK_RAW_MAX, 4, &error),
                   HP_E_CORRUPT);
  assert_int_equal(with_header_field(20, 1, 4, &error), HP_E_CORRUPT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_of_another_kind_is_refused),
      cmocka_unit_test(newer_version_is_named),
      cmocka_unit_test(older_version_is_named),
      cmocka_unit_test(huge_sizes_are_refused_without_memory_for_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
