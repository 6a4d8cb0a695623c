/* test_command_options.c - command lines read by a table: every kind of row,
   what all commands have, and what is refused.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char hp_command_name[] = "test";

struct arguments {
  bool flag;
  const char *text, *output;
  size_t limit;
  enum hp_color color;
  int own;
};

static const char *read_own(const struct hp_option *option, void *arguments,
                            const char *value) {
  struct arguments *a = arguments;
  a->own = value ? (int)strtol(value, NULL, 10) : -1;
  return a->own ? NULL : option->must_be;
}

#define OF struct arguments
static const struct hp_option rows[] = {
    HP_FLAG_OPTION("flag", OF, flag),
    HP_TEXT_OPTION("text", OF, text),
    HP_OUTPUT_OPTION(OF, output),
    HP_ROWS_OPTION("limit", OF, limit),
    HP_COLOR_OPTION("color", OF, color),
    HP_OWN_OPTION("own", read_own, OF, own, "no 0"),
    {"may-be", .alias = "may_be", .value = HP_VALUE_MAY, .read = read_own}};
#undef OF

static struct arguments a;
static struct hp_open_options symbols;

/* -1 if it was understood, else the exit code; words behind LAST are left. */
static int parse(bool with_symbols, bool of_program, int count, ...) {
  static char *argv[16];
  struct hp_command_options options = {.rows = rows,
                                       .count = sizeof rows / sizeof *rows,
                                       .help = "",
                                       .of_program = of_program};
  va_list words;
  int code = -1;
  va_start(words, count);
  argv[0] = "test";
  for (int i = 1; i <= count; i++)
    argv[i] = va_arg(words, char *);
  argv[count + 1] = NULL;
  va_end(words);
  a = (struct arguments){0};
  free((void *)symbols.debug_dir); /* joined by the command */
  symbols = (struct hp_open_options){0};
  optind = 0; /* getopt_long begins anew */
  bool good = hp_command_parse(&options, &a, with_symbols ? &symbols : NULL,
                               count + 1, argv, &code);
  assert_int_equal(good, code == -1);
  return code;
}

static void rows_set_their_members(void **state) {
  (void)state;
  assert_int_equal(parse(false, false, 6, "--flag", "--text", "t", "-oout",
                         "--limit=0", "--color=never"),
                   -1);
  assert_true(a.flag);
  assert_string_equal(a.text, "t");
  assert_string_equal(a.output, "out");
  assert_true(a.limit == SIZE_MAX);
  assert_int_equal(a.color, HP_COLOR_NEVER);
  assert_int_equal(parse(false, false, 2, "--output=b", "--own=7"), -1);
  assert_string_equal(a.output, "b");
  assert_int_equal(a.own, 7);
  assert_false(a.flag);
}

static void both_names_of_a_row_are_one_option(void **state) {
  (void)state;
  assert_int_equal(parse(false, false, 1, "--may-be"), -1);
  assert_int_equal(a.own, -1);
  assert_int_equal(parse(false, false, 1, "--may_be=3"), -1);
  assert_int_equal(a.own, 3);
  assert_int_equal(parse(false, false, 1, "--may"), -1);
  assert_int_equal(a.own, -1);
}

static void symbols_are_read_where_they_are_wanted(void **state) {
  (void)state;
  assert_int_equal(parse(true, false, 5, "--no-symbols", "--debug-dir", "/",
                         "--debug-dir=/dev", "--sysroot=/proc"),
                   -1);
  assert_true(symbols.no_symbols);
  assert_false(symbols.no_cache);
  assert_string_equal(symbols.debug_dir, "/:/dev");
  assert_string_equal(symbols.sysroot, "/proc");
  assert_int_equal(parse(false, false, 1, "--no-symbols"), HP_EXIT_USAGE);
}

static void the_words_of_a_program_are_left(void **state) {
  (void)state;
  assert_int_equal(parse(false, true, 3, "--flag", "program", "--unknown"), -1);
  assert_int_equal(optind, 2);
  assert_int_equal(parse(false, false, 3, "--flag", "program", "--unknown"),
                   HP_EXIT_USAGE);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  assert_int_equal(parse(false, false, 1, "--limit=many"), HP_EXIT_USAGE);
  assert_int_equal(parse(false, false, 1, "--color=red"), HP_EXIT_USAGE);
  assert_int_equal(parse(false, false, 1, "--own=0"), HP_EXIT_USAGE);
  assert_int_equal(parse(false, false, 1, "--text"), HP_EXIT_USAGE);
  assert_int_equal(parse(false, false, 1, "-o"), HP_EXIT_USAGE);
  assert_int_equal(parse(false, false, 1, "--flag=yes"), HP_EXIT_USAGE);
  assert_int_equal(parse(false, false, 1, "-f"), HP_EXIT_USAGE);
  assert_int_equal(parse(true, false, 1, "--debug-dir=/none"), HP_EXIT_USAGE);
  assert_int_equal(parse(true, false, 1, "--sysroot=/dev/null"), HP_EXIT_USAGE);
}

static void options_that_all_have_end_it(void **state) {
  (void)state;
  /* The commands' own tests have the exit code 0; it closes the output. */
  assert_int_equal(parse(false, false, 1, "--version=3"), HP_EXIT_USAGE);
  assert_int_equal(parse(false, false, 1, "--help=3"), HP_EXIT_USAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_set_their_members),
      cmocka_unit_test(both_names_of_a_row_are_one_option),
      cmocka_unit_test(symbols_are_read_where_they_are_wanted),
      cmocka_unit_test(the_words_of_a_program_are_left),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(options_that_all_have_end_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
