/* die_walk.h - steps through the tree of DWARF entries that damage cannot lead in a circle.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DIE_WALK_H
#define HP_DIE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Children lie behind their parent and siblings behind each other, so a step
   that does not go forward is damage: without this a DW_AT_sibling that points
   back would make a circle. */

static inline bool hp_die_first_child(Dwarf_Die *parent, Dwarf_Die *child) {
  return dwarf_child(parent, child) == 0 &&
         dwarf_dieoffset(child) > dwarf_dieoffset(parent);
}

static inline bool hp_die_next_sibling(Dwarf_Die *die, Dwarf_Die *sibling) {
  Dwarf_Off here = dwarf_dieoffset(die);
  Dwarf_Die next;
  if (dwarf_siblingof(die, &next) != 0 || dwarf_dieoffset(&next) <= here)
    return false;
  *sibling = next;
  return true;
}

#endif
