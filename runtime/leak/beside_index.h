/* beside_index.h - which chunk of the program's own allocator an address lies in (beside_table.h), at one moment.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BESIDE_INDEX_H
#define HP_BESIDE_INDEX_H

#include "heap/beside_table.h"

/* Takes all down, while no thread can begin or end one, whose bytes SIZE_OF says; false: there is
   no memory. */
bool hp_beside_index_start(uint64_t (*size_of)(const struct hp_chunk *record));

/* The record of the last chunk that begins at ADDRESS, which has 48 bits, or before; NULL: none
   does, no chunk is near, or nothing was taken down. */
const struct hp_chunk *hp_beside_index_find(uintptr_t address);

/* All in ascending order: the number of the first that begins at ADDRESS or behind, and the
   place of one; UINTPTR_MAX behind the last. */
size_t hp_beside_index_first(uintptr_t address);
uintptr_t hp_beside_index_place(size_t number);

void hp_beside_index_end(void);

#endif
