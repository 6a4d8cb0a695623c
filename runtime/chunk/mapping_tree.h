/* mapping_tree.h - what the program has mapped, range by range, found by address.
   A treap of disjoint ranges; with the lock of mapping.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAPPING_TREE_H
#define HP_MAPPING_TREE_H

#include "system/pool.h"

/* A range that one site mapped, or what is left of it.
     +0   u64 begin, end
     +16  u32 site      number of the row in mapping.c
     +20  u32 left      range of lower addresses; 0: none
     +24  u32 right     of higher ones; outside of the tree: the next one
     +28  u32 priority  no range below it has a higher one
     +32                                                                      */
struct hp_mapped {
  uintptr_t begin, end;
  uint32_t site;
  uint32_t left, right;
  uint32_t priority;
};
_Static_assert(sizeof(struct hp_mapped) == HP_POOL_UNIT, "a unit of the pool");

/* Begins anew, with no range.  False: no memory. */
bool hp_mapping_tree_start(void);

struct hp_mapped *hp_mapping_tree_range(uint32_t number);

/* The first range that ends behind ADDRESS; NULL: there is none. */
struct hp_mapped *hp_mapping_tree_find(uintptr_t address);

/* Takes [BEGIN, END) out: the number of the first range of a list, ascending; 0
   if there was none.  A range that is there in part is cut in two.  Where there
   is no memory for that, the whole of it is taken. */
uint32_t hp_mapping_tree_cut(uintptr_t begin, uintptr_t end);

/* Puts a range where none is.  False: no memory. */
bool hp_mapping_tree_put(uintptr_t begin, uintptr_t end, uint32_t site);

/* Puts a list back that was cut; the place is free.  Or forgets it. */
void hp_mapping_tree_put_back(uint32_t list);
void hp_mapping_tree_forget(uint32_t list);

#endif
