/* test_symbolize.c - what is said where there is no line, and of strange names.
   Nothing rather than something wrong.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1
#include "symbolize_fixture.h"

#include <stdlib.h>

static const char strange[] =
    "int gr\xc3\xb6\xc3\x9f"
    "e(int n) {\n"
    "#line 7 \"we\\\"ird\\tna\\\\me.c\"\n"
    "  __asm__ volatile(\".globl probe_odd\\nprobe_odd: nop\");\n"
    "  return n;\n"
    "}\n"
    "int main(int c, char **v) { (void)v; return gr\xc3\xb6\xc3\x9f"
    "e(c); }\n";

static void test_only_elf_symbols(void **state) {
  struct hp_symbol_module m;
  struct asked a;
  (void)state;
  compile("-O2", "nodebug");
  m = module_of("nodebug");
  a = ask(&m, address_of("nodebug", "probe_in"), NULL, NULL);
  assert_int_equal(a.count, 1);
  check_frame(&a.frames[0], "shop::Store::sell(int)", NULL, 0, false);
  hp_symbolizer_close(a.s);
}

static void test_address_outside_every_function(void **state) {
  struct hp_symbol_module m;
  (void)state;
  compile("-O2 -g", "whole");
  m = module_of("whole");
  check_nothing(&m, UINT64_MAX, NULL, NULL);
  check_nothing(&m, 0, NULL, NULL);
}

static void test_strange_names_survive(void **state) {
  struct hp_symbol_module m;
  struct asked a;
  (void)state;
  write_text("strange.c", strange);
  run("%s -O0 -g strange.c -Wl,--build-id -o odd", getenv("HP_TEST_CLANG"));
  m = module_of("odd");
  for (int round = 0; round < 2; round++) { /* the second from the cache */
    a = ask(&m, address_of("odd", "probe_odd"), in_directory("odd.cache"),
            NULL);
    check_frame(&a.frames[0],
                "gr\xc3\xb6\xc3\x9f"
                "e",
                "we\"ird\tna\\me.c", 7, false);
    hp_symbolizer_close(a.s);
  }
}

static void test_no_symbols_asks_nobody(void **state) {
  struct hp_symbol_module m = {"/nonexistent/lib.so", NULL, 0};
  struct hp_open_options o = plain;
  (void)state;
  o.no_symbols = true;
  check_nothing(&m, 4096, &o, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_only_elf_symbols),
      cmocka_unit_test(test_address_outside_every_function),
      cmocka_unit_test(test_strange_names_survive),
      cmocka_unit_test(test_no_symbols_asks_nobody),
  };
  return RUN_SYMBOLIZE_TESTS(tests);
}
