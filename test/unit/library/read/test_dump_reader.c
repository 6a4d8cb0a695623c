/* test_dump_reader.c - the reader against every change of a small dump.
   Never a crash, never HP_OK with numbers that silently differ.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunk_items.h"
#include "profile_text.h"

/* The builder takes a weight of 0 for 1, a step of 0 for tick_max. */
static void assert_same_chunk(const struct hp_chunk_log *read,
                              const struct hp_chunk_log *written) {
  struct hp_chunk_log expected = *written;
  expected.weight = expected.weight ? expected.weight : 1;
  expected.step = expected.step ? expected.step : 3;
  expected.point = 0; /* not kept: the chunks are that point's */
  assert_memory_equal(read, &expected, sizeof expected);
}

/* ---- whole dumps ----------------------------------------------------------- */

static void small_dump_is_read_whole(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  struct hp_dump *dump;
  struct hp_error error;
  assert_int_equal(hp_dump_read(&dump, f.dump, &error), HP_OK);
  assert_true(dump->complete);
  assert_string_equal(dump->header.program, "app");
  assert_int_equal(dump->module_count, 2);
  assert_string_equal(dump->modules[1].path, "/lib/lib.so");
  assert_int_equal(dump->modules[1].unloaded, 900);
  assert_true(dump->modules[0].unloaded == UINT64_MAX);
  assert_memory_equal(dump->modules[0].build_id, "\1\2\3\4", 4);
  assert_int_equal(dump->point_count, 3); /* and point 0 */
  assert_memory_equal(dump->points[1].stack, stack_one, sizeof stack_one);
  assert_string_equal(dump->points[1].type, "struct node");
  assert_int_equal(dump->points[2].chunks.count, 2);
  /* All columns of all chunks, as they went in. */
  const struct hp_chunk_log *items = hp_chunk_items(&dump->points[1].chunks);
  assert_same_chunk(&items[0], &small_chunks[0]);
  assert_same_chunk(&items[1], &small_chunks[1]);
  items = hp_chunk_items(&dump->points[2].chunks);
  assert_same_chunk(&items[0], &small_chunks[2]);
  assert_same_chunk(&items[1], &small_chunks[3]);
  hp_dump_close(dump);
  finish(&f);
}

static char *fingerprint_of(const struct hp_build *build) {
  struct fixture f;
  begin(&f, build);
  hp_profile *profile;
  struct hp_error error;
  const hp_status status = open_dump(f.dump, &profile, &error);
  if (status != HP_OK)
    fail_msg("%s", error.text);
  char *text = hp_profile_text(profile);
  hp_profile_close(profile);
  finish(&f);
  return text;
}

static void unknown_kinds_tags_and_columns_are_skipped(void **state) {
  (void)state;
  struct hp_build strange = small, plain = small;
  strange.strange = true;
  plain.uncompressed = true;
  char *one = fingerprint_of(&small), *two = fingerprint_of(&strange),
       *three = fingerprint_of(&plain);
  assert_string_equal(one, two);
  assert_string_equal(one, three);
  free(one);
  free(two);
  free(three);
}

static void empty_dump_is_a_dump(void **state) {
  (void)state;
  const struct hp_build nothing = {.window = 5};
  char *text = fingerprint_of(&nothing);
  assert_non_null(strstr(text, "app"));
  free(text);
}

/* ---- changed and cut ------------------------------------------------------- */

/* Opens the dump after a change and judges it: an error, or numbers equal to
   EXPECTED, or marked as incomplete. */
static void judge(const struct fixture *f, const char *expected,
                  const char *what, size_t at) {
  hp_profile *profile;
  struct hp_error error;
  if (open_dump(f->dump, &profile, &error) != HP_OK)
    return;
  char *text = hp_profile_text(profile);
  const bool marked = !hp_process_at(profile, 0)->complete;
  if (!marked && strcmp(text, expected) != 0)
    fail_msg("%s, byte %zu: silently different:\n%s", what, at, text);
  free(text);
  hp_profile_close(profile);
}

static void every_changed_byte(const struct hp_build *build) {
  struct fixture f;
  begin(&f, build);
  char *expected = fingerprint_of(build);
  for (int i = 0; i < FILE_COUNT; i++) {
    struct hp_bytes *file = image_file(&f.image, i);
    for (size_t at = 0; at < file->size; at++)
      for (int change = 0; change < 3; change++) {
        const uint8_t before = file->data[at];
        static const uint8_t masks[] = {0xff, 0x01, 0x80};
        file->data[at] ^= masks[change];
        hp_file_write(path_in(&f, file_names[i]), file->data, file->size);
        struct hp_error error;
        /* All bytes are covered by a checksum, so that none may pass. */
        if (!build->strange)
          assert_int_not_equal(status_of(f.dump, &error), HP_OK);
        judge(&f, expected, file_names[i], at);
        file->data[at] = before;
      }
    hp_file_write(path_in(&f, file_names[i]), file->data, file->size);
  }
  free(expected);
  finish(&f);
}

static void every_changed_byte_is_noticed(void **state) {
  (void)state;
  every_changed_byte(&small);
}

static void every_changed_byte_is_noticed_uncompressed(void **state) {
  (void)state;
  struct hp_build plain = small;
  plain.uncompressed = true;
  every_changed_byte(&plain);
}

static void every_changed_byte_beside_unknown_blocks(void **state) {
  (void)state;
  struct hp_build strange = small;
  strange.strange = true;
  every_changed_byte(&strange);
}

static void every_length_is_noticed(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  for (int i = 0; i < FILE_COUNT; i++) {
    struct hp_bytes *file = image_file(&f.image, i);
    for (size_t size = 0; size < file->size; size++) {
      hp_file_write(path_in(&f, file_names[i]), file->data, size);
      hp_profile *profile;
      struct hp_error error;
      const hp_status status = open_dump(f.dump, &profile, &error);
      if (i == FILE_COUNT - 1) { /* a cut end record is none */
        assert_int_equal(status, HP_OK);
        assert_false(hp_process_at(profile, 0)->complete);
        assert_string_equal(hp_process_at(profile, 0)->ended, "killed");
        assert_int_equal(hp_profile_note_count(profile), 1);
      } else {
        assert_int_equal(status, HP_E_TRUNCATED);
        assert_non_null(strstr(error.text, f.dump));
      }
      hp_profile_close(profile);
    }
    hp_file_write(path_in(&f, file_names[i]), file->data, file->size);
  }
  finish(&f);
}

static void every_length_after_a_kill_is_read_as_far_as_it_goes(void **state) {
  (void)state;
  struct hp_build killed = small;
  killed.no_end = true;
  struct fixture f;
  begin(&f, &killed);
  for (int i = 1; i < FILE_COUNT - 1; i++) {
    struct hp_bytes *file = image_file(&f.image, i);
    for (size_t size = 0; size <= file->size; size++) {
      hp_file_write(path_in(&f, file_names[i]), file->data, size);
      hp_profile *profile;
      struct hp_error error;
      if (open_dump(f.dump, &profile, &error) != HP_OK)
        fail_msg("%s cut at %zu: %s", file_names[i], size, error.text);
      assert_false(hp_process_at(profile, 0)->complete);
      hp_profile_close(profile);
    }
  }
  finish(&f);
}

static void every_added_byte_is_noticed(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  for (int i = 0; i < FILE_COUNT - 1; i++) {
    struct hp_bytes longer = {0};
    struct hp_bytes *file = image_file(&f.image, i);
    hp_put_bytes(&longer, file->data, file->size);
    hp_put_bytes(&longer, "HPB1", 4);
    hp_file_write(path_in(&f, file_names[i]), longer.data, longer.size);
    struct hp_error error;
    assert_int_equal(status_of(f.dump, &error), HP_E_TRUNCATED);
    hp_file_write(path_in(&f, file_names[i]), file->data, file->size);
    hp_bytes_free(&longer);
  }
  finish(&f);
}

static void missing_files_are_named(void **state) {
  (void)state;
  static const struct {
    const char *file, *word;
    hp_status status;
  } cases[] = {{"header", "dump", HP_E_NOT_DUMP},
               {"modules", "modules", HP_E_TRUNCATED},
               {"points", "points", HP_E_TRUNCATED},
               {"chunks/0", "chunk", HP_E_TRUNCATED}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    begin(&f, &small);
    assert_int_equal(unlink(path_in(&f, cases[i].file)), 0);
    struct hp_error error;
    assert_int_equal(status_of(f.dump, &error), cases[i].status);
    assert_non_null(strstr(error.text, cases[i].word));
    finish(&f);
  }
}

static void missing_end_is_a_killed_process(void **state) {
  (void)state;
  struct hp_build killed = small;
  killed.no_end = true;
  struct fixture f;
  begin(&f, &killed);
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_dump(f.dump, &profile, &error), HP_OK);
  const struct hp_process *p = hp_process_at(profile, 0);
  assert_false(p->complete);
  assert_string_equal(p->ended, "killed");
  assert_int_equal(p->window_ns, 1000); /* the latest time seen */
  assert_int_equal(p->allocations, 4);
  assert_int_equal(p->frees, 3);
  assert_true(p->peak_bytes == (5ull << 32) + 87);
  assert_true(p->tick_max == UINT64_MAX);
  hp_profile_close(profile);
  finish(&f);
}

/* ---- what is no dump ------------------------------------------------------- */

static void no_dump_is_told_apart(void **state) {
  (void)state;
  struct hp_error error;
  char *scratch = hp_scratch_make();
  char path[4096];
  assert_int_equal(status_of(scratch, &error), HP_E_NOT_DUMP);
  snprintf(path, sizeof path, "%s/none", scratch);
  assert_int_equal(status_of(path, &error), HP_E_OPEN);
  assert_non_null(strstr(error.text, path));
  hp_file_write(path, "text", 4);
  assert_int_equal(status_of(path, &error), HP_E_NOT_DUMP);
  snprintf(path, sizeof path, "%s/header", scratch);
  hp_file_write(path, "text", 4);
  assert_int_equal(status_of(scratch, &error), HP_E_NOT_DUMP);
  hp_file_write(path, "a longer text that is no dump at all", 36);
  assert_int_equal(status_of(scratch, &error), HP_E_NOT_DUMP);
  hp_scratch_remove(scratch);
}

static void links_and_fifos_are_not_followed(void **state) {
  (void)state;
  struct fixture f;
  struct hp_error error;
  begin(&f, &small);
  char other[4096 + 64];
  snprintf(other, sizeof other, "%s/points", f.scratch);
  assert_int_equal(rename(path_in(&f, "points"), other), 0);
  assert_int_equal(symlink(other, path_in(&f, "points")), 0);
  assert_int_equal(status_of(f.dump, &error), HP_E_CORRUPT);
  assert_non_null(strstr(error.text, "symbolic link"));
  assert_int_equal(unlink(path_in(&f, "points")), 0);
  assert_int_equal(mkfifo(path_in(&f, "points"), 0666), 0);
  assert_int_equal(status_of(f.dump, &error), HP_E_CORRUPT);
  finish(&f);
}

static void control_characters_stay_out_of_messages(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(status_of("/no\nsuch\x1b[31m", &error), HP_E_OPEN);
  assert_null(strchr(error.text, '\x1b'));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_dump_is_read_whole),
      cmocka_unit_test(unknown_kinds_tags_and_columns_are_skipped),
      cmocka_unit_test(empty_dump_is_a_dump),
      cmocka_unit_test(every_changed_byte_is_noticed),
      cmocka_unit_test(every_changed_byte_is_noticed_uncompressed),
      cmocka_unit_test(every_changed_byte_beside_unknown_blocks),
      cmocka_unit_test(every_length_is_noticed),
      cmocka_unit_test(every_length_after_a_kill_is_read_as_far_as_it_goes),
      cmocka_unit_test(every_added_byte_is_noticed),
      cmocka_unit_test(missing_files_are_named),
      cmocka_unit_test(missing_end_is_a_killed_process),
      cmocka_unit_test(no_dump_is_told_apart),
      cmocka_unit_test(links_and_fifos_are_not_followed),
      cmocka_unit_test(control_characters_stay_out_of_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
