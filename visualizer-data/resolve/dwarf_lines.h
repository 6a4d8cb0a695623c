/* dwarf_lines.h - functions, inlined calls and lines at an address, from DWARF.
   Reads any DWARF 4 or 5, split or not; damaged DWARF answers less, never more.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DWARF_LINES_H
#define HP_DWARF_LINES_H

#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hp_dwarf hp_dwarf;

/* One function active at an address.  Strings belong to the hp_dwarf. */
struct hp_location {
  const char *function;  /* NULL if unknown */
  bool linkage;          /* function is a linkage name, possibly mangled */
  const char *file;      /* NULL if unknown */
  uint32_t line, column; /* 0 if unknown */
  bool line_is_near;     /* of other code of the function, the nearest before */
  bool may_be_inlined;   /* file and line: the half that tells is not there */
  uint32_t start_line;   /* of the function; 0 if unknown */
};

/* NULL if ELF has no usable DWARF or memory is out.  ELF must outlive it. */
hp_dwarf *hp_dwarf_open(Elf *elf);
void hp_dwarf_close(hp_dwarf *dwarf);

/* Whether it tells of any code. */
bool hp_dwarf_has_code(const hp_dwarf *dwarf);

/* How many of its units lack their other half, a .dwo file; *ALL: of how many. */
size_t hp_dwarf_lost_units(const hp_dwarf *dwarf, size_t *all);

/* Whether lines that it has could not be read, of an address that was asked for. */
bool hp_dwarf_lacks_lines(const hp_dwarf *dwarf);

/* What is behind it, and sound as far as libdw needs it. */
Dwarf *hp_dwarf_of(hp_dwarf *dwarf);

/* The functions at VADDR, innermost inlined first, the last one a real
   function; 0 if DWARF does not know the address.  *LOCATIONS is valid until
   the next call. */
size_t hp_dwarf_find(hp_dwarf *dwarf, uint64_t vaddr,
                     const struct hp_location **locations);

#endif
