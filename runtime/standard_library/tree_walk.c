/* tree_walk.c - how iterators of std::map, std::set and their kin move on.
   libstdc++.so has these without hooks; these take their place in the program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tree_node.h"

static struct hp_tree_node *after(struct hp_tree_node *node) {
  if (node->right) {
    node = node->right;
    while (node->left)
      node = node->left;
    return node;
  }
  struct hp_tree_node *up = node->parent;
  while (node == up->right) {
    node = up;
    up = up->parent;
  }
  /* In a tree of one node the climb from it ends at that node again, by way of
     the header, which is what follows it. */
  return node->right == up ? node : up;
}

static struct hp_tree_node *before(struct hp_tree_node *node) {
  /* Only the header is red and its grandparent. */
  if (node->colour == HP_TREE_RED && node->parent->parent == node)
    return node->right;
  if (node->left) {
    node = node->left;
    while (node->right)
      node = node->right;
    return node;
  }
  struct hp_tree_node *up = node->parent;
  while (node == up->left) {
    node = up;
    up = up->parent;
  }
  return up;
}

HP_LIBRARY_SYMBOL(struct hp_tree_node *, increment, (struct hp_tree_node * it),
                  "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base") {
  return after(it);
}

HP_LIBRARY_SYMBOL(struct hp_tree_node *, increment_const,
                  (struct hp_tree_node * it),
                  "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base") {
  return after(it);
}

HP_LIBRARY_SYMBOL(struct hp_tree_node *, decrement, (struct hp_tree_node * it),
                  "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base") {
  return before(it);
}

HP_LIBRARY_SYMBOL(struct hp_tree_node *, decrement_const,
                  (struct hp_tree_node * it),
                  "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base") {
  return before(it);
}
