/* virtual_base.c - see virtual_base.h.  A table is, as the C++ ABI has it: offsets of virtual
   bases and of calls, offset to the top, type information, and what the pointer of an object
   points to: the functions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/virtual_base.h"

#include "resolve/demangle.h"
#include "resolve/type_match.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MOST 65536u
#define WORD 8u
#define PREFIX "vtable for "

/* ---- symbols ------------------------------------------------------------- */

static Elf_Data *symbols_of(Elf *elf, GElf_Shdr *header) {
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section;
       section = elf_nextscn(elf, section))
    if (gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB &&
        header->sh_entsize)
      return elf_getdata(section, NULL);
  return NULL;
}

static bool is_table_of(const char *name, const char *type) {
  unsigned length;
  const char *last = hp_type_last_part(type, &length);
  if (strncmp(name, "_ZTV", 4) != 0 || !length ||
      !memmem(name, strlen(name), last, length))
    return false;
  char *told = hp_demangle(name);
  const bool is = told && strncmp(told, PREFIX, strlen(PREFIX)) == 0 &&
                  hp_type_matches(type, told + strlen(PREFIX), 0);
  free(told);
  return is;
}

/* The symbol of TYPE's tables, defined in ELF, and its name behind "_ZTV"; false: there is
   none, or several. */
static bool find_table(Elf *elf, const char *type, GElf_Sym *table,
                       const char **name) {
  GElf_Shdr header;
  Elf_Data *data = symbols_of(elf, &header);
  size_t found = 0;
  for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, (int)i, &symbol) ||
        GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
        symbol.st_shndx == SHN_UNDEF)
      continue;
    const char *text = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (!text || !is_table_of(text, type))
      continue;
    *table = symbol;
    *name = text + 4;
    found++;
  }
  return found == 1;
}

static bool find_type_info(Elf *elf, const char *name, uint64_t *address) {
  GElf_Shdr header;
  Elf_Data *data = symbols_of(elf, &header);
  for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
    GElf_Sym symbol;
    const char *text;
    if (gelf_getsym(data, (int)i, &symbol) && symbol.st_shndx != SHN_UNDEF &&
        symbol.st_value &&
        (text = elf_strptr(elf, header.sh_link, symbol.st_name)) &&
        strncmp(text, "_ZTI", 4) == 0 && strcmp(text + 4, name) == 0) {
      *address = symbol.st_value;
      return true;
    }
  }
  return false;
}

/* ---- words --------------------------------------------------------------- */

static bool read_words(Elf *elf, const GElf_Sym *table, int64_t *words) {
  Elf_Scn *section = elf_getscn(elf, table->st_shndx);
  GElf_Shdr header;
  if (!section || !gelf_getshdr(section, &header) ||
      header.sh_type == SHT_NOBITS || table->st_value < header.sh_addr)
    return false;
  const Elf_Data *data = elf_getdata(section, NULL);
  const uint64_t offset = table->st_value - header.sh_addr;
  if (!data || !data->d_buf || offset > data->d_size ||
      table->st_size > data->d_size - offset)
    return false;
  memcpy(words, (const char *)data->d_buf + offset,
         table->st_size / WORD * WORD);
  return true;
}

static void relocate(Elf *elf, const GElf_Shdr *header, const GElf_Rela *rela,
                     const GElf_Sym *table, int64_t *words) {
  const uint64_t at = rela->r_offset - table->st_value;
  const uint64_t type = GELF_R_TYPE(rela->r_info);
  if (rela->r_offset < table->st_value || at % WORD ||
      at / WORD >= table->st_size / WORD)
    return;
  words[at / WORD] = rela->r_addend;
  if (type == R_X86_64_RELATIVE)
    return;
  Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
  GElf_Sym symbol;
  if (symbols && type == R_X86_64_64 &&
      gelf_getsym(elf_getdata(symbols, NULL), (int)GELF_R_SYM(rela->r_info),
                  &symbol))
    words[at / WORD] += (int64_t)symbol.st_value;
}

/* What the loader writes there; packed relocations have their words in place. */
static void relocate_all(Elf *elf, const GElf_Sym *table, int64_t *words) {
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    GElf_Rela rela;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA ||
        !(header.sh_flags & SHF_ALLOC) || !header.sh_entsize)
      continue;
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++)
      if (gelf_getrela(data, (int)i, &rela))
        relocate(elf, &header, &rela, table, words);
  }
}

bool hp_vtables_find(struct hp_vtables *out, struct hp_store *store,
                     Dwarf *dwarf, const char *type) {
  Elf *elf = dwarf ? dwarf_getelf(dwarf) : NULL;
  GElf_Ehdr header;
  GElf_Sym table = {0};
  const char *name = NULL;
  *out = (struct hp_vtables){0};
  if (!elf || !gelf_getehdr(elf, &header) || header.e_machine != EM_X86_64 ||
      !find_table(elf, type, &table, &name) ||
      !find_type_info(elf, name, &out->type_info) ||
      table.st_size / WORD > WORDS_MOST)
    return true;
  const size_t count = table.st_size / WORD;
  int64_t *words = hp_store_take(store, count + 1, sizeof *words);
  if (!words)
    return false;
  if (!read_words(elf, &table, words))
    return true;
  relocate_all(elf, &table, words);
  out->words = words;
  out->count = count;
  return true;
}

/* ---- a base -------------------------------------------------------------- */

/* How far ahead of what an object's pointer points to: debug information has the base at
   object + (pointer - AHEAD)[0]. */
static bool ahead_of(Dwarf_Die *base, uint64_t *ahead) {
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count;
  if (!dwarf_attr(base, DW_AT_data_member_location, &attribute) ||
      dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 6 ||
      ops[0].atom != DW_OP_dup || ops[1].atom != DW_OP_deref ||
      ops[3].atom != DW_OP_minus || ops[4].atom != DW_OP_deref ||
      ops[5].atom != DW_OP_plus)
    return false;
  const Dwarf_Op *number = &ops[2];
  if (number->atom >= DW_OP_lit0 && number->atom <= DW_OP_lit31)
    *ahead = number->atom - DW_OP_lit0;
  else if (number->atom == DW_OP_constu ||
           (number->atom >= DW_OP_const1u && number->atom <= DW_OP_consts))
    *ahead = number->number;
  else
    return false;
  return *ahead % WORD == 0 && *ahead >= (uint64_t)3 * WORD;
}

bool hp_virtual_base_at(const struct hp_vtables *tables, uint64_t at,
                        Dwarf_Die *base, uint64_t *offset) {
  uint64_t ahead;
  if (!tables->count || at > INT64_MAX || !ahead_of(base, &ahead))
    return false;
  for (size_t i = 0; i + 1 < tables->count; i++) {
    if (tables->words[i] != -(int64_t)at ||
        (uint64_t)tables->words[i + 1] != tables->type_info)
      continue;
    const size_t begin = i + 2; /* where the object points to */
    if (ahead / WORD > begin)
      return false;
    const int64_t found = tables->words[begin - ahead / WORD];
    *offset = at + (uint64_t)found;
    return *offset <= INT64_MAX;
  }
  return false;
}
