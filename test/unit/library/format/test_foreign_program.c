/* test_foreign_program.c - which programs our library is loaded into, by files that are made here: of 32 bits, of another machine,
   of musl, static, with a sanitizer in symbols or libraries, cut short.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "foreign_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A program as small as one can be that has all that is looked at; addresses are
   places in the file plus BASE. */
enum { BASE = 0x400000, MACHINE = EM_X86_64 };

struct file {
  Elf64_Ehdr header;
  Elf64_Phdr parts[3]; /* what is loaded, the loader's name, dynamic */
  Elf64_Shdr sections[3];
  Elf64_Sym symbols[2];
  Elf64_Dyn dynamic[3];
  char loader[64], names[128];
};

static struct file plain(void) {
  struct file file = {.header = {.e_machine = MACHINE,
                                 .e_phoff = offsetof(struct file, parts),
                                 .e_phentsize = sizeof(Elf64_Phdr),
                                 .e_phnum = 3,
                                 .e_shoff = offsetof(struct file, sections),
                                 .e_shentsize = sizeof(Elf64_Shdr),
                                 .e_shnum = 3}};
  memcpy(file.header.e_ident, ELFMAG, SELFMAG);
  file.header.e_ident[EI_CLASS] = ELFCLASS64;
  file.header.e_ident[EI_DATA] = ELFDATA2LSB;
  file.parts[0] =
      (Elf64_Phdr){.p_type = PT_LOAD, .p_vaddr = BASE, .p_filesz = sizeof file};
  file.parts[1] = (Elf64_Phdr){.p_type = PT_INTERP,
                               .p_offset = offsetof(struct file, loader),
                               .p_filesz = sizeof file.loader};
  file.parts[2] = (Elf64_Phdr){.p_type = PT_DYNAMIC,
                               .p_offset = offsetof(struct file, dynamic),
                               .p_filesz = sizeof file.dynamic};
  file.sections[1] = (Elf64_Shdr){.sh_type = SHT_DYNSYM,
                                  .sh_offset = offsetof(struct file, symbols),
                                  .sh_size = sizeof file.symbols,
                                  .sh_link = 2};
  file.sections[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                  .sh_offset = offsetof(struct file, names),
                                  .sh_size = sizeof file.names};
  file.symbols[1] = (Elf64_Sym){.st_name = 1, .st_shndx = 1};
  file.dynamic[0] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un = {.d_val = 65}};
  file.dynamic[1] =
      (Elf64_Dyn){.d_tag = DT_STRTAB,
                  .d_un = {.d_ptr = BASE + offsetof(struct file, names)}};
  strcpy(file.loader, "/lib64/ld-linux-x86-64.so.2");
  strcpy(file.names + 1, "main");
  strcpy(file.names + 65, "libc.so.6");
  return file;
}

static struct hp_program_judgement judge(const struct file *file, size_t size) {
  const struct hp_program_image image = {(const unsigned char *)file, size};
  return hp_program_judge(&image, MACHINE);
}

static void expect(const struct file *file, enum hp_program_kind kind,
                   const char *why) {
  const struct hp_program_judgement found = judge(file, sizeof *file);
  assert_string_equal(found.why, why);
  assert_int_equal(found.kind, kind);
}

static void machines(void **state) {
  (void)state;
  static const char why[] = "is of another architecture";
  struct file file = plain();
  expect(&file, HP_PROGRAM_PLAIN, "");
  file.header.e_ident[EI_CLASS] = ELFCLASS32;
  expect(&file, HP_PROGRAM_FOREIGN, why);
  file = plain();
  file.header.e_ident[EI_DATA] = ELFDATA2MSB;
  expect(&file, HP_PROGRAM_FOREIGN, why);
  file = plain();
  file.header.e_machine = EM_AARCH64;
  expect(&file, HP_PROGRAM_FOREIGN, why);
  /* As gcc -m32 and musl-gcc -m32 begin one. */
  Elf32_Ehdr small = {.e_machine = EM_386, .e_phnum = 9};
  memcpy(small.e_ident, ELFMAG, SELFMAG);
  small.e_ident[EI_CLASS] = ELFCLASS32;
  small.e_ident[EI_DATA] = ELFDATA2LSB;
  const struct hp_program_image image = {(const unsigned char *)&small,
                                         sizeof small};
  assert_string_equal(hp_program_judge(&image, MACHINE).why, why);
}

static void loaders(void **state) {
  (void)state;
  struct file file = plain();
  strcpy(file.loader, "/lib/ld-musl-x86_64.so.1");
  expect(&file, HP_PROGRAM_FOREIGN, "is of another C library than glibc");
  strcpy(file.loader, "/system/bin/linker64");
  expect(&file, HP_PROGRAM_FOREIGN, "is of another C library than glibc");
  strcpy(file.loader, "/opt/glibc/lib/ld-linux-x86-64.so.2");
  expect(&file, HP_PROGRAM_PLAIN, "");
  file.parts[1].p_type = PT_NULL;
  expect(&file, HP_PROGRAM_STATIC, "is linked statically");
}

static void runtimes(void **state) {
  (void)state;
  struct file file = plain();
  strcpy(file.names + 1, "__asan_init");
  expect(&file, HP_PROGRAM_FOREIGN, "was built with AddressSanitizer");
  file.symbols[1].st_shndx = SHN_UNDEF; /* a library has it */
  expect(&file, HP_PROGRAM_PLAIN, "");
  strcpy(file.names + 65, "libasan.so.8");
  expect(&file, HP_PROGRAM_FOREIGN, "was built with a sanitizer");
  file = plain();
  strcpy(file.names + 1, "__asan_initialised");
  expect(&file, HP_PROGRAM_PLAIN, "");
  strcpy(file.names + 1, "__heapprof_abi_version_1");
  expect(&file, HP_PROGRAM_BUILT_IN, "");
}

/* Whatever is missing; under a sanitizer or Memcheck no byte behind is read. */
static void cut(void **state) {
  (void)state;
  const struct file file = plain();
  for (size_t size = 0; size < sizeof file; size++) {
    unsigned char *bytes = test_malloc(size + 1);
    memcpy(bytes, &file, size);
    bytes[size] = 'x';
    const struct hp_program_image image = {bytes, size};
    const enum hp_program_kind kind = hp_program_judge(&image, MACHINE).kind;
    assert_true(kind == HP_PROGRAM_PLAIN || kind == HP_PROGRAM_FOREIGN);
    if (size < sizeof(Elf64_Ehdr)) /* what is no ELF of 64 bits */
      assert_int_equal(kind, HP_PROGRAM_FOREIGN);
    test_free(bytes);
  }
}

static void names(void **state) {
  (void)state;
  assert_true(hp_program_takes_malloc("/usr/bin/valgrind"));
  assert_true(hp_program_takes_malloc("valgrind.bin"));
  assert_false(hp_program_takes_malloc("/valgrind/app"));
  assert_false(hp_program_takes_malloc("valgrind-listener"));
}

static void limits(void **state) {
  (void)state;
  assert_true(hp_program_is_confined(12582911, UINT64_MAX));
  assert_true(hp_program_is_confined(UINT64_MAX, 8388607));
  assert_false(hp_program_is_confined(12582912, 8388608));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machines), cmocka_unit_test(loaders),
      cmocka_unit_test(runtimes), cmocka_unit_test(cut),
      cmocka_unit_test(names),    cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
