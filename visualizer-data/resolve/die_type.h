/* die_type.h - what DWARF says of a type: its size, alignment and spelling.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DIE_TYPE_H
#define HP_DIE_TYPE_H

#include <elfutils/libdw.h>

#include "base/store.h"

#include <stdbool.h>
#include <stdint.h>

bool hp_die_is_record(Dwarf_Die *die);

/* Of the C++ library's classes without members, whose code is in the library, there
   is often no more than a declaration. */
bool hp_die_is_empty_library(Dwarf_Die *record);

/* What DIE, a member or a type, is of; false: void, or damage. */
bool hp_die_type(Dwarf_Die *die, Dwarf_Die *type);

/* TYPE without typedefs, const and their like; a declaration in its type unit. */
bool hp_die_peel(Dwarf_Die *type, Dwarf_Die *bare);

bool hp_die_number(Dwarf_Die *die, unsigned attribute, uint64_t *number);

/* Of an array, how many elements in all of its dimensions; 0: not known. */
uint64_t hp_die_elements(Dwarf_Die *array);

/* Bytes; false: not known, as of what is only declared. */
bool hp_die_size(Dwarf_Die *type, uint64_t *size);

/* As the System V ABI has it on 64-bit machines, if no attribute says more; 0: not
   known. */
uint64_t hp_die_align(Dwarf_Die *type);

/* The file that declares DIE; NULL: not known.  libdw's. */
const char *hp_die_file(Dwarf_Die *die);

/* "const struct list *", "char [12]"; NULL: no memory, or not known. */
const char *hp_die_spelling(struct hp_store *store, Dwarf_Die *type);

#endif
