/* symbolize_fixture.c - see symbolize_fixture.h.
   What is compiled lies in a directory that is removed at the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1
#include "symbolize_fixture.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

static char directory[4096]; /* of this run */

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

void run(const char *format, ...) {
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

char *in_directory(const char *name) {
  static char paths[4][4400];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

void write_text(const char *name, const char *text) {
  FILE *f = fopen(in_directory(name), "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

void compile(const char *flags, const char *output) {
  run("%s %s shop.cpp -o %s", getenv("HP_TEST_CLANGXX"), flags, output);
}

uint64_t address_of(const char *file, const char *symbol_name) {
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

struct hp_symbol_module module_of(const char *file) {
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

struct asked ask(const struct hp_symbol_module *m, uint64_t vaddr,
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

void check_frame(const struct hp_frame *f, const char *function,
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

void check_function(const struct hp_frame *f, const char *linkage,
                    uint32_t start_line) {
  assert_int_equal(f->start_line, start_line);
  if (linkage)
    assert_string_equal(f->linkage_name, linkage);
  else
    assert_null(f->linkage_name);
}

void check_shop(const char *file, const struct hp_open_options *o,
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

void check_nothing(const struct hp_symbol_module *m, uint64_t vaddr,
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

const struct hp_open_options plain = {.sz = sizeof plain};

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

int run_symbolize_tests(const struct CMUnitTest *tests, size_t count) {
  if (!getenv("HP_TEST_CLANG") || !getenv("HP_TEST_CLANGXX") ||
      !getenv("HP_TEST_OBJCOPY")) {
    fputs("set HP_TEST_CLANG, HP_TEST_CLANGXX and HP_TEST_OBJCOPY, as ctest "
          "does\n",
          stderr);
    return 2;
  }
  return _cmocka_run_group_tests("symbolize", tests, count, make_directory,
                                 remove_directory);
}
