/* test_symbolize.c - the symboliser against programs compiled here and now.
   Probes are assembler labels, so that the address of a line is known exactly.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1
#include "resolve/symbolize.h"

#include "resolve/demangle.h"

#include <fcntl.h>
#include <gelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <elfutils/libdwelf.h>

/* HP_TEST_CLANG, HP_TEST_CLANGXX and HP_TEST_OBJCOPY come from CMake. */

static char directory[4096]; /* of this run; removed at the end */

static const char shop[] =
    "namespace shop {\n"                                              /* 1 */
    "template <class T> struct Box {\n"                               /* 2 */
    "  __attribute__((always_inline)) int take(int n) {\n"            /* 3 */
    "    asm volatile(\".globl probe_in\\nprobe_in: nop\");\n"        /* 4 */
    "    return n + 1;\n"                                             /* 5 */
    "  }\n"                                                           /* 6 */
    "};\n"                                                            /* 7 */
    "struct Store {\n"                                                /* 8 */
    "  __attribute__((noinline)) int sell(int n);\n"                  /* 9 */
    "};\n"                                                            /* 10 */
    "static inline __attribute__((always_inline)) int mid(int n) {\n" /* 11 */
    "  Box<long> b;\n"                                                /* 12 */
    "  { int k = n;\n"                                                /* 13 */
    "    return b.take(k) * 2; }\n"                                   /* 14 */
    "}\n"                                                             /* 15 */
    "int Store::sell(int n) { return mid(n) + 1; }\n"                 /* 16 */
    "}\n"                                                             /* 17 */
    "int main(int c, char **) {\n"                                    /* 18 */
    "  shop::Store s;\n"                                              /* 19 */
    "  asm volatile(\".globl probe_main\\nprobe_main: nop\");\n"      /* 20 */
    "  return s.sell(c);\n"                                           /* 21 */
    "}\n";

static const char strange[] =
    "int gr\xc3\xb6\xc3\x9f"
    "e(int n) {\n"
    "#line 7 \"we\\\"ird\\tna\\\\me.c\"\n"
    "  __asm__ volatile(\".globl probe_odd\\nprobe_odd: nop\");\n"
    "  return n;\n"
    "}\n"
    "int main(int c, char **v) { (void)v; return gr\xc3\xb6\xc3\x9f"
    "e(c); }\n";

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run(const char *format, ...) {
  va_list arguments;
  char *command, *inside;
  va_start(arguments, format);
  assert_true(vasprintf(&command, format, arguments) > 0);
  va_end(arguments);
  assert_true(asprintf(&inside, "cd '%s' && %s", directory, command) > 0);
  if (system(inside) != 0)
    fail_msg("failed: %s", inside);
  free(command);
  free(inside);
}

static char *in_directory(const char *name) {
  static char paths[4][4400];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

static void write_text(const char *name, const char *text) {
  FILE *f = fopen(in_directory(name), "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

static void compile(const char *flags, const char *output) {
  run("%s %s shop.cpp -o %s", getenv("HP_TEST_CLANGXX"), flags, output);
}

static uint64_t address_of(const char *file, const char *symbol_name) {
  int fd = open(in_directory(file), O_RDONLY);
  Elf *elf;
  Elf_Scn *section = NULL;
  uint64_t found = 0;
  elf_version(EV_CURRENT);
  elf = elf_begin(fd, ELF_C_READ, NULL);
  assert_non_null(elf);
  while ((section = elf_nextscn(elf, section)) != NULL) {
    GElf_Shdr header;
    GElf_Sym symbol;
    assert_non_null(gelf_getshdr(section, &header));
    for (int i = 0; header.sh_type == SHT_SYMTAB &&
                    gelf_getsym(elf_getdata(section, NULL), i, &symbol);
         i++)
      if (strcmp(elf_strptr(elf, header.sh_link, symbol.st_name),
                 symbol_name) == 0)
        found = symbol.st_value;
  }
  elf_end(elf);
  close(fd);
  assert_int_not_equal(found, 0);
  return found;
}

/* Path and build id as a dump would hold them. */
static struct hp_symbol_module module_of(const char *file) {
  static uint8_t ids[4][64];
  static char paths[4][4400];
  static unsigned next;
  uint8_t *id = ids[next++ % 4];
  char *path = paths[next % 4];
  struct hp_symbol_module m = {path, NULL, 0};
  int fd;
  Elf *elf;
  const void *bytes;
  ssize_t size;
  snprintf(path, sizeof paths[0], "%s", in_directory(file));
  fd = open(path, O_RDONLY);
  assert_true(fd >= 0);
  elf_version(EV_CURRENT);
  elf = elf_begin(fd, ELF_C_READ, NULL);
  size = dwelf_elf_gnu_build_id(elf, &bytes);
  if (size > 0) {
    assert_true((size_t)size <= sizeof ids[0]);
    memcpy(id, bytes, (size_t)size);
    m.build_id = id;
    m.build_id_size = (size_t)size;
  }
  elf_end(elf);
  close(fd);
  return m;
}

struct asked {
  hp_symbolizer *s;
  const struct hp_frame *frames;
  size_t count;
};

static struct asked ask(const struct hp_symbol_module *m, uint64_t vaddr,
                        const char *cache, const struct hp_open_options *o) {
  struct asked a = {NULL, NULL, 0};
  struct hp_error error;
  assert_int_equal(hp_symbolizer_open(&a.s, cache, o, &error), HP_OK);
  assert_int_equal(
      hp_symbolizer_frames(a.s, m, vaddr, &a.frames, &a.count, &error), HP_OK);
  assert_true(a.count > 0);
  assert_false(a.frames[a.count - 1].inlined);
  for (size_t i = 0; i < a.count; i++) {
    assert_string_equal(a.frames[i].module, m->path);
    assert_int_equal(a.frames[i].address, vaddr);
  }
  return a;
}

static void check_frame(const struct hp_frame *f, const char *function,
                        const char *file, uint32_t line, bool inlined) {
  assert_non_null(f->function);
  assert_string_equal(f->function, function);
  assert_int_equal(f->line, line);
  assert_int_equal(f->inlined, inlined);
  if (file) {
    assert_non_null(f->file);
    assert_string_equal(
        strrchr(f->file, '/') ? strrchr(f->file, '/') + 1 : f->file, file);
  } else {
    assert_null(f->file);
  }
}

/* LINKAGE is NULL for a function of C. */
static void check_function(const struct hp_frame *f, const char *linkage,
                           uint32_t start_line) {
  assert_int_equal(f->start_line, start_line);
  if (linkage)
    assert_string_equal(f->linkage_name, linkage);
  else
    assert_null(f->linkage_name);
}

static void check_shop(const char *file, const struct hp_open_options *o,
                       const char *addresses) {
  struct hp_symbol_module m = module_of(file);
  struct asked a = ask(&m, address_of(addresses, "probe_in"), NULL, o);
  assert_int_equal(hp_symbolizer_note_count(a.s), 0);
  assert_int_equal(a.count, 3);
  check_frame(&a.frames[0], "shop::Box<long>::take(int)", "shop.cpp", 4, true);
  check_frame(&a.frames[1], "shop::mid(int)", "shop.cpp", 14, true);
  assert_int_equal(a.frames[1].column, 14);
  check_frame(&a.frames[2], "shop::Store::sell(int)", "shop.cpp", 16, false);
  assert_int_equal(a.frames[2].column, 33);
  check_function(&a.frames[0], "_ZN4shop3BoxIlE4takeEi", 3);
  check_function(&a.frames[1], "_ZN4shopL3midEi", 11);
  check_function(&a.frames[2], "_ZN4shop5Store4sellEi", 16);
  hp_symbolizer_close(a.s);
  a = ask(&m, address_of(addresses, "probe_main"), NULL, o);
  assert_int_equal(a.count, 1);
  check_frame(&a.frames[0], "main", "shop.cpp", 20, false);
  check_function(&a.frames[0], NULL, 18);
  hp_symbolizer_close(a.s);
}

static void check_nothing(const struct hp_symbol_module *m, uint64_t vaddr,
                          const struct hp_open_options *o, const char *note) {
  struct asked a = ask(m, vaddr, NULL, o);
  assert_int_equal(a.count, 1);
  assert_null(a.frames[0].function);
  assert_null(a.frames[0].file);
  if (note) {
    assert_int_equal(hp_symbolizer_note_count(a.s), 1);
    assert_non_null(strstr(hp_symbolizer_note(a.s, 0), note));
    assert_null(hp_symbolizer_note(a.s, 1));
  } else {
    assert_int_equal(hp_symbolizer_note_count(a.s), 0);
  }
  hp_symbolizer_close(a.s);
}

static const struct hp_open_options plain = {.sz = sizeof plain};

/* ---- DWARF forms --------------------------------------------------------- */

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

/* ---- separate debug files ------------------------------------------------ */

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

/* ---- the wrong file ------------------------------------------------------ */

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

static void test_no_symbols_asks_nobody(void **state) {
  struct hp_symbol_module m = {"/nonexistent/lib.so", NULL, 0};
  struct hp_open_options o = plain;
  (void)state;
  o.no_symbols = true;
  check_nothing(&m, 4096, &o, NULL);
}

/* ---- cache --------------------------------------------------------------- */

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

static void test_answers_without_lines_are_not_cached(void **state) {
  struct hp_symbol_module m;
  struct asked a;
  (void)state;
  compile("-O2 -Wl,--build-id", "x");
  m = module_of("x");
  a = ask(&m, address_of("x", "probe_main"), in_directory("x.cache"), NULL);
  check_frame(&a.frames[0], "main", NULL, 0, false);
  hp_symbolizer_close(a.s);
  assert_false(exists("x.cache"));
}

/* ---- damage -------------------------------------------------------------- */

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

/* ---- names --------------------------------------------------------------- */

static void check_name(const char *symbol, const char *expected) {
  char *name = hp_demangle(symbol);
  if (expected) {
    assert_non_null(name);
    assert_string_equal(name, expected);
  } else {
    assert_null(name);
  }
  free(name);
}

static void test_demangle(void **state) {
  (void)state;
  check_name("_ZN4shop5Store4sellEi", "shop::Store::sell(int)");
  check_name("_ZNSt6vectorIiSaIiEE9push_backERKi",
             "std::vector<int, std::allocator<int> >::push_back(int const&)");
  check_name("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar");
  check_name("_ZN7mycrate3foo17h0123456789abcdefE", "mycrate::foo");
  check_name("main", NULL);
  check_name("_d", NULL);
  check_name("_Z", NULL);
  check_name("_ZN", NULL);
  check_name("", NULL);
}

static int make_directory(void **state) {
  const char *base = getenv("TMPDIR");
  (void)state;
  snprintf(directory, sizeof directory, "%s/hp_symbolize.XXXXXX",
           base && *base ? base : "/tmp");
  if (!mkdtemp(directory))
    return -1;
  write_text("shop.cpp", shop);
  return 0;
}

static int remove_directory(void **state) {
  (void)state;
  run("cd / && rm -rf '%s'", directory);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dwarf5_inlined_calls),
      cmocka_unit_test(test_dwarf4_inlined_calls),
      cmocka_unit_test(test_split_dwarf),
      cmocka_unit_test(test_split_dwarf_without_dwo_keeps_outer_function),
      cmocka_unit_test(test_line_tables_only),
      cmocka_unit_test(test_compressed_sections),
      cmocka_unit_test(test_only_elf_symbols),
      cmocka_unit_test(test_address_outside_every_function),
      cmocka_unit_test(test_strange_names_survive),
      cmocka_unit_test(test_debuglink),
      cmocka_unit_test(test_debuglink_is_checked_without_build_id),
      cmocka_unit_test(test_build_id_directory),
      cmocka_unit_test(test_debug_file_of_another_build_is_refused),
      cmocka_unit_test(test_rebuilt_module_is_refused),
      cmocka_unit_test(test_missing_and_foreign_files),
      cmocka_unit_test(test_sysroot),
      cmocka_unit_test(test_no_symbols_asks_nobody),
      cmocka_unit_test(test_cache_outlives_the_module),
      cmocka_unit_test(test_damaged_cache_counts_as_none),
      cmocka_unit_test(test_cache_that_cannot_be_written),
      cmocka_unit_test(test_modules_without_build_id_are_not_cached),
      cmocka_unit_test(test_answers_without_lines_are_not_cached),
      cmocka_unit_test(test_any_damage_to_the_file_is_survived),
      cmocka_unit_test(test_deep_dwarf),
      cmocka_unit_test(test_cyclic_dwarf),
      cmocka_unit_test(test_demangle),
  };
  if (!getenv("HP_TEST_CLANG") || !getenv("HP_TEST_CLANGXX") ||
      !getenv("HP_TEST_OBJCOPY")) {
    fputs("test_symbolize: set HP_TEST_CLANG, HP_TEST_CLANGXX and "
          "HP_TEST_OBJCOPY, as ctest does\n",
          stderr);
    return 2;
  }
  return cmocka_run_group_tests_name("symbolize", tests, make_directory,
                                     remove_directory);
}
