/* stack_tree.h - call stacks as paths in a tree: stacks that begin alike share
   what they have in common.  Append-only; looking up takes no lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STACK_TREE_H
#define HP_STACK_TREE_H

#include "system/arena.h"
#include "system/platform.h"

#define HP_STACK_MAX 255 /* frames */

/* A node is one frame.  Its parent is the frame that called it, so the path from
   a node up to a root is a stack, and the node's number names that stack.  Nodes
   lie in an array by number, from 1; numbers 1 and 2 are roots and hold no frame.
   There may be millions, of few return addresses, which are kept apart.  A frame
   that allocates itself mostly calls no other that does, so that one word says
   which points or which callees it has; of one that has both, the first callee is
   no frame, but stands for its points (HP_STACK_HOLDER).
     +0   u32 pc       number of the return address
     +4   u32 parent   node of the caller; 0 = a root.  Bit 30 set: the call led
                       to itself (HP_STACK_FOLDED).  Bit 31: this is no frame, as
                       the call was made further out, too, and below is the node
                       that stands for both (HP_STACK_AGAIN)
     +8   u32 below    bit 31 set: the others are the newest allocation point of
                       this stack (point.c); else its oldest callee; 0 = none
     +12  u32 sibling  the next callee of the same parent; 0 = none in the list
 */
struct hp_stack_node {
  uint32_t pc;
  uint32_t parent;
  uint32_t below;
  uint32_t sibling;
};
_Static_assert(sizeof(struct hp_stack_node) == 16, "layout");
#define HP_STACK_AGAIN (1u << 31)
#define HP_STACK_FOLDED (1u << 30)
#define HP_STACK_PARENT (HP_STACK_FOLDED - 1) /* so many nodes */
#define HP_STACK_POINT (1u << 31)
#define HP_STACK_NUMBERS (HP_STACK_POINT - 1) /* of points */

enum {
  HP_STACK_NONE, /* no memory for it */
  HP_STACK_ROOT, /* calls the outermost frame */
  HP_STACK_CUT   /* calls the last frame kept of a stack that has more */
};

extern HP_HIDDEN struct hp_arena hp_stack_nodes;
/* Return addresses by number; bits 48 and up: hp_stack_set_aside().  The first one,
   which roots and holders have, is like none. */
extern HP_HIDDEN struct hp_arena hp_stack_pcs;
#define HP_STACK_HOLDER 0u

HP_INLINE uint64_t hp_stack_pc(const struct hp_stack_node *node) {
  return ((const uint64_t *)(const void *)hp_stack_pcs.base)[node->pc];
}
HP_INLINE struct hp_stack_node *hp_stack_node(uint32_t number) {
  return (struct hp_stack_node *)(void *)hp_stack_nodes.base +
         ((size_t)number - 1);
}

/* The frame that NUMBER, a callee, stands for. */
HP_INLINE uint32_t hp_stack_frame_of(uint32_t number,
                                     const struct hp_stack_node *node) {
  return HP_LIKELY(!(node->parent & HP_STACK_AGAIN)) ? number : node->below;
}

/* The node of PC called by PARENT, added if it is new; quick where PARENT is a
   frame that lists it.  With options.collapse_recursion a call that PARENT or who
   called it made already is no new frame: all since are left out of the stack, as
   if they had returned. */
uint32_t hp_stack_push_unlisted(uint32_t parent, uint64_t pc);
HP_INLINE uint32_t hp_stack_push(uint32_t parent, uint64_t pc) {
  if (HP_LIKELY(parent > HP_STACK_CUT)) {
    const uint32_t *link = &hp_stack_node(parent)->below;
    for (uint32_t number;
         (int32_t)(number = __atomic_load_n(link, __ATOMIC_ACQUIRE)) > 0;) {
      const struct hp_stack_node *node = hp_stack_node(number);
      if (HP_LIKELY(hp_stack_pc(node) == pc))
        return hp_stack_frame_of(number, node);
      link = &node->sibling;
    }
  }
  return hp_stack_push_unlisted(parent, pc);
}

/* The newest point of the stack that NODE ends; 0: none. */
uint32_t hp_stack_point(const struct hp_stack_node *node);
/* Makes room for such a point: false without memory.  Then sets it; both with
   hp_stack_lock(). */
bool hp_stack_hold_point(uint32_t stack);
void hp_stack_set_point(uint32_t stack, uint32_t point);

/* The node of PC[0..DEPTH), leaf first. */
uint32_t hp_stack_intern(const uint64_t *pc, size_t depth, bool truncated);

/* The frames of STACK, leaf first; returns how many. */
size_t hp_stack_frames(uint32_t stack, uint64_t pc[HP_STACK_MAX],
                       bool *truncated);

/* Whether a frame of STACK led to itself, so that the stack may be that of several
   calls of one function. */
bool hp_stack_is_folded(uint32_t stack);

/* Code was unloaded: frames with return addresses in (START, END] are no longer
   found when a stack is looked up, since other code may come to lie there.  AS, 1
   to HP_STACK_ASIDES, names them until hp_stack_put_back(AS), when the code is
   back.  Stacks that have them keep them. */
#define HP_STACK_ASIDES 32767u
void hp_stack_set_aside(uintptr_t start, uintptr_t end, uint32_t as);
void hp_stack_put_back(uint32_t as);

size_t hp_stack_memory(void); /* bytes in use */
void hp_stack_lock(void);     /* around fork */
void hp_stack_unlock(void);

#endif
