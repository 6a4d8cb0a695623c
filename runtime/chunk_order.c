/* chunk_order.c - a counting sort by point, then merge sorts inside.
   Many points need none: a thread's chunks often end in their order.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk_order.h"

#include "log.h"
#include "point.h"
#include "sanitizer_binding.h"

#define LIVE_BLOCK_BYTES ((size_t)1 << 20)

/* A row of chunks as they were when the dump began; a thread that still ends
   chunks does not change it. */
struct span {
  const struct hp_chunk_log *chunks;
  uint32_t count;
  uint32_t owned; /* 1: a block of live chunks, of LIVE_BLOCK_BYTES */
};

static struct span *spans(const struct hp_chunk_order *order, size_t *count) {
  *count = order->spans.size / sizeof(struct span);
  return (struct span *)(void *)order->spans.data;
}

static void note_block(const struct hp_log_block *block, void *arg) {
  struct hp_chunk_order *order = arg;
  struct span span = {.chunks = block->chunks,
                      .count =
                          __atomic_load_n(&block->count, __ATOMIC_ACQUIRE)};
  hp_put_bytes(&order->spans, &span, sizeof span);
}

/* The block of live chunks with room for one more; NULL without memory. */
static struct span *live_block(struct hp_chunk_order *order) {
  size_t count;
  struct span *span = spans(order, &count);
  if (count && span[count - 1].owned &&
      span[count - 1].count < LIVE_BLOCK_BYTES / sizeof(struct hp_chunk_log))
    return &span[count - 1];
  struct span added = {.owned = 1};
  if (!hp_bytes_reserve(&order->spans, sizeof added))
    return NULL;
  added.chunks = hp_sys_map(LIVE_BLOCK_BYTES);
  if (!added.chunks)
    return NULL;
  hp_put_bytes(&order->spans, &added, sizeof added);
  span = spans(order, &count);
  return &span[count - 1];
}

static void note_live(const struct hp_chunk_log *chunk, void *arg) {
  struct hp_chunk_order *order = arg;
  struct span *span = live_block(order);
  if (!span) {
    order->lost_live++;
    return;
  }
  /* Const for the log's blocks, but this block is the order's own. */
  struct hp_chunk_log *to = (struct hp_chunk_log *)(uintptr_t)span->chunks;
  to[span->count++] = *chunk;
}

static bool before(const struct hp_chunk_reference *a,
                   const struct hp_chunk_reference *b) {
  if (a->t0 != b->t0)
    return a->t0 < b->t0;
  return a->chunk->thread < b->chunk->thread;
}

static bool is_ascending(const struct hp_chunk_reference *r, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (before(&r[i], &r[i - 1]))
      return false;
  return true;
}

/* Stable, so that equal keys keep the order of the log.  Uses SCRATCH[count].
 */
static void merge_sort(struct hp_chunk_reference *r, size_t count,
                       struct hp_chunk_reference *scratch) {
  struct hp_chunk_reference *from = r, *to = scratch;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t low = 0; low < count; low += 2 * width) {
      size_t middle = low + width < count ? low + width : count;
      size_t high = middle + width < count ? middle + width : count;
      size_t a = low, b = middle;
      for (size_t i = low; i < high; i++)
        to[i] = b == high || (a < middle && !before(&from[b], &from[a]))
                    ? from[a++]
                    : from[b++];
    }
    struct hp_chunk_reference *swap = from;
    from = to;
    to = swap;
  }
  if (from != r)
    hp_real_memcpy(r, from, count * sizeof *r);
}

/* One past the end of memory for COUNT items is never mapped: 0 bytes is one.
 */
static void *map_array(size_t count, size_t item, size_t *bytes) {
  if (__builtin_mul_overflow(count ? count : 1, item, bytes))
    return NULL;
  return hp_sys_map(*bytes);
}

static uint32_t point_of(const struct hp_chunk_order *order,
                         const struct hp_chunk_log *chunk) {
  return chunk->point <= order->points ? chunk->point : 0;
}

static void place_by_point(struct hp_chunk_order *order) {
  size_t span_count;
  struct span *span = spans(order, &span_count);
  /* starts[p + 1] counts down from the end of point p to its start. */
  for (uint32_t p = 0; p <= order->points; p++)
    order->starts[p + 1] += order->starts[p];
  for (size_t s = span_count; s-- > 0;)
    for (uint32_t i = span[s].count; i-- > 0;) {
      const struct hp_chunk_log *chunk = &span[s].chunks[i];
      size_t at = --order->starts[point_of(order, chunk) + 1];
      order->references[at] =
          (struct hp_chunk_reference){.t0 = chunk->t0, .chunk = chunk};
    }
  for (uint32_t p = 0; p <= order->points; p++)
    order->starts[p] = order->starts[p + 1];
  order->starts[order->points + 1] = order->count;
}

/* Counts into starts[p + 1]; the largest number of chunks of one point. */
static size_t count_by_point(struct hp_chunk_order *order) {
  size_t span_count;
  uint64_t most = 0;
  struct span *span = spans(order, &span_count);
  for (size_t s = 0; s < span_count; s++) {
    order->count += span[s].count;
    for (uint32_t i = 0; i < span[s].count; i++) {
      uint64_t *of = &order->starts[point_of(order, &span[s].chunks[i]) + 1];
      if (++*of > most)
        most = *of;
    }
  }
  return most;
}

static bool sort_points(struct hp_chunk_order *order, size_t most) {
  struct hp_chunk_reference *scratch = NULL;
  size_t scratch_size = 0;
  for (uint32_t p = 0; p <= order->points; p++) {
    struct hp_chunk_reference *r = order->references + order->starts[p];
    size_t count = order->starts[p + 1] - order->starts[p];
    if (is_ascending(r, count))
      continue;
    if (!scratch)
      scratch = map_array(most, sizeof *scratch, &scratch_size);
    if (!scratch)
      return false;
    merge_sort(r, count, scratch);
  }
  if (scratch)
    hp_sys_unmap(scratch, scratch_size);
  return true;
}

bool hp_chunk_order_make(struct hp_chunk_order *order, uint64_t end,
                         hp_live_iterator *each_live) {
  hp_log_each(note_block, order);
  if (order->spans.failed)
    return false;
  each_live(end, note_live, order);
  order->points = hp_point_count();
  order->starts = map_array((size_t)order->points + 2, sizeof *order->starts,
                            &order->starts_size);
  if (!order->starts)
    return false;
  size_t most = count_by_point(order);
  order->references = map_array(order->count, sizeof *order->references,
                                &order->references_size);
  if (!order->references)
    return false;
  place_by_point(order);
  return sort_points(order, most);
}

void hp_chunk_order_free(struct hp_chunk_order *order) {
  size_t span_count;
  struct span *span = spans(order, &span_count);
  for (size_t s = 0; s < span_count; s++)
    if (span[s].owned)
      hp_sys_unmap((void *)(uintptr_t)span[s].chunks, LIVE_BLOCK_BYTES);
  hp_bytes_free(&order->spans);
  if (order->starts)
    hp_sys_unmap(order->starts, order->starts_size);
  if (order->references)
    hp_sys_unmap(order->references, order->references_size);
  *order = (struct hp_chunk_order){0};
}
