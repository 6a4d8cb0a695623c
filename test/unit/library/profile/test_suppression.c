/* test_suppression.c - LeakSanitizer's lines against names of functions, files and modules.
   Each row is one that holds or one that does not.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profile/suppression.h"

static const struct hp_frame frames[] = {
    {.function = "make_node(int)",
     .linkage_name = "_Z9make_nodei",
     .file = "/src/tree/node.cpp",
     .module = "/opt/app"},
    {.function = "main", .file = "/src/main.cpp", .module = "/opt/app"},
    {.module = "/usr/lib/libsome.so.1"},
};
static const struct hp_frame *const stack[] = {&frames[0], &frames[1],
                                               &frames[2]};
static const struct hp_point point = {.stack = stack, .stack_count = 3};

static void lines_that_hold(void **state) {
  (void)state;
  static const char *const lines[] = {"leak:make_node",
                                      "leak:_Z9make",
                                      "leak:node.cpp",
                                      "leak:libsome.so",
                                      "leak:^make_node",
                                      "leak:main$",
                                      "leak:^main$",
                                      "leak:m*in$",
                                      "leak:*",
                                      "leak:^",
                                      "leak:^*$",
                                      "leak:make*(int)$",
                                      "leak:^make*node*$",
                                      "leak:/src/*.cpp",
                                      "# a comment\nleak:main",
                                      "\n\n  leak:main \r\n",
                                      "race:x\nleak:main",
                                      "leak:nobody\nleak:main",
                                      "leak:ain$"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!hp_is_suppressed(lines[i], &point))
      fail_msg("\"%s\" does not hold", lines[i]);
}

static void lines_that_do_not(void **state) {
  (void)state;
  static const char *const lines[] = {
      "",           "\n",         "leak",           "leak:nobody",
      "leak:^node", "leak:^ain$", "leak:main.c$",   "main",
      "race:main",  "#leak:main", "leak:make*main", "leak:^make_node$",
      "leak:Main",  "Leak:main",  "leak:*nobody*",  "leak:$",
      "leak:^$"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (hp_is_suppressed(lines[i], &point))
      fail_msg("\"%s\" holds", lines[i]);
}

static void nothing_holds_for_no_frame(void **state) {
  (void)state;
  static const struct hp_point none;
  assert_false(hp_is_suppressed("leak:*", &none));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_that_hold), cmocka_unit_test(lines_that_do_not),
      cmocka_unit_test(nothing_holds_for_no_frame)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
