/* log_budget.c - see log_budget.h: what is seldom done with budgets.
   They grow with the number of points.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log_budget.h"

#include "system/memory.h"
#include "system/real_libc.h"

struct hp_log_budgets hp_log_budgets;
struct hp_log_passing hp_log_passing[HP_LOG_PASSING];

#define BLOCKS_RESERVED ((size_t)1 << 36)
#define LEAST_RESERVED ((size_t)1 << 20)

static struct {
  struct hp_log_budgets budgets;
  uint8_t *bytes; /* of points, then of blocks; NULL: none */
} aside;

HP_COLD bool hp_log_add_points(size_t size) {
  struct hp_arena *arena = &hp_log_budgets.points;
  return (arena->base ||
          hp_arena_reserve(arena, (size_t)1 << 32, LEAST_RESERVED)) &&
         hp_arena_commit(arena, size);
}

static size_t bytes_of(unsigned count) {
  return count * sizeof(struct hp_log_budget);
}

/* A block for one more than COUNT; 0 without memory. */
static uint32_t longer_block(uint32_t block, unsigned count) {
  struct hp_pool *blocks = &hp_log_budgets.blocks;
  if (!blocks->arena.used &&
      !hp_pool_start(blocks, BLOCKS_RESERVED, LEAST_RESERVED))
    return 0;
  if (count && hp_pool_size(bytes_of(count)) >= bytes_of(count + 1))
    return block;
  const uint32_t made = hp_pool_take(blocks, bytes_of(count + 1));
  if (!made || !count)
    return made;
  hp_real_memcpy(hp_pool_block(blocks, made), hp_pool_block(blocks, block),
                 bytes_of(count));
  hp_pool_give(blocks, block, bytes_of(count));
  return made;
}

/* All those from the place FIRST on. */
static void end_passing(size_t first, size_t count) {
  for (size_t i = first; i < first + count; i++)
    hp_log_end_passing(&hp_log_passing[i]);
}

_Static_assert(HP_LOG_PASSING % HP_LOG_NEIGHBOURS == 0, "neighbours in a row");

HP_NOINLINE bool hp_log_add_budget(struct hp_log_budgets_of *of, unsigned bit) {
  const unsigned count = (unsigned)__builtin_popcount(of->budgeted),
                 before = hp_log_budgets_before(of, bit);
  const struct hp_log_budgets_of *all =
      (const void *)hp_log_budgets.points.base;
  end_passing((size_t)(of - all) * HP_LOG_NEIGHBOURS % HP_LOG_PASSING,
              HP_LOG_NEIGHBOURS);
  const uint32_t block = longer_block(of->block, count);
  if (!block)
    return false;
  struct hp_log_budget *budgets = hp_pool_block(&hp_log_budgets.blocks, block);
  for (unsigned i = count; i > before; i--)
    budgets[i] = budgets[i - 1];
  budgets[before] = (struct hp_log_budget){0};
  hp_log_spend(&budgets[before], hp_options.chunk_log_point);
  of->block = block;
  of->budgeted |= (uint16_t)bit;
  return true;
}

static void get_coarser(struct hp_log_budget *budget) {
  budget->kept = 0;
  if (budget->coarseness < HP_LOG_COARSEST)
    budget->coarseness = (budget->coarseness + 1u) & 31;
}

HP_NOINLINE void hp_log_spend(struct hp_log_budget *budget, uint64_t most) {
  uint64_t limit = most;
  if (budget->coarseness)
    limit = most / 4 > HP_LOG_LEAST_STEP ? most / 4 : HP_LOG_LEAST_STEP;
  uint32_t kept = budget->kept + 1u;
  budget->kept = kept & HP_LOG_KEPT_MAX;
  if (HP_UNLIKELY(kept >= limit || kept == HP_LOG_KEPT_MAX))
    get_coarser(budget);
}

/* Bytes that may be other than zero. */
static size_t points_size(const struct hp_log_budgets *of) {
  return of->points.committed;
}

static size_t blocks_size(const struct hp_log_budgets *of) {
  return of->blocks.arena.used;
}

void hp_log_set_aside(void) {
  const struct hp_log_budgets *now = &hp_log_budgets;
  const size_t points = points_size(now), blocks = blocks_size(now);
  end_passing(0, HP_LOG_PASSING);
  aside.budgets = *now;
  aside.bytes = points + blocks ? hp_sys_map(points + blocks) : NULL;
  if (!aside.bytes)
    return;
  hp_real_memcpy(aside.bytes, now->points.base, points);
  if (blocks)
    hp_real_memcpy(aside.bytes + points, now->blocks.arena.base, blocks);
}

static void forget_passing(void) {
  hp_real_memset(hp_log_passing, 0, sizeof hp_log_passing);
}

/* The first SIZE bytes of ARENA are to be those at FROM, the others up to USED zero. */
static void put_back(const struct hp_arena *arena, const uint8_t *from,
                     size_t size, size_t used) {
  if (size)
    hp_real_memcpy(arena->base, from, size);
  if (used > size)
    hp_real_memset(arena->base + size, 0, used - size);
}

void hp_log_put_back(void) {
  const struct hp_log_budgets *before = &aside.budgets;
  struct hp_log_budgets *now = &hp_log_budgets;
  const size_t points = points_size(before), blocks = blocks_size(before);
  now->total = before->total;
  if (!aside.bytes && points + blocks)
    return;
  forget_passing();
  put_back(&now->points, aside.bytes, points, points_size(now));
  put_back(&now->blocks.arena, aside.bytes + points, blocks, blocks_size(now));
  if (aside.bytes)
    hp_sys_unmap(aside.bytes, points + blocks);
  hp_real_memcpy(now->blocks.free, before->blocks.free,
                 sizeof now->blocks.free);
  now->blocks.arena.used = blocks;
}

void hp_log_budget_reset(void) {
  struct hp_arena *blocks = &hp_log_budgets.blocks.arena;
  forget_passing();
  hp_arena_end(&hp_log_budgets.points);
  hp_arena_end(blocks);
  hp_log_budgets = (struct hp_log_budgets){.points = hp_log_budgets.points,
                                           .blocks.arena = *blocks};
}

size_t hp_log_budget_memory(void) {
  return hp_log_budgets.points.committed + hp_log_budgets.blocks.arena.used;
}
