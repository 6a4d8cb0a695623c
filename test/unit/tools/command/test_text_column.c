/* test_text_column.c - numbers, columns, UTF-8 and JSON as heapprof-score
   writes them; the edges between units and the bytes that are no text.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof.h"
#include "json_writer.h"
#include "number_text.h"
#include "text_column.h"
#include "utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_bytes(void **state) {
  (void)state;
  assert_string_equal(hp_bytes_text(0).s, "0B");
  assert_string_equal(hp_bytes_text(1023).s, "1023B");
  assert_string_equal(hp_bytes_text(1024).s, "1.00KiB");
  assert_string_equal(hp_bytes_text(10230).s, "9.99KiB");
  assert_string_equal(hp_bytes_text(10240).s, "10.0KiB");
  assert_string_equal(hp_bytes_text(1023 * 1024).s, "1023KiB");
  assert_string_equal(hp_bytes_text(1024 * 1024 - 1).s, "1.00MiB");
  assert_string_equal(hp_bytes_text((uint64_t)5 << 30).s, "5.00GiB");
  assert_string_equal(hp_bytes_text(UINT64_MAX).s, "16.0EiB");
  for (unsigned bit = 0; bit < 64; bit++)
    for (int step = -1; step <= 1; step++)
      assert_true(
          strlen(hp_bytes_text(((uint64_t)1 << bit) + (uint64_t)(int64_t)step)
                     .s) <= 7);
}

static void test_counts(void **state) {
  (void)state;
  assert_string_equal(hp_count_text(0).s, "0");
  assert_string_equal(hp_count_text(999999).s, "999999");
  assert_string_equal(hp_count_text(1000000).s, "1.00M");
  assert_string_equal(hp_count_text(999999999).s, "1.00G");
  assert_string_equal(hp_count_text(UINT64_MAX).s, "18.4E");
}

static void test_durations(void **state) {
  (void)state;
  assert_string_equal(hp_duration_text(0).s, "0ns");
  assert_string_equal(hp_duration_text(999).s, "999ns");
  assert_string_equal(hp_duration_text(1000).s, "1.00us");
  assert_string_equal(hp_duration_text(999900).s, "1.00ms");
  assert_string_equal(hp_duration_text(1.5e9).s, "1.50s");
  assert_string_equal(hp_duration_text(1e13).s, "10000s");
}

static void test_scores(void **state) {
  (void)state;
  assert_string_equal(hp_score_text(HP_NULL_SCORE).s, "-");
  assert_string_equal(hp_score_text(0).s, "0.00");
  assert_string_equal(hp_score_text(0.125).s, "0.12");
  assert_string_equal(hp_score_text(1).s, "1.00");
  assert_string_equal(hp_mean_text(0.125, true).s, ">0.12");
  assert_string_equal(hp_mean_text(HP_NULL_SCORE, true).s, "-");
}

static void check_utf8(const char *s, size_t size, uint32_t code_point) {
  uint32_t c = 0;
  assert_int_equal(hp_utf8_decode(s, &c), size);
  if (size)
    assert_int_equal(c, code_point);
}

static void test_utf8(void **state) {
  (void)state;
  check_utf8("a", 1, 'a');
  check_utf8("\xc2\x80", 2, 0x80);
  check_utf8("\xe2\x82\xac", 3, 0x20ac);
  check_utf8("\xf4\x8f\xbf\xbf", 4, 0x10ffff);
  check_utf8("\x80", 0, 0);             /* continuation alone */
  check_utf8("\xc1\xbf", 0, 0);         /* overlong */
  check_utf8("\xe0\x9f\xbf", 0, 0);     /* overlong */
  check_utf8("\xf0\x8f\xbf\xbf", 0, 0); /* overlong */
  check_utf8("\xed\xa0\x80", 0, 0);     /* surrogate */
  check_utf8("\xf4\x90\x80\x80", 0, 0); /* above U+10FFFF */
  check_utf8("\xe2\x82", 0, 0);         /* cut */
  check_utf8("\xf0", 0, 0);             /* cut */
  check_utf8("\xff", 0, 0);
}

static char *text;
static size_t size;

static FILE *open_text(void) {
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  return f;
}

static void check_text(FILE *f, const char *expected) {
  assert_int_equal(fclose(f), 0);
  assert_string_equal(text, expected);
  free(text);
}

static void check_fit(const char *s, size_t width, enum hp_text_cut cut,
                      const char *expected) {
  FILE *f = open_text();
  hp_text_fit(f, s, width, cut);
  check_text(f, expected);
}

static void test_fit(void **state) {
  (void)state;
  check_fit("abc", 5, HP_CUT_FRONT, "abc  ");
  check_fit("abcde", 5, HP_CUT_FRONT, "abcde");
  check_fit("abcdef", 5, HP_CUT_FRONT, "..def");
  check_fit("abcdef", 5, HP_CUT_BACK, "abc..");
  check_fit("abc", 2, HP_CUT_FRONT, "..");
  check_fit("abc", 1, HP_CUT_BACK, ".");
  check_fit("abc", 0, HP_CUT_BACK, "");
  check_fit("", 2, HP_CUT_BACK, "  ");
  check_fit("\x1b[2J\n\xff\xc2\x9b", 8, HP_CUT_BACK, "?[2J??? ");
  /* U+202E and U+2066 turn what follows. */
  check_fit("a\xe2\x80\xae"
            "b\xe2\x81\xa6",
            5, HP_CUT_BACK, "a?b? ");
  check_fit("\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6", 3, HP_CUT_FRONT, "..\xc3\xb6");
}

static void check_wrap(const char *s, const char *expected) {
  FILE *f = open_text();
  hp_text_wrap(f, "n: ", s, 10);
  check_text(f, expected);
}

static void test_wrap(void **state) {
  (void)state;
  check_wrap("", "n: \n");
  check_wrap("one two", "n: one two\n");
  check_wrap("one  two three", "n: one two\n   three\n");
  check_wrap("averylongword x", "n: averylongword\n   x\n");
}

static void test_json(void **state) {
  FILE *f = open_text();
  struct hp_json j = {.out = f, .first = true};
  (void)state;
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "q\"", "a\\\n\t\r\x01\x7f\xff\xc3\xb6");
  hp_json_begin_array(&j, "empty");
  hp_json_end_array(&j);
  hp_json_begin_array(&j, "n");
  hp_json_integer(&j, NULL, UINT64_MAX);
  hp_json_number(&j, NULL, 0.1);
  hp_json_number(&j, NULL, 1.0 / 3);
  hp_json_number(&j, NULL, strtod("nan", NULL));
  hp_json_number(&j, NULL, strtod("inf", NULL));
  hp_json_begin_object(&j, NULL);
  hp_json_bool(&j, "b", true);
  hp_json_string(&j, "s", NULL);
  hp_json_end_object(&j);
  hp_json_end_array(&j);
  hp_json_end_object(&j);
  check_text(f, "{\n"
                "  \"q\\\"\": \"a\\\\\\n\\t\\u000d\\u0001\\u007f"
                "\xef\xbf\xbd\xc3\xb6\",\n"
                "  \"empty\": [],\n"
                "  \"n\": [\n"
                "    18446744073709551615,\n"
                "    0.1,\n"
                "    0.3333333333333333,\n"
                "    null,\n"
                "    null,\n"
                "    {\"b\": true, \"s\": null}\n"
                "  ]\n"
                "}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bytes),     cmocka_unit_test(test_counts),
      cmocka_unit_test(test_durations), cmocka_unit_test(test_scores),
      cmocka_unit_test(test_utf8),      cmocka_unit_test(test_fit),
      cmocka_unit_test(test_wrap),      cmocka_unit_test(test_json)};
  return cmocka_run_group_tests_name("score_text", tests, NULL, NULL);
}
