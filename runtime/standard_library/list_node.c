/* list_node.c - the functions by which std::list links its nodes.
   libstdc++.so has them without hooks; these take their place in the program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "library_symbol.h"

/* std::__detail::_List_node_base, at the start of each node and of the list:
   a ring, in which the list itself stands between the last and the first.

     +0 next   +8 previous                                                   */
struct node {
  struct node *next, *previous;
};
_Static_assert(sizeof(struct node) == 16, "as libstdc++ has it");

HP_LIBRARY_SYMBOL(void, hook, (struct node * it, struct node *before),
                  "_ZNSt8__detail15_List_node_base7_M_hookEPS0_") {
  struct node *after = before->previous;
  it->next = before;
  it->previous = after;
  after->next = it;
  before->previous = it;
}

HP_LIBRARY_SYMBOL(void, unhook, (struct node * it),
                  "_ZNSt8__detail15_List_node_base9_M_unhookEv") {
  struct node *next = it->next, *previous = it->previous;
  previous->next = next;
  next->previous = previous;
}

/* [FIRST, LAST) of any ring goes before IT. */
HP_LIBRARY_SYMBOL(void, transfer,
                  (struct node * it, struct node *first, struct node *last),
                  "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_") {
  if (it == last)
    return;
  struct node *tail = last->previous, *left = first->previous;
  struct node *before = it->previous;
  left->next = last;
  last->previous = left;
  before->next = first;
  first->previous = before;
  tail->next = it;
  it->previous = tail;
}

HP_LIBRARY_SYMBOL(void, reverse, (struct node * list),
                  "_ZNSt8__detail15_List_node_base10_M_reverseEv") {
  struct node *it = list;
  do {
    struct node *next = it->next;
    it->next = it->previous;
    it->previous = next;
    it = next;
  } while (it != list);
}

/* The neighbours of FROM become those of TO. */
static void move(struct node *to, const struct node *from) {
  *to = *from;
  to->next->previous = to->previous->next = to;
}

static void empty(struct node *list) { list->next = list->previous = list; }

HP_LIBRARY_SYMBOL(void, swap, (struct node * a, struct node *b),
                  "_ZNSt8__detail15_List_node_base4swapERS0_S1_") {
  const struct node was = *a;
  const _Bool a_empty = was.next == a, b_empty = b->next == b;
  if (a == b || (a_empty && b_empty))
    return;
  if (b_empty)
    empty(a);
  else
    move(a, b);
  if (a_empty)
    empty(b);
  else
    move(b, &was);
}
