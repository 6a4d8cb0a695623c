/* log.c - blocks of ended chunks in one list, which grows at its end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "log.h"

#include "sanitizer_binding.h"

#define BLOCK_BYTES ((size_t)64 << 10)
#define BLOCK_CHUNKS                                                           \
  ((uint32_t)((BLOCK_BYTES - sizeof(struct hp_log_block)) /                    \
              sizeof(struct hp_chunk_log)))

_Static_assert(sizeof(struct hp_log_block) == 16, "chunks stay aligned");
_Static_assert(BLOCK_CHUNKS == 630, "104 bytes a chunk");

static struct hp_log_block *oldest, *newest;
static uint64_t dropped;

static HP_COLD struct hp_log_block *new_block(void) {
  struct hp_log_block *block = hp_sys_map(BLOCK_BYTES);
  if (!block)
    return NULL;
  block->capacity = BLOCK_CHUNKS;
  if (newest)
    newest->next = block;
  else
    oldest = block;
  newest = block;
  return block;
}

void hp_log_append(const struct hp_chunk_log *chunk) {
  struct hp_log_block *block = newest;
  if (HP_UNLIKELY(!block || block->count == block->capacity)) {
    block = new_block();
    if (!block) {
      dropped++;
      return;
    }
  }
  block->chunks[block->count++] = *chunk;
}

void hp_log_each(void (*each)(const struct hp_log_block *block, void *arg),
                 void *arg) {
  for (const struct hp_log_block *block = oldest; block; block = block->next)
    if (block->count)
      each(block, arg);
}

uint64_t hp_log_dropped(void) { return dropped; }

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
