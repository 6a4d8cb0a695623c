/* point.h - allocation points: each (call stack, type) stored once and named by
   a 32-bit id. Append-only; looking up takes no lock, adding one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POINT_H
#define HP_POINT_H

#include "heapprof_format.h"
#include "platform.h"

#define HP_STACK_MAX 255 /* frames */

/* One stored point, in an arena; ids count from 1.
     +0   u64 hash       of frames and entry, compared before the frames
     +8   u32 next       id of the next point of the same bucket; 0 = none
     +12  u32 id
     +16  u32 chunks     chunks begun here; wraps, used only to choose exact
   ones +20  u16 depth      frames +22  u8  entry      enum hp_entry +23  u8
   truncated  the stack had more frames +24  u64 pc[depth]  return addresses,
   leaf first                              */
struct hp_alloc_point {
  uint64_t hash;
  uint32_t next;
  uint32_t id;
  uint32_t chunks;
  uint16_t depth;
  uint8_t entry;
  uint8_t truncated;
  uint64_t pc[];
};
_Static_assert(offsetof(struct hp_alloc_point, pc) == 24, "layout");

/* The point of this stack, added if it is new; NULL if it cannot be kept. */
struct hp_alloc_point *hp_point_intern(const uint64_t *pc, size_t depth,
                                       bool truncated, enum hp_entry entry);

uint32_t hp_point_count(void); /* ids are 1 .. count */
const struct hp_alloc_point *hp_point_get(uint32_t id);
void hp_point_lock(void); /* around fork */
void hp_point_unlock(void);

#endif
