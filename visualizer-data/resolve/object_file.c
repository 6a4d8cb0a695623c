/* object_file.c - finds the ELF files behind a module of a dump.
   Build ids are compared before anything is believed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1 /* vasprintf */
#include "resolve/object_file.h"

#include "base/growing_array.h"
#include "resolve/address_span.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct hp_elf_file {
  int fd; /* stays open: libdw finds the directory of the file through it */
  Elf *elf;
};

struct hp_object {
  struct hp_elf_file code, debug;
  const char **names; /* of function symbols, the better alias last */
  struct hp_spans symbols;
  bool symbols_read;
};

enum verdict { FITS, MISSING, NOT_ELF, OTHER_BUILD };

static char *format(const char *text, ...)
    __attribute__((format(printf, 1, 2)));
static char *format(const char *text, ...) {
  va_list arguments;
  char *s = NULL;
  int n;
  va_start(arguments, text);
  n = vasprintf(&s, text, arguments);
  va_end(arguments);
  return n < 0 ? NULL : s;
}

static void close_file(struct hp_elf_file *f) {
  if (f->elf)
    elf_end(f->elf);
  if (f->fd >= 0)
    close(f->fd);
  f->elf = NULL;
  f->fd = -1;
}

static bool same_id(Elf *elf, const uint8_t *id, size_t size) {
  const void *own = NULL;
  ssize_t own_size = dwelf_elf_gnu_build_id(elf, &own);
  if (own_size <= 0)
    return size == 0;
  return (size_t)own_size == size && memcmp(own, id, size) == 0;
}

/* O_NONBLOCK: a path in a dump may name a FIFO.  In /proc/self, where runtimes
   without /proc had the program, is whoever reads. */
static enum verdict open_elf(struct hp_elf_file *f, const char *path) {
  struct stat status;
  if (strncmp(path, "/proc/self/", strlen("/proc/self/")) == 0)
    return MISSING;
  f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (f->fd < 0)
    return MISSING;
  if (fstat(f->fd, &status) == 0 && S_ISREG(status.st_mode))
    f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
  if (f->elf && elf_kind(f->elf) == ELF_K_ELF)
    return FITS;
  close_file(f);
  return NOT_ELF;
}

static enum verdict open_build(struct hp_elf_file *f, const char *path,
                               const struct hp_symbol_module *module) {
  enum verdict v = open_elf(f, path);
  if (v == FITS && !same_id(f->elf, module->build_id, module->build_id_size)) {
    close_file(f);
    return OTHER_BUILD;
  }
  return v;
}

Elf_Scn *hp_object_section(Elf *elf, Elf_Scn *after, GElf_Shdr *header,
                           const char **name) {
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return NULL;
  while ((after = elf_nextscn(elf, after)) != NULL)
    if (gelf_getshdr(after, header) &&
        (*name = elf_strptr(elf, names, header->sh_name)) != NULL)
      return after;
  return NULL;
}

static Elf_Scn *debug_info(Elf *elf) {
  Elf_Scn *section = NULL;
  GElf_Shdr header;
  const char *name;
  while ((section = hp_object_section(elf, section, &header, &name)) != NULL)
    if (header.sh_type != SHT_NOBITS &&
        (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0))
      break;
  return section;
}

static bool has_debug_info(Elf *elf) { return debug_info(elf) != NULL; }

static bool crc_of_file(int fd, uint32_t *out) {
  unsigned char buffer[16384];
  uLong crc = crc32(0, Z_NULL, 0);
  off_t at = 0;
  for (;;) {
    ssize_t n = pread(fd, buffer, sizeof buffer, at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    if (n == 0)
      break;
    crc = crc32(crc, buffer, (uInt)n);
    at += n;
  }
  *out = (uint32_t)crc;
  return true;
}

/* ---- separate debug files ------------------------------------------------ */

struct search {
  struct hp_object *object;
  const struct hp_symbol_module *module;
  const char *link; /* .gnu_debuglink's file name and CRC; NULL if none */
  GElf_Word link_crc;
  bool no_memory;
};

/* Takes PATH (frees it).  BY_ID: the file was found by its build id, which
   must then be the module's; a linked file may instead have the right CRC. */
static bool try_debug_file(struct search *s, char *path, bool by_id) {
  struct hp_elf_file f = {-1, NULL};
  bool fits = false;
  uint32_t crc;
  if (!path) {
    s->no_memory = true;
    return false;
  }
  if (open_elf(&f, path) == FITS) {
    if (s->module->build_id_size &&
        (by_id || dwelf_elf_gnu_build_id(f.elf, &(const void *){NULL}) > 0))
      fits = same_id(f.elf, s->module->build_id, s->module->build_id_size);
    else if (!by_id)
      fits = crc_of_file(f.fd, &crc) && crc == s->link_crc;
    fits = fits && has_debug_info(f.elf);
  }
  free(path);
  if (fits)
    s->object->debug = f;
  else
    close_file(&f);
  return fits;
}

/* PREFIX and ROOT make the debug directory; DIRECTORY is the module's. */
static bool search_root(struct search *s, const char *prefix, const char *root,
                        size_t root_size, const char *directory) {
  const struct hp_symbol_module *m = s->module;
  char hex[2 * 64 + 1];
  int n = (int)root_size;
  if (m->build_id_size >= 2 && m->build_id_size <= 64) {
    for (size_t i = 0; i < m->build_id_size; i++)
      snprintf(hex + 2 * i, 3, "%02x", m->build_id[i]);
    if (try_debug_file(s,
                       format("%s%.*s/.build-id/%.2s/%s.debug", prefix, n, root,
                              hex, hex + 2),
                       true))
      return true;
  }
  return s->link &&
         (try_debug_file(
              s, format("%s%.*s%s/%s", prefix, n, root, directory, s->link),
              false) ||
          try_debug_file(s, format("%s%.*s/%s", prefix, n, root, s->link),
                         false));
}

static void find_debug_file(struct search *s, const char *sysroot,
                            const char *debug_dir) {
  static const char system_root[] = "/usr/lib/debug";
  const char *slash = strrchr(s->module->path, '/');
  char *directory =
      strndup(s->module->path, slash ? (size_t)(slash - s->module->path) : 0);
  bool found = false;
  if (!directory) {
    s->no_memory = true;
    return;
  }
  for (int below = 0; below < 2 && s->link && !found; below++) {
    const char *prefix = below ? sysroot : "";
    const char *where = *directory || slash ? directory : ".";
    if (prefix)
      found =
          try_debug_file(s, format("%s%s/%s", prefix, where, s->link), false) ||
          try_debug_file(s, format("%s%s/.debug/%s", prefix, where, s->link),
                         false);
  }
  while (!found && debug_dir && *debug_dir) {
    size_t size = strcspn(debug_dir, ":");
    found = size && search_root(s, "", debug_dir, size, directory);
    debug_dir += size + (debug_dir[size] == ':');
  }
  if (!found && sysroot)
    found =
        search_root(s, sysroot, system_root, sizeof system_root - 1, directory);
  if (!found)
    search_root(s, "", system_root, sizeof system_root - 1, directory);
  free(directory);
}

/* ---- opening ------------------------------------------------------------- */

/* Names such as linux-vdso.so.1 are no files: nothing is missing there. */
static char *explain(enum verdict v, const struct hp_symbol_module *m,
                     bool names_kept) {
  const char *frames = names_kept
                           ? "its frames have only names kept with the dump"
                           : "its frames stay addresses";
  switch (v) {
  case FITS:
    break;
  case MISSING:
    return format("%s: no such file, %s; give --sysroot or --debug-dir",
                  m->path, frames);
  case NOT_ELF:
    return format("%s: not an ELF file, %s", m->path, frames);
  case OTHER_BUILD:
    return format("%s: its build id is not the dump's (rebuilt since the run), "
                  "%s%s",
                  m->path, frames,
                  names_kept ? ""
                             : "; score a dump before the next build, or give "
                               "--sysroot with the old one");
  }
  return NULL;
}

hp_object *hp_object_open(const struct hp_symbol_module *module,
                          const struct hp_object_paths *paths, char **note) {
  hp_object *o = calloc(1, sizeof *o);
  struct search s = {o, module, NULL, 0, false};
  enum verdict v;
  *note = NULL;
  if (!o)
    return NULL;
  o->code.fd = o->debug.fd = -1;
  elf_version(EV_CURRENT);
  v = open_build(&o->code, module->path, module);
  if (v != FITS && paths->sysroot) {
    char *path = format("%s/%s", paths->sysroot,
                        module->path + strspn(module->path, "/"));
    enum verdict below = path ? open_build(&o->code, path, module) : MISSING;
    s.no_memory = !path;
    free(path);
    if (v == MISSING || below == FITS)
      v = below;
  }
  if (v == FITS)
    s.link = dwelf_elf_gnu_debuglink(o->code.elf, &s.link_crc);
  if (v == FITS ? !has_debug_info(o->code.elf) : module->build_id_size > 0)
    find_debug_file(&s, paths->sysroot, paths->debug_dir);
  if (v != FITS && !o->debug.elf && module->path[0] == '/') {
    *note = explain(v, module, paths->names_kept);
    s.no_memory = s.no_memory || !*note;
  }
  if (s.no_memory) {
    free(*note);
    hp_object_close(o);
    return NULL;
  }
  return o;
}

void hp_object_close(hp_object *object) {
  if (!object)
    return;
  close_file(&object->code);
  close_file(&object->debug);
  hp_spans_free(&object->symbols);
  free(object->names);
  free(object);
}

Elf *hp_object_code(const hp_object *object) { return object->code.elf; }

Elf *hp_object_debug(const hp_object *object) {
  if (object->debug.elf)
    return object->debug.elf;
  return object->code.elf && has_debug_info(object->code.elf) ? object->code.elf
                                                              : NULL;
}

/* ELFCOMPRESS_ZSTD, a name that older systems lack. */
#define COMPRESSED_BY_ZSTD 2

char *hp_object_compressed(const hp_object *object,
                           const struct hp_symbol_module *module) {
  Elf *elf = hp_object_debug(object);
  Elf_Scn *section = elf ? debug_info(elf) : NULL;
  GElf_Chdr how;
  if (!section || !gelf_getchdr(section, &how) ||
      how.ch_type != COMPRESSED_BY_ZSTD)
    return NULL;
  return format("%s: its debug information is compressed by zstd, which libdw "
                "here cannot read, its frames have no lines; link it with "
                "-gz=zlib, or llvm-objcopy --decompress-debug-sections",
                module->path);
}

/* ---- symbols ------------------------------------------------------------- */

struct symbol {
  const char *name;
  uint64_t lo, hi;
  bool sized;
  unsigned rank; /* of several names for one address the greatest is shown */
};

struct symbol_list {
  struct symbol *items;
  size_t count, capacity;
};

static bool add_symbol(struct symbol_list *list, const struct symbol *symbol) {
  if (!hp_room_for_one((void **)&list->items, list->count, &list->capacity,
                       sizeof *list->items))
    return false;
  list->items[list->count++] = *symbol;
  return true;
}

/* Global names before weak and local ones, and "malloc" before
   "__libc_malloc". */
static unsigned rank_of(const GElf_Sym *symbol, const char *name) {
  unsigned binding = GELF_ST_BIND(symbol->st_info);
  return (binding == STB_GLOBAL ? 4u
          : binding == STB_WEAK ? 2u
                                : 0u) +
         (name[0] != '_');
}

static void read_table(struct symbol_list *list, Elf *elf, Elf_Scn *section,
                       const GElf_Shdr *header) {
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
  if (!data || count > INT32_MAX)
    return;
  for (size_t i = 0; i < count; i++) {
    GElf_Sym symbol;
    GElf_Shdr home;
    struct symbol found;
    unsigned type;
    if (!gelf_getsym(data, (int)i, &symbol))
      return;
    type = GELF_ST_TYPE(symbol.st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) ||
        symbol.st_shndx == SHN_UNDEF)
      continue;
    found.name = elf_strptr(elf, header->sh_link, symbol.st_name);
    if (!found.name || !*found.name)
      continue;
    found.lo = symbol.st_value;
    found.hi = symbol.st_value + symbol.st_size;
    found.sized = symbol.st_size != 0;
    if (!found.sized && gelf_getshdr(elf_getscn(elf, symbol.st_shndx), &home))
      found.hi = home.sh_addr + home.sh_size;
    found.rank = rank_of(&symbol, found.name);
    if (!add_symbol(list, &found))
      return;
  }
}

static void read_symbols(struct symbol_list *list, Elf *elf) {
  Elf_Scn *section = NULL;
  while (elf && (section = elf_nextscn(elf, section)) != NULL) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) &&
        (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
      read_table(list, elf, section, &header);
  }
}

static int compare_rank(const void *pa, const void *pb) {
  const struct symbol *a = pa, *b = pb;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return strcmp(b->name, a->name);
}

static int compare_start(const void *pa, const void *pb) {
  const struct symbol *a = pa, *b = pb;
  return a->lo < b->lo ? -1 : a->lo > b->lo;
}

/* A symbol without size (hand-written assembly) reaches to the next symbol or
   to its section's end. */
static void bound_unsized(struct symbol_list *list) {
  uint64_t next = UINT64_MAX;
  for (size_t i = list->count; i-- > 0;) {
    struct symbol *s = &list->items[i];
    if (i + 1 < list->count && list->items[i + 1].lo > s->lo)
      next = list->items[i + 1].lo;
    if (!s->sized && s->hi > next)
      s->hi = next;
  }
}

/* Out of memory here leaves addresses without names, as in a stripped file. */
static void index_symbols(hp_object *o) {
  struct symbol_list list = {0};
  read_symbols(&list, o->code.elf);
  read_symbols(&list, o->debug.elf);
  if (list.count) {
    qsort(list.items, list.count, sizeof *list.items, compare_start);
    bound_unsized(&list);
    qsort(list.items, list.count, sizeof *list.items, compare_rank);
    o->names = malloc(list.count * sizeof *o->names);
  }
  for (size_t i = 0; o->names && i < list.count; i++) {
    o->names[i] = list.items[i].name;
    if (!hp_spans_add(&o->symbols, list.items[i].lo, list.items[i].hi, i))
      break;
  }
  hp_spans_sort(&o->symbols);
  free(list.items);
}

const char *hp_object_symbol(hp_object *object, uint64_t vaddr) {
  size_t found;
  if (!object->symbols_read) {
    object->symbols_read = true;
    index_symbols(object);
  }
  found = hp_spans_find(&object->symbols, vaddr);
  return found == SIZE_MAX ? NULL : object->names[found];
}
