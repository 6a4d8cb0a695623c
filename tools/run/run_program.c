/* run_program.c - see run_program.h: PATH, #! and ELF headers.
   A file that cannot be read is taken for one that the runtime can be loaded
   into: the loader decides, and leaves out what it cannot load.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define SCRIPTS_MAX 5    /* scripts that interpret each other, as in Linux */
#define FIRST_LINE 256   /* bytes of a script's first line that count */
#define SYMBOL_LONG 4096 /* no name that is looked for is longer */

/* ---- the file ------------------------------------------------------------ */

static int try_file(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return errno == EACCES ? EACCES : ENOENT;
  if (!S_ISREG(status.st_mode) || access(path, X_OK) != 0)
    return EACCES;
  return 0;
}

int hp_run_find(const char *name, struct hp_run_program *program) {
  int result = ENOENT;
  if (!*name || strlen(name) >= sizeof program->path)
    return ENOENT;
  if (strchr(name, '/')) {
    strcpy(program->path, name);
    return try_file(name);
  }
  const char *list = getenv("PATH");
  for (list = list ? list : "/bin:/usr/bin"; list; list = strchr(list, ':')) {
    list += *list == ':';
    int length = (int)strcspn(list, ":");
    if (snprintf(program->path, sizeof program->path, "%.*s/%s",
                 length ? length : 1, length ? list : ".",
                 name) < (int)sizeof program->path) {
      int error = try_file(program->path);
      if (error == 0)
        return 0;
      if (error == EACCES)
        result = EACCES;
    }
    if (!list[length])
      break;
  }
  strcpy(program->path, name);
  return result;
}

/* ---- the image ----------------------------------------------------------- */

struct image {
  const unsigned char *bytes;
  size_t size;
};

static const void *at(const struct image *image, uint64_t offset,
                      uint64_t size) {
  return offset <= image->size && size <= image->size - offset
             ? image->bytes + offset
             : NULL;
}

/* Where ADDRESS is in the file; the file's size if nowhere. */
static uint64_t offset_of(const struct image *image, const Elf64_Phdr *parts,
                          unsigned count, uint64_t address) {
  for (unsigned i = 0; i < count; i++)
    if (parts[i].p_type == PT_LOAD && address >= parts[i].p_vaddr &&
        address - parts[i].p_vaddr < parts[i].p_filesz)
      return address - parts[i].p_vaddr + parts[i].p_offset;
  return image->size;
}

static const char *text_at(const struct image *image, uint64_t offset) {
  if (offset >= image->size)
    return "";
  uint64_t most = image->size - offset;
  const char *text = (const char *)image->bytes + offset;
  return memchr(text, '\0', most < SYMBOL_LONG ? most : SYMBOL_LONG) ? text
                                                                     : "";
}

static bool begins(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void refuse(struct hp_run_program *program, enum hp_run_kind kind,
                   const char *why) {
  program->kind = kind;
  snprintf(program->why, sizeof program->why, "%s", why);
}

/* Another tool's runtime takes malloc's place and must be the first. */
static void judge_symbol(struct hp_run_program *program, const char *name) {
  static const struct {
    const char *symbol, *why;
  } others[] = {
      {"__asan_init", "was built with AddressSanitizer"},
      {"__hwasan_init", "was built with HWAddressSanitizer"},
      {"__tsan_init", "was built with ThreadSanitizer"},
      {"__msan_init", "was built with MemorySanitizer"},
      {"__memprof_init", "was built with MemProf"},
  };
  if (begins(name, "__heapprof_abi_version_"))
    program->kind = HP_RUN_BUILT_IN;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(name, others[i].symbol) == 0)
      refuse(program, HP_RUN_FOREIGN, others[i].why);
}

/* Executables keep their table of sections, which has the number of dynamic
   symbols; without it they are taken to be plain, and a second runtime stands
   aside by itself. */
static void judge_symbols(struct hp_run_program *program,
                          const struct image *image, const Elf64_Ehdr *header) {
  const Elf64_Shdr *sections = at(
      image, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr));
  if (!sections || header->e_shentsize != sizeof *sections)
    return;
  for (unsigned i = 0; i < header->e_shnum; i++) {
    const Elf64_Shdr *table = &sections[i];
    if (table->sh_type != SHT_DYNSYM || table->sh_link >= header->e_shnum)
      continue;
    const Elf64_Sym *symbols = at(image, table->sh_offset, table->sh_size);
    uint64_t names = sections[table->sh_link].sh_offset;
    for (uint64_t j = 0; symbols && j < table->sh_size / sizeof *symbols; j++)
      if (symbols[j].st_shndx != SHN_UNDEF)
        judge_symbol(program, text_at(image, names + symbols[j].st_name));
  }
}

/* Programs of ASan, clang's kind but also gcc's, may have its runtime as a
   library. */
static void judge_libraries(struct hp_run_program *program,
                            const struct image *image, const Elf64_Phdr *parts,
                            unsigned count) {
  static const char *const others[] = {"libasan.so", "libtsan.so",
                                       "libhwasan.so", "libclang_rt.asan",
                                       "libclang_rt.tsan"};
  uint64_t names = image->size;
  for (int pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < count; i++) {
      const Elf64_Dyn *entry =
          parts[i].p_type == PT_DYNAMIC
              ? at(image, parts[i].p_offset, parts[i].p_filesz)
              : NULL;
      for (uint64_t n = entry ? parts[i].p_filesz / sizeof *entry : 0;
           n > 0 && entry->d_tag != DT_NULL; n--, entry++) {
        if (entry->d_tag == DT_STRTAB && pass == 0)
          names = offset_of(image, parts, count, entry->d_un.d_ptr);
        if (entry->d_tag != DT_NEEDED || pass == 0)
          continue;
        const char *library = text_at(image, names + entry->d_un.d_val);
        for (size_t j = 0; j < sizeof others / sizeof *others; j++)
          if (begins(library, others[j]))
            refuse(program, HP_RUN_FOREIGN, "was built with a sanitizer");
      }
    }
}

static bool same_machine(const Elf64_Ehdr *header) {
  unsigned char own[EI_NIDENT + 4] = {0};
  uint16_t machine = 0;
  int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  bool known = fd >= 0 && read(fd, own, sizeof own) == (ssize_t)sizeof own;
  if (fd >= 0)
    close(fd);
  memcpy(&machine, own + EI_NIDENT + 2, sizeof machine);
  return !known || (header->e_ident[EI_CLASS] == own[EI_CLASS] &&
                    header->e_ident[EI_DATA] == own[EI_DATA] &&
                    header->e_machine == machine);
}

static void judge_elf(struct hp_run_program *program,
                      const struct image *image) {
  const Elf64_Ehdr *header = at(image, 0, sizeof *header);
  const char *loader = NULL;
  if (!header || !same_machine(header)) {
    refuse(program, HP_RUN_FOREIGN, "is of another architecture");
    return;
  }
  const Elf64_Phdr *parts = at(image, header->e_phoff,
                               (uint64_t)header->e_phnum * sizeof(Elf64_Phdr));
  if (!parts || header->e_phentsize != sizeof *parts)
    return;
  for (unsigned i = 0; i < header->e_phnum; i++)
    if (parts[i].p_type == PT_INTERP)
      loader = text_at(image, parts[i].p_offset);
  if (!loader) {
    refuse(program, HP_RUN_NOT, "is linked statically");
    return;
  }
  if (!strstr(loader, "/ld-linux") && !strstr(loader, "/ld64")) {
    refuse(program, HP_RUN_FOREIGN, "is of another C library than glibc");
    return;
  }
  judge_symbols(program, image, header);
  judge_libraries(program, image, parts, header->e_phnum);
}

/* A script on some systems.  What it runs is in its hands, and it takes
   malloc's place there. */
static void judge_name(struct hp_run_program *program) {
  const char *slash = strrchr(program->loaded, '/');
  const char *name = slash ? slash + 1 : program->loaded;
  if (strcmp(name, "valgrind") == 0 || strcmp(name, "valgrind.bin") == 0)
    refuse(program, HP_RUN_FOREIGN, "takes malloc's place itself");
}

/* ---- rights -------------------------------------------------------------- */

/* The loader takes no LD_PRELOAD from who gets rights by the file. */
static bool gives_rights(const char *path, const struct stat *status) {
  char capabilities[64];
  return ((status->st_mode & S_ISUID) && status->st_uid != geteuid()) ||
         ((status->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
          status->st_gid != getegid()) ||
         (geteuid() != 0 && getxattr(path, "security.capability", capabilities,
                                     sizeof capabilities) > 0);
}

/* ---- scripts ------------------------------------------------------------- */

/* The interpreter that "#! /bin/sh -e" names; without such a line execvp takes
   the shell. */
static bool interpreter_of(const struct image *image, char *path) {
  char line[FIRST_LINE + 1];
  size_t size = image->size < FIRST_LINE ? image->size : FIRST_LINE;
  memcpy(line, image->bytes, size);
  line[size] = '\0';
  if (!begins(line, "#!")) {
    strcpy(path, "/bin/sh");
    return true;
  }
  char *name = line + 2 + strspn(line + 2, " \t");
  name[strcspn(name, " \t\n")] = '\0';
  strcpy(path, name);
  return *name != '\0';
}

/* Looks at one file; true if another one has to be looked at instead, which is
   in LOADED then. */
static bool look(struct hp_run_program *program) {
  struct stat status;
  struct image image = {0};
  bool again = false;
  int fd = open(program->loaded, O_RDONLY | O_CLOEXEC);
  if (stat(program->loaded, &status) == 0 &&
      gives_rights(program->loaded, &status))
    refuse(program, HP_RUN_NOT, "is setuid, setgid or has capabilities");
  if (fd < 0)
    return false;
  image.size = (size_t)status.st_size;
  void *bytes = image.size
                    ? mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, fd, 0)
                    : MAP_FAILED;
  close(fd);
  if (bytes == MAP_FAILED)
    return false;
  image.bytes = bytes;
  if (image.size > SELFMAG && memcmp(image.bytes, ELFMAG, SELFMAG) == 0) {
    if (program->kind == HP_RUN_PLAIN)
      judge_elf(program, &image);
  } else {
    program->kind = HP_RUN_PLAIN; /* rights of scripts count for nothing */
    again = interpreter_of(&image, program->loaded);
  }
  munmap(bytes, image.size);
  return again;
}

void hp_run_look_into(struct hp_run_program *program) {
  strcpy(program->loaded, program->path);
  program->kind = HP_RUN_PLAIN;
  program->why[0] = '\0';
  judge_name(program);
  for (int i = 0; i < SCRIPTS_MAX && program->kind != HP_RUN_FOREIGN; i++)
    if (!look(program))
      break;
}
