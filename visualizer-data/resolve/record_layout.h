/* record_layout.h - where the members of a record type lie, by debug information.
   Nested records are taken apart: a member is "head.key", and one byte of padding a hole.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RECORD_LAYOUT_H
#define HP_RECORD_LAYOUT_H

#include <elfutils/libdw.h>

#include "base/store.h"
#include "resolve/layout_of.h"

/* The layout of RECORD, a definition, named TYPE; PROGRAM has the file with the code,
   which that of RECORD may not be.  NULL: no memory. */
struct hp_layout *hp_layout_make(struct hp_store *store, Dwarf *program,
                                 Dwarf_Die *record, const char *type);

/* All that is told of both is the same. */
bool hp_layout_same(const struct hp_layout *a, const struct hp_layout *b);

/* Its last member has as many elements as the chunk has room for. */
bool hp_layout_is_open_ended(const struct hp_layout *layout);

/* How many of the bytes [BEGIN, END) of a record are MEMBER's. */
uint64_t hp_layout_bytes_of(const struct hp_layout_member *member,
                            uint64_t begin, uint64_t end);

#endif
