/* test_csv_text.c - tests of csv_text.c: what is quoted, and what stands for what cannot be.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "csv_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void check(void (*put)(FILE *, const char *), const char *text,
                  const char *expected) {
  char *written = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&written, &size);
  assert_non_null(out);
  put(out, text);
  fclose(out);
  assert_string_equal(written, expected);
  free(written);
}

static void what_needs_them_has_quotes(void **state) {
  (void)state;
  check(hp_csv_text, "std::string", "std::string");
  check(hp_csv_text, "map<int, int>", "\"map<int, int>\"");
  check(hp_csv_text, "a \"b\"", "\"a \"\"b\"\"\"");
  check(hp_csv_text, "two\nlines", "\"two\nlines\"");
  check(hp_csv_text, "", "");
  check(hp_csv_text, NULL, "");
}

static void what_is_to_have_them_has_quotes(void **state) {
  (void)state;
  check(hp_csv_quoted, "12", "\"12\"");
  check(hp_csv_quoted, "a \"b\"", "\"a \"\"b\"\"\"");
  check(hp_csv_quoted, NULL, "\"\"");
}

static void no_byte_is_left_that_is_no_text(void **state) {
  (void)state;
  check(hp_csv_text, "caf\xc3\xa9", "caf\xc3\xa9");
  check(hp_csv_text, "caf\xe9", "caf\xef\xbf\xbd");
  check(hp_csv_quoted, "\xff,", "\"\xef\xbf\xbd,\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_needs_them_has_quotes),
      cmocka_unit_test(what_is_to_have_them_has_quotes),
      cmocka_unit_test(no_byte_is_left_that_is_no_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
