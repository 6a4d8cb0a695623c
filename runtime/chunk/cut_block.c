/* cut_block.c - see cut_block.h: taken from an arena, by powers of two, each with
   its bits and lists behind it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/cut_block.h"

#include "system/arena.h"
#include "system/memory.h"

#define BLOCKS_RESERVED ((size_t)64 << 30)
#define BLOCKS_LEAST ((size_t)1 << 20)
#define ORDER_LEAST 6u /* granules of one word of bits */
#define ORDERS (HP_CUT_LEVELS * 6u + 1u)
#define PAGE ((uintptr_t)4096)
#define PAGES_LEAST ((size_t)256 << 10) /* bytes of lists that are given back */

void (*hp_cut_end)(struct hp_thread *self, const struct hp_chunk *chunk,
                   const struct hp_caller *caller);

static struct hp_arena arena;
static struct hp_cut_block *free_blocks[ORDERS];
static struct hp_cut_block *first;

struct hp_cut_block *hp_cut_first(void) {
  return __atomic_load_n(&first, __ATOMIC_ACQUIRE);
}

/* ---- memory -------------------------------------------------------------- */

static size_t rounded(size_t bytes) {
  return (bytes + HP_CACHE_LINE - 1) & ~(size_t)(HP_CACHE_LINE - 1);
}

static uint64_t words_of(uint64_t bits) { return (bits + 63) / 64; }

static struct hp_cut_block *make(unsigned order) {
  const uint64_t granules = (uint64_t)1 << order;
  uint64_t words[HP_CUT_LEVELS];
  size_t bytes = rounded(sizeof(struct hp_cut_block));
  unsigned levels = 0;
  for (uint64_t bits = granules; !levels || bits > 1; bits = words[levels++]) {
    words[levels] = words_of(bits);
    bytes += rounded(words[levels] * sizeof(uint64_t));
  }
  bytes += rounded(granules * sizeof(uint32_t));
  if (!arena.base && !hp_arena_reserve(&arena, BLOCKS_RESERVED, BLOCKS_LEAST))
    return NULL;
  char *at = hp_arena_take(&arena, bytes);
  if (!at)
    return NULL;
  struct hp_cut_block *block = (void *)at;
  at += rounded(sizeof *block);
  block->order = order;
  block->level_count = levels;
  for (unsigned i = 0; i < levels; i++) {
    block->levels[i] = (void *)at;
    at += rounded(words[i] * sizeof(uint64_t));
  }
  block->heads = (void *)at;
  block->next = first;
  __atomic_store_n(&first, block, __ATOMIC_RELEASE);
  return block;
}

struct hp_cut_block *hp_cut_take(uintptr_t begin, uint64_t size,
                                 const struct hp_chunk *chunk) {
  unsigned order = ORDER_LEAST;
  while (order < ORDERS && (HP_CUT_GRANULE << order) < size)
    order++;
  if (order == ORDERS)
    return NULL;
  struct hp_cut_block *block = free_blocks[order];
  if (block)
    free_blocks[order] = block->next_free;
  else
    block = make(order);
  if (!block)
    return NULL;
  block->size = size;
  block->chunk = chunk;
  block->count = 0;
  block->live = block->most = block->last_end = block->since = 0;
  block->area = 0;
  __atomic_store_n(&block->begin, begin, __ATOMIC_RELEASE);
  return block;
}

/* Bits are all 0 again; a list is looked at only where one is set. */
void hp_cut_give(struct hp_cut_block *block) {
  __atomic_store_n(&block->begin, 0, __ATOMIC_RELEASE);
  const size_t bytes = sizeof(uint32_t) << block->order;
  if (bytes >= PAGES_LEAST) {
    const uintptr_t begin = ((uintptr_t)block->heads + PAGE - 1) & ~(PAGE - 1),
                    end = ((uintptr_t)block->heads + bytes) & ~(PAGE - 1);
    hp_sys_release((void *)begin, end - begin);
  }
  block->next_free = free_blocks[block->order];
  free_blocks[block->order] = block;
}

/* ---- bits ---------------------------------------------------------------- */

static uint64_t word_at(const struct hp_cut_block *block, unsigned level,
                        uint64_t i) {
  return __atomic_load_n(&block->levels[level][i], __ATOMIC_ACQUIRE);
}

static bool is_inside(const struct hp_cut_block *block, uint64_t granule) {
  return granule >> block->order == 0;
}

uint32_t hp_cut_head(const struct hp_cut_block *block, uint64_t granule) {
  if (!is_inside(block, granule) ||
      !(word_at(block, 0, granule / 64) >> granule % 64 & 1))
    return 0;
  return __atomic_load_n(&block->heads[granule], __ATOMIC_ACQUIRE);
}

static void set_bits(struct hp_cut_block *block, uint64_t at) {
  for (unsigned level = 0; level < block->level_count; level++, at /= 64) {
    uint64_t *word = &block->levels[level][at / 64];
    const uint64_t before = *word;
    __atomic_store_n(word, before | (uint64_t)1 << at % 64, __ATOMIC_RELEASE);
    if (before)
      return;
  }
}

static void clear_bits(struct hp_cut_block *block, uint64_t at) {
  for (unsigned level = 0; level < block->level_count; level++, at /= 64) {
    uint64_t *word = &block->levels[level][at / 64];
    const uint64_t after = *word & ~((uint64_t)1 << at % 64);
    __atomic_store_n(word, after, __ATOMIC_RELEASE);
    if (after)
      return;
  }
}

void hp_cut_set_head(struct hp_cut_block *block, uint64_t granule,
                     uint32_t head) {
  if (!head) {
    clear_bits(block, granule);
    return;
  }
  __atomic_store_n(&block->heads[granule], head, __ATOMIC_RELEASE);
  set_bits(block, granule);
}

static unsigned highest(uint64_t word) {
  return 63u - (unsigned)__builtin_clzll(word);
}

/* From bit AT of LEVEL down to a granule, always by the last bit, or the first.
   A word that is 0 was changed by another thread meanwhile. */
static uint64_t descend(const struct hp_cut_block *block, unsigned level,
                        uint64_t at, bool last) {
  while (level-- > 0) {
    const uint64_t word = word_at(block, level, at);
    if (!word)
      return HP_CUT_NONE;
    at = at * 64 + (last ? highest(word) : (unsigned)__builtin_ctzll(word));
  }
  return at;
}

uint64_t hp_cut_before(const struct hp_cut_block *block, uint64_t granule) {
  uint64_t end =
      is_inside(block, granule) ? granule + 1 : (uint64_t)1 << block->order;
  for (unsigned level = 0; level < block->level_count && end; level++) {
    const uint64_t at = end - 1;
    const uint64_t word =
        word_at(block, level, at / 64) & UINT64_MAX >> (63 - at % 64);
    if (word)
      return descend(block, level, at / 64 * 64 + highest(word), true);
    end = at / 64; /* words below this one */
  }
  return HP_CUT_NONE;
}

uint64_t hp_cut_after(const struct hp_cut_block *block, uint64_t granule) {
  uint64_t bits = (uint64_t)1 << block->order, at = granule;
  for (unsigned level = 0; level < block->level_count && at < bits;
       level++, at = at / 64 + 1, bits = words_of(bits)) {
    const uint64_t word =
        word_at(block, level, at / 64) & ~(((uint64_t)1 << at % 64) - 1);
    if (word)
      return descend(block, level,
                     at / 64 * 64 + (unsigned)__builtin_ctzll(word), false);
  }
  return HP_CUT_NONE;
}
