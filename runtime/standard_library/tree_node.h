/* tree_node.h - a node of std::map, std::set and their kin.
   A red-black tree, as std::_Rb_tree_node_base of libstdc++ lays it out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TREE_NODE_H
#define HP_TREE_NODE_H

#include <stddef.h>

#include "library_symbol.h"

/* At the start of each node, and in the tree itself as its header, which is
   red, has the root as its parent and is the root's parent.

     +0 u32 colour   +8 parent    of the header: the root, NULL in an empty tree
     +16 left        of the header: the first node
     +24 right       of the header: the last node                            */
enum hp_tree_colour { HP_TREE_RED, HP_TREE_BLACK };
struct hp_tree_node {
  enum hp_tree_colour colour;
  struct hp_tree_node *parent, *left, *right;
};
_Static_assert(sizeof(struct hp_tree_node) == 32 &&
                   offsetof(struct hp_tree_node, parent) == 8,
               "as libstdc++ has it");

#endif
