/* point.h - allocation points: each (call stack, type) stored once and named by
   a 32-bit id. Append-only; looking up takes no lock, adding one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POINT_H
#define HP_POINT_H

#include "heapprof_format.h"
#include "platform.h"
#include "type.h"

#define HP_STACK_MAX 255 /* frames */

/* clang-format off */
/* One stored point, in an arena; ids count from 1.
     +0   u64 hash       of frames, entry and type, compared before them
     +8   ptr next       of the same bucket; NULL = none
     +16  u32 id
     +20  u32 chunks     chunks begun here; wraps, used only to choose exact ones
     +24  u16 depth      frames
     +26  u8  entry      enum hp_entry
     +27  u8  truncated  the stack had more frames
     +32  ptr type       NULL = unknown
     +40  u64 pc[depth]  return addresses, leaf first                         */
/* clang-format on */
struct hp_alloc_point {
  uint64_t hash;
  struct hp_alloc_point *next;
  uint32_t id;
  uint32_t chunks;
  uint16_t depth;
  uint8_t entry;
  uint8_t truncated;
  const struct hp_type *type;
  uint64_t pc[];
};
_Static_assert(offsetof(struct hp_alloc_point, pc) == 40, "layout");

/* The point of this stack, added if it is new; NULL if it cannot be kept. */
struct hp_alloc_point *hp_point_intern(const uint64_t *pc, size_t depth,
                                       bool truncated, enum hp_entry entry,
                                       const struct hp_type *type);

uint32_t hp_point_count(void); /* ids are 1 .. count */
const struct hp_alloc_point *hp_point_get(uint32_t id);
void hp_point_lock(void); /* around fork */
void hp_point_unlock(void);

#endif
