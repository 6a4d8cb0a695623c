/* tree_balance.c - how std::map, std::set and their kin take nodes in and out.
   The red-black tree of Cormen et al.: the same trees as libstdc++.so makes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tree_node.h"

typedef struct hp_tree_node node;

static _Bool is_red(const node *it) { return it && it->colour == HP_TREE_RED; }

/* Where the pointer to IT is kept. */
static node **place(node *it, node *header) {
  if (it == header->parent)
    return &header->parent;
  return it == it->parent->left ? &it->parent->left : &it->parent->right;
}

static void put(node **at, node *it, node *parent) {
  *at = it;
  if (it)
    it->parent = parent;
}

/* The right child of IT comes up. */
static void rotate_left(node *it, node *header) {
  node *up = it->right;
  put(&it->right, up->left, it);
  put(place(it, header), up, it->parent);
  put(&up->left, it, up);
}

static void rotate_right(node *it, node *header) {
  node *up = it->left;
  put(&it->left, up->right, it);
  put(place(it, header), up, it->parent);
  put(&up->right, it, up);
}

/* IT is red, and so may its parent be, which nothing red may have. */
static void repair_red(node *it, node *header) {
  while (it != header->parent && it->parent->colour == HP_TREE_RED) {
    node *parent = it->parent, *above = parent->parent;
    const _Bool is_left = parent == above->left;
    node *uncle = is_left ? above->right : above->left;
    if (is_red(uncle)) {
      parent->colour = uncle->colour = HP_TREE_BLACK;
      above->colour = HP_TREE_RED;
      it = above;
      continue;
    }
    if (it == (is_left ? parent->right : parent->left)) {
      (is_left ? rotate_left : rotate_right)(parent, header);
      node *changed = it;
      it = parent;
      parent = changed;
    }
    parent->colour = HP_TREE_BLACK;
    above->colour = HP_TREE_RED;
    (is_left ? rotate_right : rotate_left)(above, header);
  }
  header->parent->colour = HP_TREE_BLACK;
}

HP_LIBRARY_SYMBOL(void, insert,
                  (_Bool left, node *it, node *parent, node *header),
                  "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_"
                  "baseS0_RS_") {
  it->colour = HP_TREE_RED;
  it->parent = parent;
  it->left = it->right = NULL;
  if (parent == header) {
    header->parent = header->left = header->right = it;
  } else if (left) {
    parent->left = it;
    if (parent == header->left)
      header->left = it;
  } else {
    parent->right = it;
    if (parent == header->right)
      header->right = it;
  }
  repair_red(it, header);
}

/* The paths through IT, which may be NULL, have one black node too few. */
static void repair_black(node *it, node *parent, node *header) {
  while (it != header->parent && !is_red(it)) {
    const _Bool is_left = it == parent->left;
    void (*towards)(node *, node *) = is_left ? rotate_left : rotate_right;
    void (*away)(node *, node *) = is_left ? rotate_right : rotate_left;
    node *sibling = is_left ? parent->right : parent->left;
    if (sibling->colour == HP_TREE_RED) {
      sibling->colour = HP_TREE_BLACK;
      parent->colour = HP_TREE_RED;
      towards(parent, header);
      sibling = is_left ? parent->right : parent->left;
    }
    if (!is_red(sibling->left) && !is_red(sibling->right)) {
      sibling->colour = HP_TREE_RED;
      it = parent;
      parent = it->parent;
      continue;
    }
    node *far = is_left ? sibling->right : sibling->left;
    if (!is_red(far)) {
      (is_left ? sibling->left : sibling->right)->colour = HP_TREE_BLACK;
      sibling->colour = HP_TREE_RED;
      away(sibling, header);
      far = sibling;
      sibling = is_left ? parent->right : parent->left;
    }
    sibling->colour = parent->colour;
    parent->colour = far->colour = HP_TREE_BLACK;
    towards(parent, header);
    break;
  }
  if (it)
    it->colour = HP_TREE_BLACK;
}

static node *leftmost(node *it) {
  while (it->left)
    it = it->left;
  return it;
}

static node *rightmost(node *it) {
  while (it->right)
    it = it->right;
  return it;
}

/* Takes IT, which has two children, out: the next node takes its place and its
   colour.  Returns the parent of the place that is empty then. */
static node *replace_by_next(node *it, node *header, node **child) {
  node *next = leftmost(it->right), *parent = next;
  *child = next->right;
  if (next != it->right) {
    parent = next->parent;
    put(&parent->left, *child, parent);
    put(&next->right, it->right, next);
  }
  put(&next->left, it->left, next);
  put(place(it, header), next, it->parent);
  enum hp_tree_colour colour = next->colour;
  next->colour = it->colour;
  it->colour = colour; /* of what is missing now */
  return parent;
}

static node *replace_by_child(node *it, node *header, node **child) {
  node *parent = it->parent;
  *child = it->left ? it->left : it->right;
  put(place(it, header), *child, parent);
  if (it == header->left)
    header->left = *child ? leftmost(*child) : parent;
  if (it == header->right)
    header->right = *child ? rightmost(*child) : parent;
  return parent;
}

HP_LIBRARY_SYMBOL(node *, erase, (node * it, node *header),
                  "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_"
                  "baseRS_") {
  node *child, *parent;
  if (it->left && it->right)
    parent = replace_by_next(it, header, &child);
  else
    parent = replace_by_child(it, header, &child);
  if (it->colour == HP_TREE_BLACK)
    repair_black(child, parent, header);
  return it;
}
