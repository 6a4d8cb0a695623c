/* log.c - blocks of ended chunks: one filled by each thread, one list.
   The list grows at its end only, so that the dump reads it without a lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "log.h"

#include "sanitizer_binding.h"

#define BLOCK_BYTES ((size_t)64 << 10)
#define BLOCK_CHUNKS                                                           \
  ((uint32_t)((BLOCK_BYTES - sizeof(struct hp_log_block)) /                    \
              sizeof(struct hp_chunk_log)))

_Static_assert(sizeof(struct hp_log_block) == 16, "chunks stay aligned");
_Static_assert(BLOCK_CHUNKS == 682, "96 bytes a chunk");

static struct hp_lock lock;
static struct hp_log_block *oldest, *newest;
static uint64_t dropped;

static HP_COLD struct hp_log_block *new_block(void) {
  struct hp_log_block *block = hp_sys_map(BLOCK_BYTES);
  if (!block)
    return NULL;
  block->capacity = BLOCK_CHUNKS;
  hp_lock_take(&lock);
  /* Appended, not put in front: a thread's blocks then stand in the order of
     time, and the dump's sort finds long ascending runs. */
  __atomic_store_n(newest ? &newest->next : &oldest, block, __ATOMIC_RELEASE);
  newest = block;
  hp_lock_release(&lock);
  return block;
}

void hp_log_append(struct hp_log_block **block,
                   const struct hp_chunk_log *chunk) {
  struct hp_log_block *mine = *block;
  if (HP_UNLIKELY(!mine || mine->count == mine->capacity)) {
    mine = new_block();
    if (!mine) {
      __atomic_fetch_add(&dropped, 1, __ATOMIC_RELAXED);
      return;
    }
    *block = mine;
  }
  mine->chunks[mine->count] = *chunk;
  __atomic_store_n(&mine->count, mine->count + 1, __ATOMIC_RELEASE);
}

void hp_log_each(void (*each)(const struct hp_log_block *block, void *arg),
                 void *arg) {
  const struct hp_log_block *block = __atomic_load_n(&oldest, __ATOMIC_ACQUIRE);
  while (block) {
    if (__atomic_load_n(&block->count, __ATOMIC_ACQUIRE))
      each(block, arg);
    block = __atomic_load_n(&block->next, __ATOMIC_ACQUIRE);
  }
}

uint64_t hp_log_dropped(void) {
  return __atomic_load_n(&dropped, __ATOMIC_RELAXED);
}

void hp_log_lock(void) { hp_lock_take(&lock); }
void hp_log_unlock(void) { hp_lock_release(&lock); }

void hp_log_reset(void) {
  struct hp_log_block *block = oldest;
  while (block) {
    struct hp_log_block *next = block->next;
    hp_sys_unmap(block, BLOCK_BYTES);
    block = next;
  }
  oldest = newest = NULL;
  dropped = 0;
}
