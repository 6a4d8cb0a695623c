/* test_symbolcache.c - answers that outlive the module they are of.
   A damaged cache counts as none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1
#include "symbolize_fixture.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool exists(const char *name) {
  return access(in_directory(name), F_OK) == 0;
}

static void test_cache_outlives_the_module(void **state) {
  struct hp_symbol_module m;
  uint64_t vaddr;
  struct asked a;
  struct hp_open_options o = plain;
  (void)state;
  compile("-O2 -g -Wl,--build-id", "c");
  m = module_of("c");
  vaddr = address_of("c", "probe_in");
  a = ask(&m, vaddr, in_directory("c.cache"), NULL);
  hp_symbolizer_close(a.s);
  assert_true(exists("c.cache"));
  run("rm c");
  a = ask(&m, vaddr, in_directory("c.cache"), NULL);
  assert_int_equal(a.count, 3);
  check_frame(&a.frames[1], "shop::mid(int)", "shop.cpp", 14, true);
  check_function(&a.frames[1], "_ZN4shopL3midEi", 11);
  hp_symbolizer_close(a.s);
  o.no_cache = true;
  a = ask(&m, vaddr, in_directory("c.cache"), &o);
  assert_null(a.frames[0].function);
  hp_symbolizer_close(a.s);
  m.build_id = (const uint8_t *)"another build id!!!!";
  a = ask(&m, vaddr, in_directory("c.cache"), NULL);
  assert_null(a.frames[0].function);
  hp_symbolizer_close(a.s);
}

/* Every byte changed, and every length: the answer comes from the module. */
static void test_damaged_cache_counts_as_none(void **state) {
  struct hp_symbol_module m;
  uint64_t vaddr;
  struct asked a;
  char good[4096], bad[4096];
  size_t size;
  FILE *f;
  (void)state;
  compile("-O2 -g -Wl,--build-id", "g");
  m = module_of("g");
  vaddr = address_of("g", "probe_main");
  a = ask(&m, vaddr, in_directory("g.cache"), NULL);
  hp_symbolizer_close(a.s);
  f = fopen(in_directory("g.cache"), "r");
  size = fread(good, 1, sizeof good, f);
  fclose(f);
  assert_true(size > 0 && size < sizeof good);
  m.path = "/nonexistent/g";
  for (size_t i = 0; i < 2 * size; i++) {
    memcpy(bad, good, size);
    bad[i % size] = (char)(bad[i % size] ^ 1);
    f = fopen(in_directory("g.cache"), "w");
    fwrite(i < size ? bad : good, 1, i < size ? size : i - size, f);
    fclose(f);
    a = ask(&m, vaddr, in_directory("g.cache"), NULL);
    assert_null(a.frames[0].function);
    hp_symbolizer_close(a.s);
  }
  f = fopen(in_directory("g.cache"), "w");
  fwrite(good, 1, size, f);
  fclose(f);
  a = ask(&m, vaddr, in_directory("g.cache"), NULL);
  check_frame(&a.frames[0], "main", "shop.cpp", 20, false);
  hp_symbolizer_close(a.s);
}

static void test_cache_that_cannot_be_written(void **state) {
  struct hp_symbol_module m;
  struct asked a;
  (void)state;
  compile("-O2 -g -Wl,--build-id", "u");
  m = module_of("u");
  a = ask(&m, address_of("u", "probe_main"), "/nonexistent/u.cache", NULL);
  check_frame(&a.frames[0], "main", "shop.cpp", 20, false);
  hp_symbolizer_close(a.s);
}

static void test_modules_without_build_id_are_not_cached(void **state) {
  struct hp_symbol_module m;
  struct asked a;
  (void)state;
  compile("-O2 -g -Wl,--build-id=none", "w");
  m = module_of("w");
  a = ask(&m, address_of("w", "probe_main"), in_directory("w.cache"), NULL);
  check_frame(&a.frames[0], "main", "shop.cpp", 20, false);
  hp_symbolizer_close(a.s);
  assert_false(exists("w.cache"));
}

/* They are for when the module is gone; as long as it may say more, it is
   asked. */
static void test_lines_take_the_place_of_names(void **state) {
  struct hp_symbol_module m;
  struct asked a;
  uint64_t vaddr;
  (void)state;
  compile("-O2 -g -Wl,--build-id", "x");
  m = module_of("x");
  vaddr = address_of("x", "probe_main");
  run("mv x whole && \"$HP_TEST_OBJCOPY\" --strip-debug whole x");
  for (int round = 0; round < 2; round++) { /* the second without the module */
    a = ask(&m, vaddr, in_directory("x.cache"), NULL);
    check_frame(&a.frames[0], "main", NULL, 0, false);
    hp_symbolizer_close(a.s);
    run("rm -f x");
  }
  run("mv whole x");
  for (int round = 0; round < 2; round++) {
    a = ask(&m, vaddr, in_directory("x.cache"), NULL);
    check_frame(&a.frames[0], "main", "shop.cpp", 20, false);
    hp_symbolizer_close(a.s);
    run("rm -f x");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cache_outlives_the_module),
      cmocka_unit_test(test_damaged_cache_counts_as_none),
      cmocka_unit_test(test_cache_that_cannot_be_written),
      cmocka_unit_test(test_modules_without_build_id_are_not_cached),
      cmocka_unit_test(test_lines_take_the_place_of_names),
  };
  return RUN_SYMBOLIZE_TESTS(tests);
}
