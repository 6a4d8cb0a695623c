/* page_sample.c - see page_sample.h: two countdowns of each thread, and one
   number for all.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/page_sample.h"

#include "chunk/request.h"
#include "page_measure.h"
#include "system/limit.h"

#define FIRST 256u   /* allocations of a thread */
#define EACH 8u      /* of these */
#define GAP_MAX 256u /* timed calls from one to the next */
#define LIVE_LEAST 32u
#define LIVE_MOST 1024u
#define HEAP_EACH ((uint64_t)512 << 10)

static uint32_t live;

/* What the heap has for small chunks. */
static uint64_t heap_bytes(void) {
  uint64_t bytes = 0;
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++)
    bytes += hp_primary_bytes(c, HP_PROFILED);
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++)
    bytes += hp_primary_bytes(c, HP_BARE);
  return bytes;
}

static bool has_room(void) {
  const uint64_t most = LIVE_LEAST + heap_bytes() / HEAP_EACH;
  const uint32_t now = __atomic_load_n(&live, __ATOMIC_RELAXED);
  return now < (most < LIVE_MOST ? most : LIVE_MOST);
}

/* page_asked counts allocations, and from FIRST on no more. */
static bool is_chosen(struct hp_thread *self) {
  if (self->page_asked >= FIRST) {
    self->small_max = HP_SMALL_MAX;
    return true;
  }
  if (++self->page_asked == FIRST)
    self->small_max = HP_SMALL_MAX;
  return self->page_asked * 0x9e3779b1u < UINT32_MAX / EACH; /* in no step */
}

struct hp_chunk *hp_page_sample_take(struct hp_thread *self, size_t size,
                                     size_t alignment) {
  if (HP_LIKELY(hp_access_hooked) || hp_options.addresses) {
    self->small_max = HP_SMALL_MAX;
    return NULL;
  }
  if (self->small_max || size == 0 || size >= HP_PAGE_CHUNK_MIN ||
      alignment > HP_PAGE || !hp_recording || !is_chosen(self) ||
      hp_memory_is_limited() || !has_room())
    return NULL;
  struct hp_chunk *chunk = hp_secondary_take(size, HP_APART_FRONT, HP_PROFILED);
  if (!chunk)
    return NULL;
  hp_secondary_cool(chunk, HP_PROFILED);
  __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  return chunk;
}

void hp_page_sample_give(uint64_t word) {
  if (hp_is_apart(word))
    __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
}

/* After as many calls as came so far, divided by 64. */
void hp_page_sample_tick(struct hp_thread *self) {
  if (self->page_asked < FIRST || hp_access_hooked)
    return;
  const uint32_t ticks = ++self->page_asked - FIRST;
  if (self->page_gap && --self->page_gap)
    return;
  const uint32_t gap = ticks / 64 + 1;
  self->page_gap = gap < GAP_MAX ? gap : GAP_MAX;
  self->small_max = 0;
}
