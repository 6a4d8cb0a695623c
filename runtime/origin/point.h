/* point.h - allocation points: each (call stack, type) stored once and named by
   a 32-bit id. Append-only; looking up takes no lock, adding one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POINT_H
#define HP_POINT_H

#include "heapprof_format.h"
#include "origin/stack_tree.h"
#include "origin/type.h"
#include "system/arena.h"
#include "system/platform.h"

/* One stored point, in an array by id, from 1: there may be millions.
     +0   u32 type   hp_type_low(); 0 = unknown
     +4   u32 stack  node of the tree
     +8   u32 next   point of the same stack that is older; 0 = none
     +12  u16 chunks chunks begun here; stays where it is when nobody asks for
                     more (chunk_life.h)
     +14  u16 entry  enum hp_entry; from bit HP_POINT_POOL_SHIFT on the number of
                     the pool's name whose objects these are (chunk/pools.h) */
struct hp_alloc_point {
  uint32_t type;
  uint32_t stack;
  uint32_t next;
  uint16_t chunks;
  uint16_t entry;
};
#define HP_POINT_POOL_SHIFT 8u
HP_INLINE enum hp_entry hp_point_entry(const struct hp_alloc_point *point) {
  return (enum hp_entry)(point->entry & ((1u << HP_POINT_POOL_SHIFT) - 1));
}
_Static_assert(sizeof(struct hp_alloc_point) == 16, "layout");

extern HP_HIDDEN struct hp_arena hp_points; /* the first one is none's */
HP_INLINE uint32_t hp_point_id(const struct hp_alloc_point *point) {
  return (uint32_t)(((uintptr_t)point - (uintptr_t)hp_points.base) /
                    sizeof *point);
}
HP_INLINE struct hp_alloc_point *hp_point_at(uint32_t id) {
  return (struct hp_alloc_point *)(void *)hp_points.base + id;
}
HP_INLINE const struct hp_type *
hp_point_type(const struct hp_alloc_point *point) {
  return hp_type_of_low(point->type);
}

/* The point of this stack, added if it is new; NULL if it cannot be kept. */
struct hp_alloc_point *hp_point_intern(uint32_t stack, enum hp_entry entry,
                                       const struct hp_type *type);

/* The number of the same, if it is the newest one of a STACK without callees; 0:
   it is not. */
HP_INLINE uint32_t hp_point_newest(uint32_t stack, enum hp_entry entry,
                                   const struct hp_type *type) {
  const uint32_t below =
      __atomic_load_n(&hp_stack_node(stack)->below, __ATOMIC_ACQUIRE);
  const uint32_t id = below & HP_STACK_NUMBERS;
  return HP_LIKELY(below & HP_STACK_POINT) &&
                 HP_LIKELY(hp_point_at(id)->type == hp_type_low(type)) &&
                 HP_LIKELY(hp_point_at(id)->entry == (uint16_t)entry)
             ? id
             : 0;
}

uint32_t hp_point_count(void); /* ids are 1 .. count */
const struct hp_alloc_point *hp_point_get(uint32_t id);
size_t hp_point_memory(void); /* bytes in use, those of types and stacks, too */
void hp_point_lock(void);     /* around fork; types and stacks, too */
void hp_point_unlock(void);

#endif
