/* pool.h - blocks of 32 bytes and its doubles, named by 32 bits.
   What is given back is handed out again, in parts, too, or with its neighbour if both
   were given back one soon after the other; nothing here is atomic.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POOL_H
#define HP_POOL_H

#include "system/arena.h"

#define HP_POOL_UNIT ((size_t)32) /* bytes of the smallest block */
#define HP_POOL_ORDERS 32u

struct hp_pool {
  struct hp_arena arena;
  uint32_t free[HP_POOL_ORDERS]; /* by order: HP_POOL_UNIT << order bytes */
};

/* Begins anew, with no block; all zero at first.  False: no memory. */
bool hp_pool_start(struct hp_pool *pool, size_t wanted, size_t least);

/* An index counts units from the arena's base; 0 is none. */
HP_INLINE void *hp_pool_block(const struct hp_pool *pool, uint32_t index) {
  return pool->arena.base + index * HP_POOL_UNIT;
}

/* Bytes of the block that BYTES are given. */
size_t hp_pool_size(size_t bytes);

/* A zeroed block of at least BYTES; 0 without memory. */
uint32_t hp_pool_take(struct hp_pool *pool, size_t bytes);
void hp_pool_give(struct hp_pool *pool, uint32_t index, size_t bytes);

#endif
