/* log_budget.c - see log_budget.h: what is seldom done with budgets.
   They grow with the number of points.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log_budget.h"

#include "system/memory.h"
#include "system/real_libc.h"

struct hp_log_budgets hp_log_budgets;

#define BLOCKS_RESERVED ((size_t)1 << 36)
#define LEAST_RESERVED ((size_t)1 << 20)

/* Bytes kept, of an arena. */
struct kept {
  void *bytes; /* NULL: none */
  size_t size;
};
static struct {
  struct hp_log_budget total;
  struct hp_pool blocks;
  struct kept of_points, of_blocks;
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

HP_NOINLINE bool hp_log_add_budget(struct hp_log_budgets_of *of, unsigned bit) {
  const unsigned count = (unsigned)__builtin_popcount(of->budgeted),
                 before = hp_log_budgets_before(of, bit);
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

HP_NOINLINE void hp_log_get_coarser(struct hp_log_budget *budget) {
  budget->kept = 0;
  if (budget->coarseness < HP_LOG_COARSEST)
    budget->coarseness = (budget->coarseness + 1u) & 31;
}

static void keep(struct kept *kept, const struct hp_arena *arena, size_t size) {
  *kept = (struct kept){.bytes = size ? hp_sys_map(size) : NULL, .size = size};
  if (kept->bytes)
    hp_real_memcpy(kept->bytes, arena->base, size);
}

/* USED: bytes that may be other ones by now. */
static void put_back(const struct kept *kept, const struct hp_arena *arena,
                     size_t used) {
  if (kept->bytes) {
    hp_real_memcpy(arena->base, kept->bytes, kept->size);
    hp_sys_unmap(kept->bytes, kept->size);
  }
  if (used > kept->size)
    hp_real_memset(arena->base + kept->size, 0, used - kept->size);
}

void hp_log_set_aside(void) {
  const struct hp_arena *points = &hp_log_budgets.points;
  aside.total = hp_log_budgets.total;
  aside.blocks = hp_log_budgets.blocks;
  keep(&aside.of_points, points, points->committed);
  keep(&aside.of_blocks, &aside.blocks.arena, aside.blocks.arena.used);
}

/* Both or none: the ones name the others. */
static bool has_both(void) {
  return (aside.of_points.bytes || !aside.of_points.size) &&
         (aside.of_blocks.bytes || !aside.of_blocks.size);
}

static void drop(const struct kept *kept) {
  if (kept->bytes)
    hp_sys_unmap(kept->bytes, kept->size);
}

void hp_log_put_back(void) {
  struct hp_pool *blocks = &hp_log_budgets.blocks;
  hp_log_budgets.total = aside.total;
  if (!has_both()) {
    drop(&aside.of_points);
    drop(&aside.of_blocks);
    return;
  }
  put_back(&aside.of_points, &hp_log_budgets.points,
           hp_log_budgets.points.committed);
  put_back(&aside.of_blocks, &blocks->arena, blocks->arena.used);
  hp_real_memcpy(blocks->free, aside.blocks.free, sizeof blocks->free);
  blocks->arena.used = aside.blocks.arena.used;
}

void hp_log_budget_reset(void) {
  struct hp_arena *blocks = &hp_log_budgets.blocks.arena;
  hp_arena_end(&hp_log_budgets.points);
  hp_arena_end(blocks);
  hp_log_budgets = (struct hp_log_budgets){.points = hp_log_budgets.points,
                                           .blocks.arena = *blocks};
}

size_t hp_log_budget_memory(void) {
  return hp_log_budgets.points.committed + hp_log_budgets.blocks.arena.used;
}
