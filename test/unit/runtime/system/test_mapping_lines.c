/* test_mapping_lines.c - lines as they are in the file, whatever the buffer's size:
   cut where they are too long, none twice, none behind the last that is wanted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/mapping_lines.h"

#include "system_double.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SMALL ((size_t)16)

static char path[] = "mapping-lines.XXXXXX";
static char all[256]; /* lines that were given, each with a | behind it */
static int wanted;    /* so many lines more */

static bool note(const char *line, void *arg) {
  assert_ptr_equal(arg, &wanted);
  strcat(all, line);
  strcat(all, "|");
  return --wanted != 0;
}

static void write_file(const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

/* Of CONTENTS, read into SIZE bytes, EXPECTED is given; no more than MOST. */
static void expect(const char *contents, size_t size, int most,
                   const char *expected) {
  char text[64];
  write_file(contents);
  all[0] = 0;
  wanted = most;
  memset(text, 'x', sizeof text);
  assert_true(hp_mapping_lines(path, text, size, note, &wanted));
  assert_string_equal(all, expected);
  for (size_t i = size; i < sizeof text; i++)
    assert_int_equal(text[i], 'x');
}

static void lines_of_any_length(void **state) {
  (void)state;
  expect("", SMALL, -1, "");
  expect("one\ntwo\n\nfour\n", 64, -1, "one|two||four|");
  for (size_t size = 6; size < 64; size++)
    expect("one\ntwo\n\nfour\n", size, -1, "one|two||four|");
}

static void what_does_not_fit_is_cut(void **state) {
  (void)state;
  expect("0123456789abcdefghij\nnext\n", SMALL, -1, "0123456789abcde|next|");
  /* As long as the buffer, then three times that. */
  expect("0123456789abcde\nnext\n", SMALL, -1, "0123456789abcde|next|");
  expect("a\n0123456789abcdef0123456789abcdef0123456789abcdef\nb\n", SMALL, -1,
         "a|0123456789abcde|b|");
}

static void no_more_than_wanted(void **state) {
  (void)state;
  expect("one\ntwo\nthree\n", SMALL, 1, "one|");
  expect("one\ntwo\nthree\n", SMALL, 2, "one|two|");
  expect("0123456789abcdefghij\nnext\n", SMALL, 1, "0123456789abcde|");
}

static void a_file_that_is_not_there(void **state) {
  (void)state;
  char text[SMALL];
  all[0] = 0;
  assert_false(
      hp_mapping_lines("/nowhere/maps", text, sizeof text, note, &wanted));
  assert_false(hp_mapping_lines("/", text, sizeof text, note,
                                &wanted)); /* cannot be read */
  assert_string_equal(all, "");
}

static void ranges(void **state) {
  (void)state;
  uintptr_t begin, end;
  assert_string_equal(hp_mapping_range("7f00-7fffffffe000 rw-p", &begin, &end),
                      " rw-p");
  assert_int_equal(begin, 0x7f00);
  assert_int_equal(end, 0x7fffffffe000);
  assert_string_equal(
      hp_mapping_range("ffffffffff600000-ffffffffff601000", &begin, &end), "");
  assert_int_equal(begin, 0xffffffffff600000);
  assert_null(hp_mapping_range("Rss: 4 kB", &begin, &end));
  assert_null(hp_mapping_range("", &begin, &end));
}

static int make_file(void **state) {
  (void)state;
  const int fd = mkstemp(path);
  return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state) {
  (void)state;
  return unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_of_any_length),
      cmocka_unit_test(what_does_not_fit_is_cut),
      cmocka_unit_test(no_more_than_wanted),
      cmocka_unit_test(a_file_that_is_not_there),
      cmocka_unit_test(ranges),
  };
  return cmocka_run_group_tests(tests, make_file, remove_file);
}
