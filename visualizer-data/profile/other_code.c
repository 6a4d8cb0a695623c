/* other_code.c - see other_code.h: by symbols, if the file has them, and by how
   much code no record covers.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/other_code.h"

#include <string.h>

#include "base/pattern.h"
#include "read/hooked_ranges.h"
#include "resolve/object_file.h"

/* Between two functions is nothing but what aligns them. */
#define HP_PADDING_MAX 16u
/* Bytes of code that are in every program: its start and end (crt1.o and kin,
   about 260), libc's part that is not shared, and a division of the compiler's
   library that the runtime needs (about 280). */
#define HP_STARTUP_MAX 640u

/* Code that touches no chunk: how programs start and end, with -ffast-math and -pg, too,
   and with compiler-rt; which processor it is; arithmetic that this has no instruction
   for; jumps that -mretpoline, CFI and their like make; what UBSan reports by; profiles
   of the compiler's (llvm-pass/emit/HookedCode.cpp has what a program gives these). */
/* clang-format off */
static const char *const harmless[] = {
    "_start",        "_init",       "_fini",
    "set_fast_math", "__gmon_start__", "__do_init", "__do_fini",
    "frame_dummy",   "*_tm_clones", "_dl_relocate_static_pie",
    "atexit",        "__libc_csu_*", "__do_global_*_aux",
    "at_quick_exit", "heapprof.*",  "__x86.get_pc_thunk.*",
    "__cpu_*",       "get_available_features*", "has_cpu_feature*",
    "set_cpu_feature*", "__llvm_retpoline_*", "__llvm_lvi_thunk_*",
    "*.cfi_jt",      "__typeid_*_global_addr", "__cfi_*",
    "__*divti3",     "__*modti?",   "__*bf2",
    "__mul?i?",      "__mulo?i4",   "__popcount?i2",
    "__c?z?i2",      "__parity?i2", "__???v?i?",
    "__*tf2",        "__*tf3",      "__*xf2",
    "__*hf2",        "__fix*i",     "__float*f",
    "__extend?f?f2", "__trunc?f?f2", "__gnu_?2?_ieee",
    "__mul?c3",      "__div?c3",    "__powi?f2",
    "__sfp_handle_exceptions", "__fe_getround", "__fe_raise_inexact",
    "*pthread_atfork", "stat",      "stat64",
    "fstat",         "fstat64",     "lstat",
    "lstat64",       "fstatat",     "fstatat64",
    "mknod",         "mknodat",     "__stack_chk_fail_local",
    "__ubsan_*",     "_Z*7__ubsan*", "__sanitizer_*",
    "_Z*11__sanitizer*", "_Z*14__interception*", "_Z*8__sancov*",
    "_ZTW*__sancov*", "__sancov_*", "sancov.module_ctor*", "*UbsanDie*",
    "*__interceptor_*", "signal",   "sigaction",
    "_GLOBAL__sub_I_ubsan_*", "_GLOBAL__sub_I_sanitizer_*"};

/* The same of the runtime of profiles, where that is linked: else these may be anything. */
static const char *const of_profiles[] = {
    "__llvm_profile_*", "__llvm_orderfile_*", "__llvm_gcov_*", "__llvm_write_*",
    "__llvm_get_function_addr", "__gcov_*", "llvm_gc*", "llvm_*_function*",
    "llvm_reset_counters", "llvm_writeout_files", "lprof*", "get*ValueProf*",
    "InstProf*", "InstrProf*", "serializeValueProf*", "initBufferWriter",
    "_GLOBAL__sub_I_InstrProfilingRuntime.cpp"};

/* And of it those that are static. */
static const char *const static_of_profiles[] = {
    "binaryIdsStringWriter", "createProfileDir", "fileWriter",
    "getCurFilename*", "getNextNValueData", "getNumValue*",
    "getProfileFileSizeForMerging", "initializeProfileForContinuousMode",
    "initializeValueProfRuntimeRecord", "llvm_writeout_and_clear",
    "mmapForContinuousMode", "mmapProfileForMerging", "parseAndSetFilename",
    "truncateCurrentFile", "writeFile", "writeFileWithoutReturn",
    "writeOneValueProfData", "writeProfileWithFileObject"};
/* clang-format on */

#define HP_IS_ONE_OF(text, patterns)                                           \
  is_one_of(text, patterns, sizeof(patterns) / sizeof *(patterns))

/* Of the runtime, of the dynamic linker's stubs, of start and end. */
static const char *const foreign_sections[] = {".heapprof_text", ".plt*",
                                               ".init", ".fini", ".iplt"};

static bool is_one_of(const char *text, const char *const *patterns,
                      size_t count) {
  for (size_t i = 0; i < count; i++)
    if (hp_pattern_matches(patterns[i], text))
      return true;
  return false;
}

/* A table of them, and whether the runtime of profiles is there. */
struct symbols {
  Elf *elf;
  Elf_Data *data;
  const GElf_Shdr *table;
  enum { NOT_LOOKED, ABSENT, LINKED } profiles;
};

static const char *name_of(const struct symbols *s, const GElf_Sym *symbol) {
  return elf_strptr(s->elf, s->table->sh_link, symbol->st_name);
}

static bool has_profiles(struct symbols *s) {
  GElf_Sym symbol;
  if (s->profiles != NOT_LOOKED)
    return s->profiles == LINKED;
  s->profiles = ABSENT;
  for (int i = 1; gelf_getsym(s->data, i, &symbol); i++) {
    const char *name = name_of(s, &symbol);
    if (name && symbol.st_shndx != SHN_UNDEF &&
        (hp_pattern_matches("__llvm_profile_*", name) ||
         hp_pattern_matches("llvm_gcov_init", name)))
      s->profiles = LINKED;
  }
  return s->profiles == LINKED;
}

static bool is_static(const GElf_Sym *symbol) {
  return GELF_ST_BIND(symbol->st_info) == STB_LOCAL &&
         GELF_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT;
}

static bool is_harmless(struct symbols *s, const char *name,
                        const GElf_Sym *symbol) {
  return HP_IS_ONE_OF(name, harmless) ||
         ((HP_IS_ONE_OF(name, of_profiles) ||
           (is_static(symbol) && HP_IS_ONE_OF(name, static_of_profiles))) &&
          has_profiles(s));
}

static bool is_code(const GElf_Shdr *header, const char *name) {
  return header->sh_flags & SHF_EXECINSTR && header->sh_flags & SHF_ALLOC &&
         !HP_IS_ONE_OF(name, foreign_sections);
}

/* Bytes of [BEGIN, END) that are in no record and do not only align. */
static uint64_t uncovered(const struct hp_dump_module *m, uint64_t begin,
                          uint64_t end) {
  uint64_t bytes = 0, at = begin;
  for (size_t i = 0; i <= m->hooked_count; i++) {
    uint64_t next = i < m->hooked_count ? m->hooked[i].begin : end;
    if (next > end)
      next = end;
    if (next > at && next - at >= HP_PADDING_MAX)
      bytes += next - at;
    if (i < m->hooked_count && m->hooked[i].end > at)
      at = m->hooked[i].end;
  }
  return bytes;
}

/* It only says which of several functions the processor shall have, while the loader
   works, when nothing is allocated. */
static bool is_resolver(Elf_Data *data, const GElf_Sym *function) {
  GElf_Sym symbol;
  for (int i = 1; gelf_getsym(data, i, &symbol); i++)
    if (GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC &&
        symbol.st_value == function->st_value)
      return true;
  return false;
}

/* Only a place behind the section's code, as etext is where mold has linked. */
static bool is_end(const GElf_Sym *symbol, const GElf_Shdr *section) {
  return symbol->st_value >= section->sh_addr + section->sh_size;
}

/* Of the functions without record in TABLE: true if one is not harmless; else
   *BYTES is how many bytes the others have, as far as symbols say it. */
static bool has_other_function(Elf *elf, Elf_Scn *section,
                               const GElf_Shdr *table,
                               const struct hp_dump_module *m,
                               uint64_t *bytes) {
  Elf_Data *data = elf_getdata(section, NULL);
  struct symbols symbols = {elf, data, table, NOT_LOOKED};
  GElf_Sym symbol;
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return true;
  for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
    GElf_Shdr header;
    Elf_Scn *in = symbol.st_shndx < SHN_LORESERVE
                      ? elf_getscn(elf, symbol.st_shndx)
                      : NULL;
    const char *name = name_of(&symbols, &symbol);
    int type = GELF_ST_TYPE(symbol.st_info);
    /* Assemblers know no types but those they are told. */
    if ((type != STT_FUNC && type != STT_NOTYPE) || !in || !name || !*name ||
        !gelf_getshdr(in, &header))
      continue;
    const char *section_name = elf_strptr(elf, names, header.sh_name);
    if (!section_name || !is_code(&header, section_name) ||
        is_end(&symbol, &header) || hp_is_hooked(m, symbol.st_value + m->bias))
      continue;
    if (!is_harmless(&symbols, name, &symbol) && !is_resolver(data, &symbol))
      return true;
    *bytes += symbol.st_size + HP_PADDING_MAX; /* of the next one */
  }
  return false;
}

bool hp_has_other_code(Elf *elf, const struct hp_dump_module *m) {
  Elf_Scn *section = NULL;
  GElf_Shdr header;
  const char *name;
  uint64_t bytes = 0, explained = 0;
  while ((section = hp_object_section(elf, section, &header, &name))) {
    if (header.sh_type == SHT_SYMTAB &&
        has_other_function(elf, section, &header, m, &explained))
      return true;
    if (is_code(&header, name))
      bytes += uncovered(m, header.sh_addr + m->bias,
                         header.sh_addr + m->bias + header.sh_size);
  }
  return bytes > HP_STARTUP_MAX + explained;
}
