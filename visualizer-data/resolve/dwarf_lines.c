/* dwarf_lines.c - functions, inlined calls and lines at an address, by libdw.
   Own range tables: clang writes no .debug_aranges, getscopes is recursive.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/dwarf_lines.h"

#include "base/growing_array.h"
#include "base/numbered_text.h"
#include "base/same_text.h"
#include "resolve/address_span.h"
#include "resolve/die_walk.h"
#include "resolve/object_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A unit as the linker left it, and its half in the .dwo file if it is split:
   ranges and lines are read from `unit`, functions from `tree`. */
struct hp_unit {
  Dwarf_Die unit, tree;
  bool indexed;
  bool lost; /* the .dwo file is not there: no functions, no inlined calls */
  Dwarf_Die *functions; /* concrete ones */
  size_t function_count, function_capacity;
  struct hp_spans function_spans;
};

struct hp_dwarf {
  Dwarf *dwarf;
  struct hp_unit *units;
  size_t unit_count, unit_capacity;
  struct hp_spans unit_spans;
  uint64_t code_start; /* lowest address of the loadable segments */
  bool lacks_lines;    /* of a unit that was asked */
  struct hp_location *locations;
  size_t location_capacity;
  Dwarf_Die
      *chain; /* of one search: the function, then what is inlined in it */
  size_t chain_capacity;
  struct hp_numbered paths; /* of files that are named by a part of theirs */
};

#define HP_CHAIN_MAX 4096u /* inlined calls at one address */
#define HP_DEPTH_MAX 4096u /* nesting of scopes that is followed */
#define HP_ROWS_MAX 1024u  /* rows back in which a near line is looked for */

/* Linkers leave the ranges of discarded functions at 0 or 1. */
static bool add_ranges(const struct hp_dwarf *d, struct hp_spans *spans,
                       Dwarf_Die *die, size_t owner) {
  Dwarf_Addr base, lo, hi;
  ptrdiff_t at = 0, next;
  while ((next = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
    if (lo >= d->code_start && !hp_spans_add(spans, lo, hi, owner))
      return false;
    if (next <= at)
      break;
    at = next;
  }
  return true;
}

static uint64_t lowest_address(Elf *elf) {
  size_t count;
  uint64_t lowest = UINT64_MAX;
  if (elf_getphdrnum(elf, &count) != 0)
    return 0;
  for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
        (header.p_flags & PF_X) && header.p_vaddr < lowest)
      lowest = header.p_vaddr;
  }
  return lowest == UINT64_MAX ? 0 : lowest;
}

/* ---- units --------------------------------------------------------------- */

/* libdw (0.188) reads a text to its end, wherever that is: beyond a section that
   does not end in a zero.  It has unpacked the sections by now. */
static bool texts_end(Elf *elf) {
  Elf_Scn *section = NULL;
  GElf_Shdr header;
  const char *name;
  while ((section = hp_object_section(elf, section, &header, &name)) != NULL) {
    if (!strstr(name, "debug_") || !strstr(name, "_str") ||
        strstr(name, "_str_offsets"))
      continue;
    const Elf_Data *data = elf_getdata(section, NULL);
    if (data && data->d_buf && data->d_size &&
        ((const char *)data->d_buf)[data->d_size - 1])
      return false;
  }
  return true;
}

static bool is_sound(Dwarf *dwarf) {
  return !dwarf || texts_end(dwarf_getelf(dwarf));
}

static bool add_unit(struct hp_dwarf *d, const Dwarf_Die *unit,
                     const Dwarf_Die *split, uint8_t type) {
  struct hp_unit *u;
  if (!hp_room_for_one((void **)&d->units, d->unit_count, &d->unit_capacity,
                       sizeof *d->units))
    return false;
  u = &d->units[d->unit_count];
  memset(u, 0, sizeof *u);
  u->unit = *unit;
  u->tree =
      split->addr && is_sound(dwarf_cu_getdwarf(split->cu)) ? *split : *unit;
  u->lost = type == DW_UT_skeleton && u->tree.addr == unit->addr;
  return add_ranges(d, &d->unit_spans, &u->unit, d->unit_count++);
}

hp_dwarf *hp_dwarf_open(Elf *elf) {
  struct hp_dwarf *d = calloc(1, sizeof *d);
  Dwarf_CU *cu = NULL;
  Dwarf_Die unit, split;
  uint8_t type;
  if (!d)
    return NULL;
  d->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
  if (!d->dwarf || !is_sound(d->dwarf) || !is_sound(dwarf_getalt(d->dwarf))) {
    dwarf_end(d->dwarf);
    free(d);
    return NULL;
  }
  d->code_start = lowest_address(elf);
  while (dwarf_get_units(d->dwarf, cu, &cu, NULL, &type, &unit, &split) == 0)
    if ((type == DW_UT_compile || type == DW_UT_skeleton) &&
        !add_unit(d, &unit, &split, type))
      break;
  hp_spans_sort(&d->unit_spans);
  return d;
}

bool hp_dwarf_has_code(const hp_dwarf *d) { return d->unit_count != 0; }

size_t hp_dwarf_lost_units(const hp_dwarf *d, size_t *all) {
  size_t lost = 0;
  for (size_t i = 0; i < d->unit_count; i++)
    lost += d->units[i].lost;
  *all = d->unit_count;
  return lost;
}

bool hp_dwarf_lacks_lines(const hp_dwarf *d) { return d->lacks_lines; }

Dwarf *hp_dwarf_of(hp_dwarf *d) { return d->dwarf; }

void hp_dwarf_close(hp_dwarf *d) {
  if (!d)
    return;
  for (size_t i = 0; i < d->unit_count; i++) {
    free(d->units[i].functions);
    hp_spans_free(&d->units[i].function_spans);
  }
  free(d->units);
  hp_spans_free(&d->unit_spans);
  free(d->locations);
  free(d->chain);
  hp_numbered_free(&d->paths);
  dwarf_end(d->dwarf);
  free(d);
}

/* ---- functions of a unit -------------------------------------------------- */

static bool may_hold_functions(int tag) {
  switch (tag) {
  case DW_TAG_subprogram:
  case DW_TAG_lexical_block:
  case DW_TAG_namespace:
  case DW_TAG_module:
  case DW_TAG_class_type:
  case DW_TAG_structure_type:
  case DW_TAG_union_type:
  case DW_TAG_interface_type:
    return true;
  default:
    return false;
  }
}

static bool add_function(struct hp_dwarf *d, struct hp_unit *u,
                         Dwarf_Die *die) {
  if (!hp_room_for_one((void **)&u->functions, u->function_count,
                       &u->function_capacity, sizeof *u->functions))
    return false;
  u->functions[u->function_count] = *die;
  return add_ranges(d, &u->function_spans, die, u->function_count++);
}

static void index_functions(struct hp_dwarf *d, struct hp_unit *u) {
  Dwarf_Die *path = malloc(HP_DEPTH_MAX * sizeof *path);
  size_t depth = 0;
  if (path && hp_die_first_child(&u->tree, &path[0]))
    depth = 1;
  while (depth > 0) {
    Dwarf_Die *die = &path[depth - 1];
    int tag = dwarf_tag(die);
    if (tag == DW_TAG_subprogram && !add_function(d, u, die))
      break;
    if (may_hold_functions(tag) && depth < HP_DEPTH_MAX &&
        hp_die_first_child(die, &path[depth])) {
      depth++;
      continue;
    }
    while (depth > 0 &&
           !hp_die_next_sibling(&path[depth - 1], &path[depth - 1]))
      depth--;
  }
  free(path);
  hp_spans_sort(&u->function_spans);
}

/* ---- one address --------------------------------------------------------- */

static bool push_chain(struct hp_dwarf *d, size_t count, const Dwarf_Die *die) {
  if (!hp_room_for_one((void **)&d->chain, count, &d->chain_capacity,
                       sizeof *d->chain))
    return false;
  d->chain[count] = *die;
  return true;
}

static bool is_scope(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* Fills d->chain from the function inwards; returns its length. */
static size_t find_chain(struct hp_dwarf *d, struct hp_unit *u,
                         uint64_t vaddr) {
  size_t count = 0, depth = 0;
  size_t found = hp_spans_find(&u->function_spans, vaddr);
  Dwarf_Die scope, child;
  if (found == SIZE_MAX || !push_chain(d, 0, &u->functions[found]))
    return 0;
  count = 1;
  scope = u->functions[found];
  while (depth++ < HP_DEPTH_MAX && hp_die_first_child(&scope, &child)) {
    bool inside;
    do
      inside = is_scope(dwarf_tag(&child)) && dwarf_haspc(&child, vaddr) > 0;
    while (!inside && hp_die_next_sibling(&child, &child));
    if (!inside)
      break;
    if (dwarf_tag(&child) == DW_TAG_inlined_subroutine) {
      if (count == HP_CHAIN_MAX || !push_chain(d, count, &child))
        break;
      count++;
    }
    scope = child;
  }
  return count;
}

/* C has no linkage name: there DW_AT_name is the name of the symbol too. */
static const char *name_of(Dwarf_Die *die, bool *linkage) {
  static const unsigned attributes[] = {DW_AT_linkage_name,
                                        DW_AT_MIPS_linkage_name, DW_AT_name};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    Dwarf_Attribute attribute;
    const char *name =
        dwarf_formstring(dwarf_attr_integrate(die, attributes[i], &attribute));
    if (name && *name) {
      *linkage = attributes[i] != DW_AT_name;
      return name;
    }
  }
  *linkage = false;
  return NULL;
}

static uint32_t number_of(Dwarf_Die *die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (dwarf_formudata(dwarf_attr(die, attribute_name, &attribute), &value) != 0)
    return 0;
  return value > UINT32_MAX ? 0 : (uint32_t)value;
}

/* The name may be in an abstract or a declaring entry, and the line with it. */
static uint32_t start_of(Dwarf_Die *function) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (dwarf_formudata(
          dwarf_attr_integrate(function, DW_AT_decl_line, &attribute),
          &value) != 0)
    return 0;
  return value > UINT32_MAX ? 0 : (uint32_t)value;
}

static void set_call(struct hp_location *l, struct hp_unit *u,
                     Dwarf_Die *inlined) {
  Dwarf_Files *files;
  size_t count;
  uint32_t file = number_of(inlined, DW_AT_call_file);
  l->line = number_of(inlined, DW_AT_call_line);
  l->column = number_of(inlined, DW_AT_call_column);
  if (dwarf_getsrcfiles(&u->tree, &files, &count) == 0 && file < count)
    l->file = dwarf_filesrc(files, file, NULL, NULL);
}

static void set_line(struct hp_location *l, struct hp_unit *u, uint64_t vaddr) {
  Dwarf_Line *line = dwarf_getsrc_die(&u->unit, vaddr);
  int number = 0, column = 0;
  if (!line)
    return;
  l->file = dwarf_linesrc(line, NULL, NULL);
  if (dwarf_lineno(line, &number) != 0 || number <= 0)
    return; /* the compiler's own: a column would say nothing */
  l->line = (uint32_t)number;
  if (dwarf_linecol(line, &column) == 0 && column > 0)
    l->column = (uint32_t)column;
}

/* libdw reads none of a unit where one row has a number that it has no room for. */
static bool has_lines(struct hp_unit *u) {
  Dwarf_Lines *rows;
  size_t count;
  return !dwarf_hasattr(&u->unit, DW_AT_stmt_list) ||
         dwarf_getsrclines(&u->unit, &rows, &count) == 0;
}

/* ---- near lines -----------------------------------------------------------
   A call that the compiler made of two has no line, which DWARF says as 0.
   Then the nearest row before it tells where about it is, if it is of the same
   function, inlined at the same place, and file. */

/* The number of the last row at or before VADDR; COUNT if there is none. */
static size_t row_before(Dwarf_Lines *rows, size_t count, uint64_t vaddr) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    Dwarf_Addr at;
    if (dwarf_lineaddr(dwarf_onesrcline(rows, middle), &at) != 0)
      return count;
    if (at <= vaddr)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? low - 1 : count;
}

/* LEVEL and SCOPE: the length of the chain up to the frame, and its end. */
static void set_near_line(struct hp_dwarf *d, struct hp_unit *u,
                          struct hp_location *l, uint64_t vaddr, size_t level,
                          Dwarf_Off scope) {
  Dwarf_Lines *rows;
  size_t count, function = hp_spans_find(&u->function_spans, vaddr);
  if (dwarf_getsrclines(&u->unit, &rows, &count) != 0)
    return;
  size_t row = row_before(rows, count, vaddr);
  for (size_t i = 0; i < HP_ROWS_MAX && row < count; i++, row--) {
    Dwarf_Line *line = dwarf_onesrcline(rows, row);
    Dwarf_Addr at;
    int number = 0;
    bool ends = false;
    if (dwarf_lineaddr(line, &at) != 0 ||
        dwarf_lineendsequence(line, &ends) != 0 || ends ||
        hp_spans_find(&u->function_spans, at) != function)
      return;
    if (dwarf_lineno(line, &number) == 0 && number > 0 &&
        hp_is_same_text(dwarf_linesrc(line, NULL, NULL), l->file) &&
        find_chain(d, u, at) == level &&
        dwarf_dieoffset(&d->chain[level - 1]) == scope) {
      l->line = (uint32_t)number;
      l->line_is_near = true;
      return;
    }
  }
}

static void set_near_lines(struct hp_dwarf *d, struct hp_unit *u,
                           uint64_t vaddr, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (d->locations[i].line || !d->locations[i].file ||
        find_chain(d, u, vaddr) != length)
      continue;
    size_t level = length - i;
    set_near_line(d, u, &d->locations[i], vaddr, level,
                  dwarf_dieoffset(&d->chain[level - 1]));
  }
}

/* What `-I.` or `-I../include` found has a path that begins where the compiler
   ran.  Without that it is no file that could be read, and one with others of
   its name. */
static const char *whole_path(struct hp_dwarf *d, struct hp_unit *u,
                              const char *file) {
  Dwarf_Attribute attribute;
  const char *directory;
  char *path;
  if (!file || file[0] == '/')
    return file;
  directory =
      dwarf_formstring(dwarf_attr(&u->unit, DW_AT_comp_dir, &attribute));
  if (!directory || directory[0] != '/')
    return file;
  while (file[0] == '.' && file[1] == '/')
    file += 1 + strspn(file + 1, "/");
  if (asprintf(&path, "%s/%s", directory, file) < 0)
    return NULL;
  const char *kept = hp_numbered_copy(&d->paths, path);
  free(path);
  return kept;
}

size_t hp_dwarf_find(hp_dwarf *d, uint64_t vaddr,
                     const struct hp_location **locations) {
  size_t found = hp_spans_find(&d->unit_spans, vaddr), length, count;
  struct hp_unit *u;
  if (found == SIZE_MAX)
    return 0;
  u = &d->units[found];
  if (!u->indexed) {
    u->indexed = true;
    index_functions(d, u);
    d->lacks_lines |= !has_lines(u);
  }
  length = find_chain(d, u, vaddr);
  count = length ? length : 1; /* assembly has lines but no functions */
  if (!hp_room_for((void **)&d->locations, 0, count, &d->location_capacity,
                   sizeof *d->locations))
    return 0;
  for (size_t i = 0; i < count; i++) {
    struct hp_location *l = &d->locations[i];
    *l = (struct hp_location){.may_be_inlined = u->lost && !length};
    if (length) {
      l->function = name_of(&d->chain[length - 1 - i], &l->linkage);
      l->start_line = start_of(&d->chain[length - 1 - i]);
    }
    if (i == 0)
      set_line(l, u, vaddr);
    else
      set_call(l, u, &d->chain[length - i]);
  }
  set_near_lines(d, u, vaddr, length);
  for (size_t i = 0; i < count; i++)
    d->locations[i].file = whole_path(d, u, d->locations[i].file);
  *locations = d->locations;
  return length || d->locations[0].file ? count : 0;
}
