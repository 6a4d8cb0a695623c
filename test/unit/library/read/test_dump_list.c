/* test_dump_list.c - a directory of dumps: which are meant, in which order.
   One that cannot be read is an error, never passed over.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_fixture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void directory_of_dumps_is_read_in_natural_order(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  struct hp_build other = small;
  static const int pids[] = {10, 9, 2};
  for (size_t i = 0; i < 3; i++) {
    char path[8192];
    snprintf(path, sizeof path, "%s/heapprof.app.%d", f.scratch, pids[i]);
    other.pid = (uint64_t)pids[i];
    hp_build_write(&other, path);
  }
  char path[8192];
  snprintf(path, sizeof path, "%s/heapprof.app.77", f.scratch);
  assert_int_equal(mkdir(path, 0777), 0); /* killed before it began */
  snprintf(path, sizeof path, "%s/heapprof.txt", f.scratch);
  hp_file_write(path, "no directory", 12);
  snprintf(path, sizeof path, "%s/heapprof.link", f.scratch);
  assert_int_equal(symlink(f.dump, path), 0);
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_dump(f.scratch, &profile, &error), HP_OK);
  assert_int_equal(hp_process_count(profile), 4);
  static const uint64_t order[] = {1, 2, 9, 10};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(hp_process_at(profile, i)->pid, order[i]);
  assert_null(hp_process_at(profile, 4));
  assert_int_equal(hp_profile_global(profile)->points, 8);
  hp_profile_close(profile);
  finish(&f);
}

static void dump_that_cannot_be_read_is_not_passed_over(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  char path[8192];
  snprintf(path, sizeof path, "%s/heapprof.app.2", f.scratch);
  assert_int_equal(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/heapprof.app.2/points", f.scratch);
  hp_file_write(path, "x", 1);
  struct hp_error error;
  assert_int_equal(status_of(f.scratch, &error), HP_E_NOT_DUMP);
  assert_non_null(strstr(error.text, "heapprof.app.2"));
  finish(&f);
}

static void files_of_a_dump_are_known_by_their_begin(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  static const char *const files[] = {"header", "points", "modules"};
  char path[8192];
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(path, sizeof path, "%s/%s", f.dump, files[i]);
    assert_true(hp_is_file_of_dump(path));
  }
  assert_false(hp_is_file_of_dump(f.dump));
  snprintf(path, sizeof path, "%s/none", f.scratch);
  assert_false(hp_is_file_of_dump(path));
  hp_file_write(path, "HPB", 3);
  assert_false(hp_is_file_of_dump(path));
  hp_file_write(path, "<html>", 6);
  assert_false(hp_is_file_of_dump(path));
  hp_file_write(path, "heapprof-symbols.txt", 20);
  assert_false(hp_is_file_of_dump(path));
  hp_file_write(path, "heapprof-symbols 4\n", 19);
  assert_true(hp_is_file_of_dump(path));
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkfifo(path, 0600), 0); /* nobody writes to it */
  assert_false(hp_is_file_of_dump(path));
  finish(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directory_of_dumps_is_read_in_natural_order),
      cmocka_unit_test(dump_that_cannot_be_read_is_not_passed_over),
      cmocka_unit_test(files_of_a_dump_are_known_by_their_begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
