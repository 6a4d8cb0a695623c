/* unwind_table.h - finds the entry of the unwind tables for an address.
   Takes no lock where libc has _dl_find_object (2.35).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNWIND_TABLE_H
#define HP_UNWIND_TABLE_H

#include "unwind/unwind_row.h"

enum hp_table_answer {
  HP_TABLE_NONE, /* no table has the address */
  HP_TABLE_FOUND
};

/* What it may take to find an entry. */
enum hp_table_way {
  HP_TABLE_OF_MODULES, /* tables that programs registered are not found */
  HP_TABLE_OF_ALL      /* takes libgcc's lock */
};

/* The entry for ADDRESS.  *STAYS: no other answer can be had as long as the
   module is loaded; code that a program made at run time may get tables or lose
   them at any time. */
enum hp_table_answer hp_table_find(struct hp_fde *fde, uintptr_t address,
                                   enum hp_table_way way, bool *stays);

/* The function allocates or frees while it has libgcc's lock: whoever was
   called by it must not ask for tables of all. */
bool hp_table_is_locked_by(const struct hp_fde *fde);

/* The sorted table at HEADER of a module that is loaded from BEGIN to END.
   False: it is no table that can be searched. */
bool hp_table_search(const uint8_t *header, const uint8_t *begin,
                     const uint8_t *end, uintptr_t address,
                     const uint8_t **entry);

#endif
