/* test_set_names.c - files of sets: what a line may be, who may use whom, and what is wrong with its line.
   Patterns and operators that a name of C++ may hold are told apart here, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump_builder.h"
#include "frame_list.h"
#include "query/filter.h"
#include "query/set_names.h"
#include "query/set_term.h"

static char *scratch;
static char path[4096], other[4096];

static int make_scratch(void **state) {
  (void)state;
  scratch = hp_scratch_make();
  snprintf(path, sizeof path, "%s/a.sets", scratch);
  snprintf(other, sizeof other, "%s/b.sets", scratch);
  return 0;
}

static int remove_scratch(void **state) {
  (void)state;
  hp_scratch_remove(scratch);
  return 0;
}

static hp_status read_text(struct hp_set_names *names, const char *file,
                           const char *text, struct hp_error *error) {
  hp_file_write(file, text, strlen(text));
  const hp_status status = hp_set_names_read(names, file, error);
  return status == HP_OK ? hp_set_names_check(names, error) : status;
}

static const struct hp_frame stack[] = {{.function = "parse(char const*)"},
                                        {.function = "main"}};

static bool passes(struct hp_set_names *names, struct hp_store *store,
                   const char *text) {
  const struct hp_point point = {
      .stack = hp_frame_list(stack, 2), .stack_count = 2, .type = "node"};
  struct hp_filter filter;
  struct hp_error error;
  if (hp_filter_parse_named(&filter, text, names, store, &error) != HP_OK)
    fail_msg("%s: %s", text, error.text);
  return hp_filter_passes(&filter, &point);
}

static void sets_use_sets(void **state) {
  (void)state;
  struct hp_store store = {0};
  struct hp_set_names names;
  struct hp_error error;
  hp_set_names_begin(&names, &store);
  const char text[] = "# remarks, blank lines and blanks\n\n"
                      "  both = first & second\r\n"
                      "first=function=main\n"
                      "second = !leaf | leaf\n"
                      "Third_3 = !both";
  if (read_text(&names, path, text, &error) != HP_OK)
    fail_msg("%s", error.text);
  assert_true(passes(&names, &store, "both"));
  assert_true(passes(&names, &store, "first & !Third_3"));
  assert_false(passes(&names, &store, "Third_3"));
  assert_false(passes(&names, &store, "third_3")); /* a pattern */
  assert_false(passes(&names, &store, "both2"));
  assert_false(passes(NULL, &store, "both"));
  /* What is there already stays. */
  assert_int_equal(
      read_text(&names, other, "both = nowhere\nnone = nowhere", &error),
      HP_OK);
  assert_true(passes(&names, &store, "both & !none"));
  hp_store_free(&store);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *line, *what;
  } cases[] = {
      {"a = b\nb = c\nc = d | a\n", ":", "is part of itself"},
      {"a = a", ":1: ", "the set a is part of itself"},
      {"x = y\na = size>4 & !a", ":2: ", "the set a is part of itself"},
      {"\na = size>4)", ":2: ", "this ) has no ( (at column 11)"},
      {"  a =   size>x", ":1: ", "not \"x\" (at column 14)"},
      {"a = x\na = y", ":2: ", "the set a is there already, in line 1"},
      {"a = x\nb", ":2: ", "a line is NAME = SET"},
      {"a-b = x", ":1: ", "a line is NAME = SET"},
      {"1a = x", ":1: ", "a line is NAME = SET"},
      {"a =  \t", ":1: ", "nothing is behind the = of \"a\""},
      {"size = x", ":1: ", "the name of a key, \"size\""},
      {"live_at = x", ":1: ", "the name of a key, \"live_at\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hp_store store = {0};
    struct hp_set_names names;
    struct hp_error error = {0};
    hp_set_names_begin(&names, &store);
    if (read_text(&names, path, cases[i].text, &error) != HP_E_ARGUMENT ||
        !strstr(error.text, cases[i].line) ||
        !strstr(error.text, cases[i].what))
      fail_msg("%s: %s", cases[i].text, error.text);
    hp_store_free(&store);
  }
  struct hp_store store = {0};
  struct hp_set_names names;
  struct hp_error error;
  hp_set_names_begin(&names, &store);
  assert_int_equal(hp_set_names_read(&names, "/nonexistent/sets", &error),
                   HP_E_OPEN);
  hp_file_write(path, "a = x\0y\n", 8);
  assert_int_equal(hp_set_names_read(&names, path, &error), HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "no text"));
  hp_store_free(&store);
}

static void depth_is_bounded(void **state) {
  (void)state;
  char *text = malloc(1u << 20), *at = text;
  struct hp_store store = {0};
  struct hp_set_names names;
  struct hp_error error;
  assert_non_null(text);
  /* Each uses the next one twice: 2^30 ways, asked once each. */
  for (int i = 0; i < 30; i++)
    at += sprintf(at, "s%d = s%d & s%d\n", i, i + 1, i + 1);
  sprintf(at, "s30 = main\n");
  hp_set_names_begin(&names, &store);
  assert_int_equal(read_text(&names, path, text, &error), HP_OK);
  assert_true(passes(&names, &store, "s0"));
  at = text;
  for (int i = 0; i < 5000; i++)
    at += sprintf(at, "t%d = t%d\n", i, i + 1);
  at[-1] = '\0';
  hp_set_names_begin(&names, &store);
  assert_int_equal(read_text(&names, path, text, &error), HP_E_ARGUMENT);
  memset(text, '(', 100000);
  text[100000] = '\0';
  struct hp_filter filter;
  assert_int_equal(hp_filter_parse(&filter, text, &store, &error),
                   HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "more than 64 levels"));
  memset(text, '!', 100000);
  assert_int_equal(hp_filter_parse(&filter, text, &store, &error),
                   HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "(at column 65)"));
  hp_store_free(&store);
  free(text);
}

static void names_of_cpp_are_patterns(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t length;
  } cases[] = {{"main", 4},
               {"main rest", 4},
               {"a&b", 1},
               {"a|b", 1},
               {"a)b", 1},
               {"f(int&)&b", 7},
               {"vector<int&>|b", 12},
               {"operator&&", 10},
               {"operator()(int)", 15},
               {"X::operator<&b", 14},
               {"operator->)", 10},
               {"f((a|b))", 8},
               {"", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (hp_set_pattern_length(cases[i].text) != cases[i].length)
      fail_msg("%s: %zu", cases[i].text, hp_set_pattern_length(cases[i].text));
  struct hp_store store = {0};
  assert_true(passes(NULL, &store, "parse(char?const*)"));
  assert_true(passes(NULL, &store, "function=\"parse(char const*)\""));
  assert_true(passes(NULL, &store, "(\"char const\" & main)"));
  assert_false(passes(NULL, &store, "function=\"a \\\" b\""));
  hp_store_free(&store);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_use_sets),
      cmocka_unit_test(what_is_wrong_is_said_with_its_line),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(names_of_cpp_are_patterns)};
  return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
