/* test_collector_name.c - collector_name.h: names of collectors, and whose chunks they free.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profile/collector_name.h"

static void a_word_of_the_name_says_it(void **state) {
  (void)state;
  assert_true(hp_name_collects("js_gc"));
  assert_true(hp_name_collects("gc_free_cycles"));
  assert_true(hp_name_collects("luaC_fullgc"));
  assert_true(hp_name_collects("sweeplist"));
  assert_true(hp_name_collects("collect_garbage"));
  assert_false(hp_name_collects("poly_gcd"));
  assert_false(hp_name_collects("bgcolor_free"));
  assert_false(hp_name_collects("free_list"));
  assert_false(hp_name_collects(NULL));
}

static const struct hp_frame frees = {.function = "free_one", .line = 1},
                             collects = {.function = "js_gc", .line = 2},
                             runs = {.function = "run", .line = 3},
                             around = {.function = "outer_gc", .line = 4};

static void most_chunks_must_be_collected_within_the_turn(void **state) {
  (void)state;
  const struct hp_frame *const by_gc[] = {&frees, &collects, &runs, &around},
                               *const by_run[] = {&frees, &runs, &around};
  struct hp_freed freed[] = {{.stack = by_gc, .stack_count = 4, .chunks = 60},
                             {.stack = by_run, .stack_count = 3, .chunks = 40}};
  const struct hp_point p = {.freed = freed, .freed_count = 2};
  assert_ptr_equal(hp_collector_of(&p, &runs), &collects);
  freed[1].chunks = 60;
  assert_null(hp_collector_of(&p, &runs));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_word_of_the_name_says_it),
      cmocka_unit_test(most_chunks_must_be_collected_within_the_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
