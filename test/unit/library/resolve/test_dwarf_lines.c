/* test_dwarf_lines.c - every form of DWARF that compilers write, and some that only
   an assembler does: without end, in circles.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1
#include "symbolize_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- as compilers write it ------------------------------------------------- */

static void test_dwarf5_inlined_calls(void **state) {
  (void)state;
  compile("-O2 -g -gdwarf-5", "d5");
  check_shop("d5", NULL, "d5");
}

static void test_dwarf4_inlined_calls(void **state) {
  (void)state;
  compile("-O2 -g -gdwarf-4", "d4");
  check_shop("d4", &plain, "d4");
}

static void test_split_dwarf(void **state) {
  (void)state;
  run("%s -O2 -g -gdwarf-5 -gsplit-dwarf -c shop.cpp -o split5.o && "
      "%s split5.o -o split5",
      getenv("HP_TEST_CLANGXX"), getenv("HP_TEST_CLANGXX"));
  check_shop("split5", NULL, "split5");
  run("%s -O2 -g -gdwarf-4 -gsplit-dwarf -c shop.cpp -o split4.o && "
      "%s split4.o -o split4",
      getenv("HP_TEST_CLANGXX"), getenv("HP_TEST_CLANGXX"));
  check_shop("split4", NULL, "split4");
}

static void test_split_dwarf_without_dwo_keeps_outer_function(void **state) {
  struct hp_symbol_module m;
  struct asked a;
  (void)state;
  run("%s -O2 -g -gsplit-dwarf -c shop.cpp -o lost.o && %s lost.o -o lost && "
      "rm lost.dwo",
      getenv("HP_TEST_CLANGXX"), getenv("HP_TEST_CLANGXX"));
  m = module_of("lost");
  a = ask(&m, address_of("lost", "probe_main"), NULL, NULL);
  assert_int_equal(a.count, 1);
  check_frame(&a.frames[0], "main", "shop.cpp", 20, false);
  hp_symbolizer_close(a.s);
}

/* Without the .dwo file the line of a library's header would make the function
   the library's. */
static void test_without_dwo_a_function_is_not_its_inlined_calls(void **state) {
  struct asked a;
  (void)state;
  run("mkdir -p include/c++");
  write_text("include/c++/box.h",
             "inline void *box() {\n"
             "  asm volatile(\".globl probe_box\\nprobe_box: nop\" ::: "
             "\"memory\");\n"
             "  return 0;\n}\n"
             "namespace std { inline __attribute__((noinline)) void *own() {\n"
             "  asm volatile(\".globl probe_own\\nprobe_own: nop\" ::: "
             "\"memory\");\n"
             "  return 0;\n} }\n");
  write_text("user.cpp", "#include \"include/c++/box.h\"\n"
                         "int main() { return box() != std::own(); }\n");
  run("%s -O2 -g -gsplit-dwarf -c user.cpp -o user.o && %s user.o -o user && "
      "cp user.dwo kept.dwo && rm user.dwo",
      getenv("HP_TEST_CLANGXX"), getenv("HP_TEST_CLANGXX"));
  struct hp_symbol_module m = module_of("user");
  a = ask(&m, address_of("user", "probe_box"), NULL, NULL);
  assert_int_equal(a.count, 1);
  assert_string_equal(a.frames[0].function, "main");
  assert_null(a.frames[0].file);
  assert_int_equal(a.frames[0].line, 0);
  assert_int_equal(hp_symbolizer_note_count(a.s), 1);
  assert_non_null(strstr(hp_symbolizer_note(a.s, 0), ".dwo"));
  hp_symbolizer_close(a.s);
  a = ask(&m, address_of("user", "probe_own"), NULL, NULL);
  assert_non_null(strstr(a.frames[0].file, "include/c++/box.h"));
  hp_symbolizer_close(a.s);
  run("mv kept.dwo user.dwo");
  a = ask(&m, address_of("user", "probe_box"), NULL, NULL);
  assert_int_equal(a.count, 2);
  assert_non_null(strstr(a.frames[0].file, "include/c++/box.h"));
  assert_int_equal(hp_symbolizer_note_count(a.s), 0);
  hp_symbolizer_close(a.s);
}

static void test_line_tables_only(void **state) {
  (void)state;
  compile("-O2 -gline-tables-only", "gmlt");
  struct hp_symbol_module m = module_of("gmlt");
  struct asked a = ask(&m, address_of("gmlt", "probe_in"), NULL, NULL);
  assert_int_equal(a.count, 3);
  assert_int_equal(a.frames[0].line, 4);
  assert_int_equal(a.frames[1].line, 14);
  check_frame(&a.frames[2], "shop::Store::sell(int)", "shop.cpp", 16, false);
  hp_symbolizer_close(a.s);
}

static void test_compressed_sections(void **state) {
  (void)state;
  compile("-O2 -g -gz=zlib", "packed");
  check_shop("packed", NULL, "packed");
}

/* ---- by hand --------------------------------------------------------------- */

/* One function whose tree is written by hand: TREE follows the function's DIE.
   Abbreviations: 3 = block with pc range and children, 4 = inlined call with
   pc range, origin and children, 5 = block with a sibling attribute. */
static void assemble(const char *name, const char *tree) {
  char source[64];
  char *text;
  assert_true(
      asprintf(
          &text,
          ".text\n.globl main\nmain:\n.globl probe_main\nprobe_main: nop\n"
          "xor %%eax,%%eax\nret\n.Lend:\n"
          ".section .debug_abbrev,\"\",@progbits\n"
          ".uleb128 1,0x11\n.byte 1\n.uleb128 0x3,0x8,0x11,0x1,0x12,0x7,0,0\n"
          ".uleb128 2,0x2e\n.byte 1\n.uleb128 0x3,0x8,0x11,0x1,0x12,0x7,0,0\n"
          ".uleb128 3,0x0b\n.byte 1\n.uleb128 0x11,0x1,0x12,0x7,0,0\n"
          ".uleb128 4,0x1d\n.byte 1\n"
          ".uleb128 0x31,0x13,0x11,0x1,0x12,0x7,0,0\n"
          ".uleb128 5,0x0b\n.byte 1\n.uleb128 0x1,0x13,0,0\n"
          ".byte 0\n"
          ".section .debug_info,\"\",@progbits\n"
          ".Linfo: .long .Linfo_end-.Lversion\n.Lversion: .value 4\n"
          ".long 0\n.byte 8\n"
          ".uleb128 1\n.string \"unit\"\n.quad main\n.quad .Lend-main\n"
          ".Lfunction: .uleb128 2\n.string \"main\"\n.quad main\n"
          ".quad .Lend-main\n"
          "%s\n"
          ".byte 0\n.byte 0\n.Linfo_end:\n"
          ".section .note.GNU-stack,\"\",@progbits\n",
          tree) > 0);
  snprintf(source, sizeof source, "%s.s", name);
  write_text(source, text);
  free(text);
  run("%s %s -o %s", getenv("HP_TEST_CLANG"), source, name);
}

static void check_main_is_found(const char *name, size_t at_least) {
  struct hp_symbol_module m = module_of(name);
  struct asked a = ask(&m, address_of(name, "probe_main"), NULL, NULL);
  assert_true(a.count >= at_least);
  assert_string_equal(a.frames[a.count - 1].function, "main");
  hp_symbolizer_close(a.s);
}

static void test_deep_dwarf(void **state) {
  (void)state;
  assemble("deep", ".rept 100000\n.uleb128 3\n.quad main\n.quad .Lend-main\n"
                   ".endr\n.fill 100000\n");
  check_main_is_found("deep", 1);
  assemble("calls", ".rept 100000\n.uleb128 4\n.long .Lfunction-.Linfo\n"
                    ".quad main\n.quad .Lend-main\n.endr\n.fill 100000\n");
  check_main_is_found("calls", 1000);
}

static void test_cyclic_dwarf(void **state) {
  (void)state;
  assemble("sibling", ".Lblock: .uleb128 5\n.long .Lblock-.Linfo\n.byte 0\n");
  check_main_is_found("sibling", 1);
  assemble("back", ".Lblock: .uleb128 5\n.long .Lfunction-.Linfo\n.byte 0\n");
  check_main_is_found("back", 1);
  assemble("origin", ".Lcall: .uleb128 4\n.long .Lcall-.Linfo\n.quad main\n"
                     ".quad .Lend-main\n.byte 0\n");
  check_main_is_found("origin", 2);
}

/* Headers that `-I` of a relative path finds are those of where the compiler ran. */
static void test_relative_headers_have_their_whole_path(void **state) {
  static const char *const forms[] = {"-gdwarf-5", "-gdwarf-4",
                                      "-gdwarf-5 -gsplit-dwarf"};
  (void)state;
  run("mkdir -p parts");
  write_text("parts/part.h",
             "static inline __attribute__((always_inline)) void part() {\n"
             "  asm volatile(\".globl probe_part\\nprobe_part: nop\" ::: "
             "\"memory\");\n}\n");
  write_text("parts/outer.h", "#include \"part.h\"\n"
                              "static inline __attribute__((always_inline)) "
                              "void outer() { part(); }\n");
  write_text("parts/of.c",
             "#include \"outer.h\"\nint main() { outer(); return 0; }\n");
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    run("%s -O1 -g %s -I. -I././parts -x c++ -c parts/of.c -o of.o && "
        "%s of.o -o of",
        getenv("HP_TEST_CLANGXX"), forms[i], getenv("HP_TEST_CLANGXX"));
    struct hp_symbol_module m = module_of("of");
    struct asked a = ask(&m, address_of("of", "probe_part"), NULL, NULL);
    assert_int_equal(a.count, 3);
    assert_string_equal(a.frames[0].file, in_directory("parts/part.h"));
    assert_string_equal(a.frames[1].file, in_directory("parts/outer.h"));
    assert_string_equal(a.frames[2].file, in_directory("parts/of.c"));
    hp_symbolizer_close(a.s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dwarf5_inlined_calls),
      cmocka_unit_test(test_dwarf4_inlined_calls),
      cmocka_unit_test(test_split_dwarf),
      cmocka_unit_test(test_split_dwarf_without_dwo_keeps_outer_function),
      cmocka_unit_test(test_without_dwo_a_function_is_not_its_inlined_calls),
      cmocka_unit_test(test_line_tables_only),
      cmocka_unit_test(test_relative_headers_have_their_whole_path),
      cmocka_unit_test(test_compressed_sections),
      cmocka_unit_test(test_deep_dwarf),
      cmocka_unit_test(test_cyclic_dwarf),
  };
  return RUN_SYMBOLIZE_TESTS(tests);
}
