/* test_function_text.c - function_text.h: names of functions as people say them.
   Those of C++ without parameters, those that a compiler made without what it added.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "function_text.h"

static void check_name(const char *function, const char *expected) {
  char *name = hp_function_short(function);
  assert_non_null(name);
  assert_string_equal(name, expected);
  free(name);
}

static void names_have_no_parameters(void **state) {
  (void)state;
  check_name("void tree<int>::insert(int)", "tree<int>::insert");
  check_name("main", "main");
  check_name("app.Pool!(long).Pool.make(ulong)", "app.Pool!(long).Pool.make");
  check_name("bool shop::operator!(item)", "shop::operator!");
  check_name("D main", "D main");
}

static void clones_are_the_function_that_they_are_of(void **state) {
  (void)state;
  check_name("work [clone .omp_outlined_debug__]", "work");
  check_name("grow [clone .part.0]", "grow");
  check_name("double grid::sum<long>(long) [clone .omp_outlined]",
             "grid::sum<long>");
}

static void check_outline(const char *name, size_t size, size_t most,
                          const char *expected) {
  char *outline = hp_template_outline(name, size, most);
  assert_non_null(outline);
  assert_string_equal(outline, expected);
  free(outline);
}

static void long_arguments_are_dots(void **state) {
  (void)state;
  const char *name =
      "Book::depthOf<std::map<long, int> >::Part<int>::operator<";
  check_outline(name, strlen(name), 5,
                "Book::depthOf<...>::Part<int>::operator<");
  check_outline(name, strlen(name), 60, name);
  check_outline(name, 20, 5, "Book::depthOf<std::m"); /* not closed in it */
}

static void instances_differ_in_arguments_alone(void **state) {
  (void)state;
  assert_true(hp_functions_are_of_one_template("void make<1>(int)",
                                               "void make<22>(int)"));
  assert_true(hp_functions_are_of_one_template(
      "int Map<int, List<int> >::add<char>(int)",
      "long Map<long, Tree>::add<Pair<int, int> >(long)"));
  assert_true(hp_functions_are_of_one_template("A<1>::operator<(A<1>)",
                                               "A<2>::operator<(A<2>)"));
  assert_false(hp_functions_are_of_one_template("void make<1>(int)",
                                                "void make<1>(long)"));
  assert_false(
      hp_functions_are_of_one_template("void make<1>()", "void take<1>()"));
  assert_false(hp_functions_are_of_one_template("A<1>::operator<(A<1>)",
                                                "A<2>::operator<<(A<2>)"));
  assert_false(hp_functions_are_of_one_template("left", "right"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_have_no_parameters),
      cmocka_unit_test(clones_are_the_function_that_they_are_of),
      cmocka_unit_test(long_arguments_are_dots),
      cmocka_unit_test(instances_differ_in_arguments_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
