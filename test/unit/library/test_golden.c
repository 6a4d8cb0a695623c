/* test_golden.c - the dumps kept in test/golden read as they always did.
   Run with that directory; with --update as well it writes the expected texts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_text.h"

static const char *directory;
static bool update;

static const char *const names[] = {"picture", "uncompressed", "future",
                                    "killed",  "limits",       "nothing",
                                    "frees"};
static const char *const bad_names[] = {"overfreed"};

/* What is wrong with it, or what it says. */
static char *read_any(const char *name, bool *is_good) {
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.%s.1", directory, name);
  const char *const paths[] = {path};
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  hp_profile *profile;
  struct hp_error error;
  *is_good = hp_profile_open(&profile, paths, 1, &o, &error) == HP_OK;
  if (!*is_good) {
    const char *what = strstr(error.text, "heapprof.");
    return strdup(what ? what : error.text);
  }
  char *text = hp_profile_text(profile);
  hp_profile_close(profile);
  return text;
}

static char *read_dump(const char *name) {
  bool is_good;
  char *text = read_any(name, &is_good);
  if (!is_good)
    fail_msg("%s", text);
  return text;
}

static void compare(const char *name, const char *text) {
  char path[4096];
  static char expected[1 << 16];
  snprintf(path, sizeof path, "%s/%s.expected", directory, name);
  FILE *file = fopen(path, update ? "w" : "r");
  if (!file)
    fail_msg("%s: %s", path, strerror(errno));
  if (update) {
    fputs(text, file);
  } else {
    expected[fread(expected, 1, sizeof expected - 1, file)] = 0;
    assert_string_equal(text, expected);
  }
  fclose(file);
}

static void golden_dumps_read_as_expected(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *text = read_dump(names[i]);
    compare(names[i], text);
    free(text);
  }
}

static void bad_dumps_are_refused_as_expected(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad_names / sizeof *bad_names; i++) {
    bool is_good;
    char *text = read_any(bad_names[i], &is_good);
    assert_false(is_good);
    compare(bad_names[i], text);
    free(text);
  }
}

static void coding_and_unknown_parts_change_nothing(void **state) {
  (void)state;
  char *picture = read_dump("picture");
  for (size_t i = 1; i < 3; i++) {
    char *other = read_dump(names[i]);
    assert_string_equal(picture, other);
    free(other);
  }
  free(picture);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fputs("usage: test_golden test/golden [--update]\n", stderr);
    return 2;
  }
  directory = argv[1];
  update = argc > 2 && strcmp(argv[2], "--update") == 0;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_dumps_read_as_expected),
      cmocka_unit_test(bad_dumps_are_refused_as_expected),
      cmocka_unit_test(coding_and_unknown_parts_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
