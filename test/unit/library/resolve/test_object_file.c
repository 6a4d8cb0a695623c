/* test_object_file.c - which file is read for a module: its own, a separate debug
   file, or none, since one of another build would give wrong lines.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1
#include "symbolize_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- separate debug files -------------------------------------------------- */

static void split_off(const char *name, const char *flags) {
  const char *objcopy = getenv("HP_TEST_OBJCOPY");
  compile(flags, name);
  run("%s --only-keep-debug %s %s.debug", objcopy, name, name);
  run("%s --strip-all %s %s.bare", objcopy, name, name);
  run("%s --add-gnu-debuglink=%s.debug %s.bare %s.linked", objcopy, name, name,
      name);
}

static void test_debuglink(void **state) {
  (void)state;
  split_off("l", "-O2 -g -Wl,--build-id");
  check_shop("l.linked", NULL, "l");
  run("mkdir -p .debug && mv l.debug .debug/");
  check_shop("l.linked", NULL, "l");
}

static void test_debuglink_is_checked_without_build_id(void **state) {
  struct hp_symbol_module m;
  (void)state;
  split_off("n", "-O2 -g -Wl,--build-id=none");
  m = module_of("n.linked");
  assert_int_equal(m.build_id_size, 0);
  check_shop("n.linked", NULL, "n");
  run("printf x >> n.debug"); /* now the CRC is wrong */
  check_nothing(&m, address_of("n", "probe_main"), NULL, NULL);
}

static void test_build_id_directory(void **state) {
  struct hp_symbol_module m;
  struct hp_open_options o = plain;
  char hex[129];
  (void)state;
  split_off("b", "-O2 -g -Wl,--build-id");
  m = module_of("b.bare");
  check_nothing(&m, address_of("b", "probe_main"), NULL, NULL);
  for (size_t i = 0; i < m.build_id_size; i++)
    snprintf(hex + 2 * i, 3, "%02x", m.build_id[i]);
  run("mkdir -p symbols/.build-id/%.2s && mv b.debug "
      "symbols/.build-id/%.2s/%s.debug",
      hex, hex, hex + 2);
  assert_true(asprintf((char **)&o.debug_dir, "/nonexistent::%s",
                       in_directory("symbols")) > 0);
  check_shop("b.bare", &o, "b");
  free((char *)o.debug_dir);
}

static void test_debug_file_of_another_build_is_refused(void **state) {
  struct hp_symbol_module m;
  (void)state;
  split_off("o", "-O2 -g -Wl,--build-id");
  compile("-O0 -g -Wl,--build-id", "p");
  run("%s --only-keep-debug p o.debug", getenv("HP_TEST_OBJCOPY"));
  m = module_of("o.linked");
  check_nothing(&m, address_of("o", "probe_main"), NULL, NULL);
}

/* ---- the wrong file -------------------------------------------------------- */

static void test_rebuilt_module_is_refused(void **state) {
  struct hp_symbol_module m;
  uint64_t vaddr;
  (void)state;
  compile("-O2 -g -Wl,--build-id", "r");
  m = module_of("r");
  vaddr = address_of("r", "probe_main");
  compile("-O0 -g -Wl,--build-id", "r");
  check_nothing(&m, vaddr, NULL, "r: its build id is not the dump's");
  m.build_id_size = 0;
  check_nothing(&m, vaddr, NULL, "r: its build id is not the dump's");
}

static void test_missing_and_foreign_files(void **state) {
  struct hp_symbol_module m = {"/nonexistent/lib.so", NULL, 0};
  (void)state;
  check_nothing(&m, 4096, NULL, "/nonexistent/lib.so: no such file");
  m.path = "linux-vdso.so.1"; /* no file, and none expected */
  check_nothing(&m, 4096, NULL, NULL);
  m.path = "/proc/self/exe"; /* of the program, which is not here */
  check_nothing(&m, 4096, NULL, "/proc/self/exe: no such file");
  m.path = in_directory("shop.cpp");
  check_nothing(&m, 4096, NULL, "shop.cpp: not an ELF file");
  run("mkfifo pipe");
  m.path = in_directory("pipe");
  check_nothing(&m, 4096, NULL, "pipe: not an ELF file");
}

static void test_sysroot(void **state) {
  struct hp_symbol_module m;
  struct hp_open_options o = plain;
  uint64_t vaddr;
  struct asked a;
  (void)state;
  run("mkdir -p root/opt");
  compile("-O2 -g -Wl,--build-id", "root/opt/app");
  m = module_of("root/opt/app");
  vaddr = address_of("root/opt/app", "probe_main");
  m.path = "/opt/app";
  o.sysroot = in_directory("root");
  a = ask(&m, vaddr, NULL, &o);
  check_frame(&a.frames[0], "main", "shop.cpp", 20, false);
  hp_symbolizer_close(a.s);
}

/* ---- damage ---------------------------------------------------------------- */

static void test_any_damage_to_the_file_is_survived(void **state) {
  struct hp_symbol_module m;
  uint64_t inner, outer;
  char *whole;
  size_t size;
  FILE *f;
  (void)state;
  compile("-O2 -g -Wl,--build-id=none", "v");
  m = module_of("v");
  inner = address_of("v", "probe_in");
  outer = address_of("v", "probe_main");
  f = fopen(m.path, "r");
  whole = malloc(1 << 20);
  size = fread(whole, 1, 1 << 20, f);
  fclose(f);
  for (size_t i = 0; i < size; i += 61) {
    char old = whole[i];
    struct asked a;
    whole[i] = (char)(old ^ (i & 1 ? 0xff : 0x41));
    f = fopen(m.path, "w");
    fwrite(whole, 1, i % 7 ? size : i, f);
    fclose(f);
    whole[i] = old;
    a = ask(&m, inner, NULL, NULL);
    hp_symbolizer_close(a.s);
    a = ask(&m, outer, NULL, NULL);
    hp_symbolizer_close(a.s);
  }
  free(whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_debuglink),
      cmocka_unit_test(test_debuglink_is_checked_without_build_id),
      cmocka_unit_test(test_build_id_directory),
      cmocka_unit_test(test_debug_file_of_another_build_is_refused),
      cmocka_unit_test(test_rebuilt_module_is_refused),
      cmocka_unit_test(test_missing_and_foreign_files),
      cmocka_unit_test(test_sysroot),
      cmocka_unit_test(test_any_damage_to_the_file_is_survived),
  };
  return RUN_SYMBOLIZE_TESTS(tests);
}
