/* virtual_base.h - where the virtual bases of a class lie, by its table of virtual functions
   in the file: debug information says no more than where in that table it stands.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_VIRTUAL_BASE_H
#define HP_VIRTUAL_BASE_H

#include <elfutils/libdw.h>

#include "base/store.h"

/* The tables of one class, those of its bases in it behind the first. */
struct hp_vtables {
  const int64_t *words; /* as they are once the file is loaded at 0 */
  size_t count;         /* 0: not known */
  uint64_t type_info;   /* that each of them has behind its offset to the top */
};

/* Those of TYPE, as the file has them that DWARF is of.  False: no memory. */
bool hp_vtables_find(struct hp_vtables *out, struct hp_store *store,
                     Dwarf *dwarf, const char *type);

/* Where BASE, a DW_TAG_inheritance with DW_AT_virtuality of the part of an object that
   lies AT bytes from its start, lies in it.  False: not known. */
bool hp_virtual_base_at(const struct hp_vtables *tables, uint64_t at,
                        Dwarf_Die *base, uint64_t *offset);

#endif
