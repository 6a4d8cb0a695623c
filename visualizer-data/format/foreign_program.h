/* foreign_program.h - whether the preloaded runtime can be loaded into a program, by the bytes of its file: asked by heapprof run
   of the program it is given, and by the runtime of those that a profiled process executes.  Nothing of libc is called.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FOREIGN_PROGRAM_H
#define HP_FOREIGN_PROGRAM_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hp_program_kind {
  HP_PROGRAM_PLAIN,
  HP_PROGRAM_BUILT_IN, /* it has the runtime */
  HP_PROGRAM_STATIC,   /* LD_PRELOAD is nothing to it */
  HP_PROGRAM_FOREIGN /* its loader refuses our library, or the program ends by it */
};

struct hp_program_image {
  const unsigned char *bytes;
  uint64_t size;
};

struct hp_program_judgement {
  enum hp_program_kind kind;
  const char *why; /* it is STATIC or FOREIGN */
};

#define HP_PROGRAM_NAME_LONG 4096 /* no name that is looked for is longer */

static inline const void *hp_program_at(const struct hp_program_image *image,
                                        uint64_t offset, uint64_t size) {
  return offset <= image->size && size <= image->size - offset
             ? image->bytes + offset
             : NULL;
}

/* Empty where there is none. */
static inline const char *hp_program_text(const struct hp_program_image *image,
                                          uint64_t offset) {
  if (offset >= image->size)
    return "";
  const uint64_t left = image->size - offset;
  const uint64_t most =
      left < HP_PROGRAM_NAME_LONG ? left : HP_PROGRAM_NAME_LONG;
  const char *text = (const char *)image->bytes + offset;
  for (uint64_t i = 0; i < most; i++)
    if (!text[i])
      return text;
  return "";
}

static inline bool hp_program_begins(const char *text, const char *prefix) {
  while (*prefix && *text == *prefix) {
    text++;
    prefix++;
  }
  return !*prefix;
}

static inline bool hp_program_holds(const char *text, const char *part) {
  for (; *text; text++)
    if (hp_program_begins(text, part))
      return true;
  return false;
}

static inline void hp_program_refuse(struct hp_program_judgement *judgement,
                                     const char *why) {
  judgement->kind = HP_PROGRAM_FOREIGN;
  judgement->why = why;
}

/* Another tool's runtime takes malloc's place and must be the first. */
static inline void hp_program_symbol(struct hp_program_judgement *judgement,
                                     const char *name) {
  static const struct {
    const char *symbol, *why;
  } others[] = {
      {"asan_init", "was built with AddressSanitizer"},
      {"hwasan_init", "was built with HWAddressSanitizer"},
      {"tsan_init", "was built with ThreadSanitizer"},
      {"msan_init", "was built with MemorySanitizer"},
      {"memprof_init", "was built with MemProf"},
  };
  if (name[0] != '_' || name[1] != '_')
    return;
  if (hp_program_begins(name, "__heapprof_abi_version_"))
    judgement->kind = HP_PROGRAM_BUILT_IN;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (hp_program_begins(name + 2, others[i].symbol) &&
        hp_program_begins(others[i].symbol, name + 2))
      hp_program_refuse(judgement, others[i].why);
}

/* Executables keep their table of sections, which has the number of dynamic
   symbols; without it they are taken to be plain, and a second runtime stands
   aside by itself. */
static inline void hp_program_symbols(struct hp_program_judgement *judgement,
                                      const struct hp_program_image *image,
                                      const Elf64_Ehdr *header) {
  const Elf64_Shdr *sections = (const Elf64_Shdr *)hp_program_at(
      image, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr));
  if (!sections || header->e_shentsize != sizeof *sections)
    return;
  for (unsigned i = 0; i < header->e_shnum; i++) {
    const Elf64_Shdr *table = &sections[i];
    if (table->sh_type != SHT_DYNSYM || table->sh_link >= header->e_shnum)
      continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)hp_program_at(
        image, table->sh_offset, table->sh_size);
    const uint64_t names = sections[table->sh_link].sh_offset;
    for (uint64_t j = 0; symbols && j < table->sh_size / sizeof *symbols; j++)
      if (symbols[j].st_shndx != SHN_UNDEF)
        hp_program_symbol(judgement,
                          hp_program_text(image, names + symbols[j].st_name));
  }
}

/* Where ADDRESS is in the file; the file's size if nowhere. */
static inline uint64_t hp_program_offset(const struct hp_program_image *image,
                                         const Elf64_Phdr *parts,
                                         unsigned count, uint64_t address) {
  for (unsigned i = 0; i < count; i++)
    if (parts[i].p_type == PT_LOAD && address >= parts[i].p_vaddr &&
        address - parts[i].p_vaddr < parts[i].p_filesz)
      return address - parts[i].p_vaddr + parts[i].p_offset;
  return image->size;
}

struct hp_program_dynamic {
  const Elf64_Dyn *entries;
  uint64_t count, names; /* NAMES: where their texts begin in the file */
};

static inline struct hp_program_dynamic
hp_program_dynamic(const struct hp_program_image *image,
                   const Elf64_Phdr *parts, unsigned count) {
  struct hp_program_dynamic dynamic = {NULL, 0, image->size};
  uint64_t most = 0;
  for (unsigned i = 0; i < count; i++)
    if (parts[i].p_type == PT_DYNAMIC) {
      dynamic.entries = (const Elf64_Dyn *)hp_program_at(
          image, parts[i].p_offset, parts[i].p_filesz);
      most = parts[i].p_filesz / sizeof *dynamic.entries;
    }
  for (; dynamic.entries && dynamic.count < most; dynamic.count++) {
    const Elf64_Dyn *entry = &dynamic.entries[dynamic.count];
    if (entry->d_tag == DT_NULL)
      break;
    if (entry->d_tag == DT_STRTAB)
      dynamic.names = hp_program_offset(image, parts, count, entry->d_un.d_ptr);
  }
  return dynamic;
}

/* Programs of sanitizers, clang's kind but also gcc's, may have its runtime as a
   library. */
static inline void hp_program_libraries(struct hp_program_judgement *judgement,
                                        const struct hp_program_image *image,
                                        struct hp_program_dynamic dynamic) {
  static const char *const others[] = {"libasan.so",       "libtsan.so",
                                       "liblsan.so",       "libhwasan.so",
                                       "libclang_rt.asan", "libclang_rt.tsan"};
  for (uint64_t i = 0; i < dynamic.count; i++) {
    if (dynamic.entries[i].d_tag != DT_NEEDED)
      continue;
    const char *library =
        hp_program_text(image, dynamic.names + dynamic.entries[i].d_un.d_val);
    for (size_t j = 0; j < sizeof others / sizeof *others; j++)
      if (hp_program_begins(library, others[j]))
        hp_program_refuse(judgement, "was built with a sanitizer");
  }
}

/* glibc's loader, which takes LD_PRELOAD for the program that it is given. */
static inline bool hp_program_is_loader(const struct hp_program_image *image,
                                        struct hp_program_dynamic dynamic) {
  for (uint64_t i = 0; i < dynamic.count; i++) {
    const char *name =
        hp_program_text(image, dynamic.names + dynamic.entries[i].d_un.d_val);
    if (dynamic.entries[i].d_tag == DT_SONAME)
      return hp_program_begins(name, "ld-linux") ||
             hp_program_begins(name, "ld64");
  }
  return false;
}

/* Of a file that begins as ELF; of 64 bits and MACHINE are those that the
   runtime is for.  What cannot be read is plain: the loader decides. */
static inline struct hp_program_judgement
hp_program_judge(const struct hp_program_image *image, unsigned machine) {
  struct hp_program_judgement judgement = {HP_PROGRAM_PLAIN, ""};
  const Elf64_Ehdr *header =
      (const Elf64_Ehdr *)hp_program_at(image, 0, sizeof *header);
  if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != machine) {
    hp_program_refuse(&judgement, "is of another architecture");
    return judgement;
  }
  const unsigned count = header->e_phnum;
  const Elf64_Phdr *parts = (const Elf64_Phdr *)hp_program_at(
      image, header->e_phoff, (uint64_t)count * sizeof(Elf64_Phdr));
  const char *loader = NULL;
  if (!parts || header->e_phentsize != sizeof *parts)
    return judgement;
  for (unsigned i = 0; i < count; i++)
    if (parts[i].p_type == PT_INTERP)
      loader = hp_program_text(image, parts[i].p_offset);
  const struct hp_program_dynamic dynamic =
      hp_program_dynamic(image, parts, count);
  if (!loader) {
    if (hp_program_is_loader(image, dynamic))
      return judgement;
    judgement.kind = HP_PROGRAM_STATIC;
    judgement.why = "is linked statically";
  } else if (!hp_program_holds(loader, "/ld-linux") &&
             !hp_program_holds(loader, "/ld64") &&
             !hp_program_holds(loader, "/ld-2.")) { /* its file up to 2.33 */
    hp_program_refuse(&judgement, "is of another C library than glibc");
  } else {
    hp_program_symbols(&judgement, image, header);
    hp_program_libraries(&judgement, image, dynamic);
  }
  return judgement;
}

/* By its file's name: what takes malloc's place in the program that it runs.  A
   script on some systems. */
static inline bool hp_program_takes_malloc(const char *path) {
  const char *name = path;
  for (; *path; path++)
    if (*path == '/')
      name = path + 1;
  return (hp_program_begins(name, "valgrind") &&
          (!name[8] || hp_program_begins(name + 8, ".bin")));
}

/* Where a program may have as few bytes (RLIMIT_AS, RLIMIT_DATA) its loader has no
   room for our library beside the program's, and ends it or says so. */
static inline bool hp_program_is_confined(uint64_t space, uint64_t data) {
  return space < (12u << 20) || data < (8u << 20);
}

#endif
