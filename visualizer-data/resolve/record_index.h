/* record_index.h - finds the record types that a dump names in debug information.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RECORD_INDEX_H
#define HP_RECORD_INDEX_H

#include "resolve/record_layout.h"

struct hp_layout_request {
  const char *type;         /* as the dump has it */
  uint64_t size;            /* sizeof; 0: not known */
  struct hp_layout *layout; /* NULL: none was found, or several */
  bool is_ambiguous;        /* of that name and size, laid out differently */
};

/* Reads through all of DWARF once, and answers those of the COUNT requests that have no
   layout yet.  Layouts are STORE's.  False: no memory. */
bool hp_records_find(Dwarf *dwarf, struct hp_store *store,
                     struct hp_layout_request *requests, size_t count);

#endif
