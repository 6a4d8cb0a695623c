/* pool.c - see pool.h: an arena, and a list of free blocks of each size.
   A free block begins with the index of the next one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/pool.h"
#include "system/check.h"

#include "system/memory.h"
#include "system/real_libc.h"

static unsigned order_of(size_t bytes) {
  unsigned order = 0;
  while (HP_POOL_UNIT << order < bytes)
    order++;
  return order;
}

bool hp_pool_start(struct hp_pool *pool, size_t wanted, size_t least) {
  struct hp_arena arena = pool->arena;
  if (arena.committed)
    hp_sys_release(arena.base, arena.committed);
  if (!arena.base && !hp_arena_reserve(&arena, wanted, least))
    return false;
  arena.used = 0;
  arena.dense = true;
  *pool = (struct hp_pool){.arena = arena};
  return hp_arena_take(&pool->arena, HP_POOL_UNIT); /* index 0 is no block */
}

size_t hp_pool_size(size_t bytes) { return HP_POOL_UNIT << order_of(bytes); }

static void add_free(struct hp_pool *pool, unsigned order, uint32_t index) {
  *(uint32_t *)hp_pool_block(pool, index) = pool->free[order];
  pool->free[order] = index;
}

/* A free block of ORDER, if there is one or a larger one: of that the other half
   stays free, and so on.  0: there is none. */
static uint32_t take_free(struct hp_pool *pool, unsigned order) {
  unsigned from = order;
  while (from < HP_POOL_ORDERS && !pool->free[from])
    from++;
  if (from == HP_POOL_ORDERS)
    return 0;
  const uint32_t index = pool->free[from];
  HP_CHECK(index * HP_POOL_UNIT < pool->arena.used);
  pool->free[from] = *(const uint32_t *)hp_pool_block(pool, index);
  while (from-- > order)
    add_free(pool, from, index + (1u << from));
  return index;
}

uint32_t hp_pool_take(struct hp_pool *pool, size_t bytes) {
  unsigned order = order_of(bytes);
  uint32_t index = take_free(pool, order);
  if (index) {
    hp_real_memset(hp_pool_block(pool, index), 0, HP_POOL_UNIT << order);
    return index;
  }
  char *p = hp_arena_take(&pool->arena, HP_POOL_UNIT << order);
  size_t at = p ? (size_t)(p - pool->arena.base) / HP_POOL_UNIT : UINT32_MAX;
  return at < UINT32_MAX ? (uint32_t)at : 0;
}

/* A free block of ORDER beside that at INDEX, if it is one of the last that were given:
   many are in the order in which they were taken, of a few places in turns.  0: there
   is none. */
#define LAST_GIVEN 4u
static uint32_t take_neighbour(struct hp_pool *pool, unsigned order,
                               uint32_t index) {
  uint32_t *link = &pool->free[order];
  for (unsigned i = 0; i < LAST_GIVEN && *link; i++) {
    const uint32_t free = *link;
    uint32_t *next = hp_pool_block(pool, free);
    if (free - index == 1u << order || index - free == 1u << order) {
      *link = *next;
      return free;
    }
    link = next;
  }
  return 0;
}

void hp_pool_give(struct hp_pool *pool, uint32_t index, size_t bytes) {
  unsigned order = order_of(bytes);
  HP_CHECK(index && index * HP_POOL_UNIT < pool->arena.used);
  HP_CHECK(index != pool->free[order]); /* given back twice */
  uint32_t neighbour;
  while ((neighbour = take_neighbour(pool, order, index))) {
    index = index < neighbour ? index : neighbour;
    order++;
  }
  add_free(pool, order, index);
}
