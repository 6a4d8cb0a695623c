/* test_log_parts.c - files of the log: who gets one, what they are called, and blocks that
   wait together.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "encode/block_maker.h"

static int forget(void **state) {
  (void)state;
  hp_log_forget_files();
  return 0;
}

static void assert_name(uint32_t file, const char *expected) {
  char name[HP_LOG_NAME_SIZE];
  hp_log_file_name(name, file);
  assert_string_equal(name, expected);
}

static void few_chunks_are_not_parted(void **state) {
  (void)state;
  assert_int_equal(hp_log_file_of(5, 1, 1), 0);
  assert_int_equal(hp_log_file_of(5, HP_LOG_PARTED - 1, HP_LOG_PARTED - 1), 0);
  assert_name(0, "chunks/log");
}

static void points_with_few_share(void **state) {
  (void)state;
  for (uint32_t point = 0; point < 3 * HP_LOG_SHARED_FILES; point++)
    assert_int_equal(hp_log_file_of(point, HP_LOG_OWN - 1, HP_LOG_PARTED),
                     1 + point % HP_LOG_SHARED_FILES);
  assert_name(1, "chunks/shared-0");
  assert_name(HP_LOG_SHARED_FILES, "chunks/shared-15");
}

/* With few chunks in another batch it shares again. */
static void points_with_many_have_their_own(void **state) {
  (void)state;
  const uint32_t own = hp_log_file_of(4294967295u, HP_LOG_OWN, HP_LOG_PARTED);
  assert_int_equal(own, 1 + HP_LOG_SHARED_FILES);
  assert_name(own, "chunks/4294967295");
  assert_int_equal(hp_log_file_of(7, HP_LOG_OWN, HP_LOG_PARTED), own + 1);
  assert_int_equal(hp_log_file_of(4294967295u, 4096, 4096), own);
  assert_int_equal(hp_log_file_of(4294967295u, 1, 4096), 1 + 15);
  assert_name(own + 1, "chunks/7");
}

static void files_are_bounded(void **state) {
  (void)state;
  uint32_t most = 0;
  for (uint32_t point = 1; point <= 2 * HP_LOG_FILES; point++) {
    const uint32_t file = hp_log_file_of(point, HP_LOG_OWN, HP_LOG_PARTED);
    most = file > most ? file : most;
  }
  assert_int_equal(most, HP_LOG_FILES - 1);
  assert_int_equal(hp_log_file_of(2 * HP_LOG_FILES, HP_LOG_OWN, HP_LOG_PARTED),
                   1 + 2 * HP_LOG_FILES % HP_LOG_SHARED_FILES);
  hp_log_forget_files();
  assert_int_equal(hp_log_file_of(2 * HP_LOG_FILES, HP_LOG_OWN, HP_LOG_PARTED),
                   1 + HP_LOG_SHARED_FILES);
}

static void blocks_wait_together(void **state) {
  (void)state;
  static const uint32_t files[] = {3, 0, 255};
  struct hp_bytes entry = {0}, payload = {0};
  struct hp_block_maker maker = {0};
  struct hp_log_part part;
  size_t at = 0;
  hp_log_entry_begin(&entry);
  for (size_t i = 0; i < 3; i++) {
    hp_put_bytes(&payload, "xyz", 3);
    hp_log_entry_add(&entry, files[i]);
    assert_int_equal(
        hp_block_make(&maker, HP_BLOCK_CHUNKS, i + 1, &payload, &entry), 0);
  }
  hp_log_entry_end(&entry);
  assert_int_equal(hp_log_entry_size(entry.data), entry.size);
  for (size_t i = 0; i < 3; i++) {
    assert_true(hp_log_next_part(&entry, &at, &part));
    assert_int_equal(part.file, files[i]);
    const struct hp_block_header head = hp_block_head(part.block.data);
    assert_int_equal(head.items, i + 1);
    assert_int_equal(part.block.size, sizeof head + 3 * (i + 1));
  }
  assert_false(hp_log_next_part(&entry, &at, &part));
  hp_bytes_free(&entry);
  hp_bytes_free(&payload);
}

static void no_entry_has_no_parts(void **state) {
  (void)state;
  const struct hp_bytes nothing = {0};
  struct hp_log_part part;
  size_t at = 0;
  assert_false(hp_log_next_part(&nothing, &at, &part));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(few_chunks_are_not_parted, forget),
      cmocka_unit_test_setup(points_with_few_share, forget),
      cmocka_unit_test_setup(points_with_many_have_their_own, forget),
      cmocka_unit_test_setup(files_are_bounded, forget),
      cmocka_unit_test(blocks_wait_together),
      cmocka_unit_test(no_entry_has_no_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
