/* global_symbols.c - see global_symbols.h: writable sections' objects, of the table
   with the most: the debug file's, the module's own, or that of dynamic symbols.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/global_symbols.h"

#include <stdlib.h>
#include <string.h>

/* A section's table of symbols; NULL: ELF has none of TYPE. */
static Elf_Scn *table_of(Elf *elf, GElf_Word type, GElf_Shdr *header) {
  Elf_Scn *section = NULL;
  while (elf && (section = elf_nextscn(elf, section)) != NULL)
    if (gelf_getshdr(section, header) && header->sh_type == type &&
        header->sh_entsize)
      return section;
  return NULL;
}

static bool is_writable(Elf *elf, GElf_Section index) {
  GElf_Shdr header;
  Elf_Scn *section = elf_getscn(elf, index);
  return section && gelf_getshdr(section, &header) &&
         (header.sh_flags & SHF_WRITE);
}

static bool is_variable(Elf *elf, const GElf_Sym *symbol) {
  const unsigned type = GELF_ST_TYPE(symbol->st_info);
  return (type == STT_OBJECT || type == STT_TLS) && symbol->st_size &&
         symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE &&
         is_writable(elf, symbol->st_shndx);
}

static bool read_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                       struct hp_store *store, struct hp_global_symbols *to) {
  Elf_Data *data = elf_getdata(section, NULL);
  const size_t count = data ? data->d_size / header->sh_entsize : 0;
  to->all = hp_store_take(store, count, sizeof *to->all);
  if (!to->all)
    return false;
  for (size_t i = 0; i < count; i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, (int)i, &symbol) || !is_variable(elf, &symbol))
      continue;
    const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
    if (name && *name)
      to->all[to->count++] =
          (struct hp_global_symbol){name, symbol.st_value, symbol.st_size,
                                    GELF_ST_TYPE(symbol.st_info) == STT_TLS};
  }
  return true;
}

/* By address; of one address the largest first, then by name. */
static int by_place(const void *left, const void *right) {
  const struct hp_global_symbol *a = left, *b = right;
  if (a->is_thread_local != b->is_thread_local)
    return a->is_thread_local ? 1 : -1;
  if (a->vaddr != b->vaddr)
    return a->vaddr < b->vaddr ? -1 : 1;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return strcmp(a->name, b->name);
}

static void leave_out_aliases(struct hp_global_symbols *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->count; i++) {
    const struct hp_global_symbol *last = kept ? &s->all[kept - 1] : NULL;
    if (!last || last->is_thread_local != s->all[i].is_thread_local ||
        s->all[i].vaddr - last->vaddr >= last->size)
      s->all[kept++] = s->all[i];
  }
  s->count = kept;
}

static uint64_t thread_local_size(Elf *elf) {
  size_t count = 0;
  GElf_Phdr header;
  if (elf_getphdrnum(elf, &count) != 0)
    return 0;
  for (size_t i = 0; i < count; i++)
    if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_TLS)
      return header.p_memsz;
  return 0;
}

bool hp_global_symbols(hp_object *object, struct hp_store *store,
                       struct hp_global_symbols *symbols) {
  *symbols = (struct hp_global_symbols){0};
  Elf *code = object ? hp_object_code(object) : NULL;
  Elf *debug = object ? hp_object_debug(object) : NULL;
  GElf_Shdr header;
  Elf_Scn *table = table_of(debug, SHT_SYMTAB, &header);
  Elf *elf = debug;
  if (!table)
    table = table_of(elf = code, SHT_SYMTAB, &header);
  if (!table)
    table = table_of(elf = code, SHT_DYNSYM, &header);
  symbols->has_file = code || debug;
  if (symbols->has_file)
    symbols->thread_local_size = thread_local_size(code ? code : debug);
  if (!table)
    return true;
  if (!read_table(elf, table, &header, store, symbols))
    return false;
  if (symbols->count > 1)
    qsort(symbols->all, symbols->count, sizeof *symbols->all, by_place);
  leave_out_aliases(symbols);
  return true;
}
