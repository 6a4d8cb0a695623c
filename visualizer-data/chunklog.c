/* chunklog.c - decodes and sorts the chunk log.
   A run's count is bounded by the bytes its chunks must take at least.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunklog.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* How a column is coded; the letters of heapprof_format.def. */
enum column_code { U, D, Z };

static const enum column_code column_codes[HP_COLUMN_COUNT] = {
#define HP_CHUNK_COLUMN(name, code, text) code,
#include "heapprof_format.def"
};

static const char *const column_names[HP_COLUMN_COUNT] = {
#define HP_CHUNK_COLUMN(name, code, text) #name,
#include "heapprof_format.def"
};

static bool reserve(struct hp_chunks *chunks, size_t more) {
  if (more <= chunks->capacity - chunks->count)
    return true;
  size_t capacity = chunks->capacity * 2;
  if (capacity < chunks->count + more)
    capacity = chunks->count + more;
  struct hp_chunk_log *items =
      reallocarray(chunks->items, capacity, sizeof *items);
  if (!items)
    return false;
  chunks->items = items;
  chunks->capacity = capacity;
  return true;
}

/* Reads one chunk's columns; those of CODE D are summed up in COLUMNS, which
   holds the chunk before it. */
static bool take_columns(struct hp_cursor *at, uint64_t width,
                         uint64_t columns[HP_COLUMN_COUNT]) {
  for (size_t i = 0; i < HP_COLUMN_COUNT; i++) {
    uint64_t value;
    if (!hp_take_varint(at, &value))
      return false;
    switch (column_codes[i]) {
    case U:
      columns[i] = value;
      break;
    case D:
      columns[i] += (uint64_t)hp_unzigzag(value);
      break;
    case Z:
      columns[i] = (uint64_t)hp_unzigzag(value);
      break;
    }
  }
  for (uint64_t i = HP_COLUMN_COUNT; i < width; i++) {
    uint64_t skipped;
    if (!hp_take_varint(at, &skipped))
      return false;
  }
  return true;
}

/* Turns columns into a chunk; returns the column that cannot be, or
   HP_COLUMN_COUNT.  No clock runs for 2^63 ticks, so that a time beyond is one
   before the window's start. */
static size_t chunk_from_columns(const uint64_t columns[HP_COLUMN_COUNT],
                                 struct hp_chunk_log *chunk) {
  chunk->t0 = columns[HP_COLUMN_t0];
  chunk->t1 = chunk->t0 + columns[HP_COLUMN_life];
  chunk->size = columns[HP_COLUMN_size];
  chunk->lo = columns[HP_COLUMN_lo];
  chunk->hi = chunk->lo + columns[HP_COLUMN_span];
  chunk->reads = columns[HP_COLUMN_reads];
  chunk->writes = columns[HP_COLUMN_writes];
  chunk->flags = (uint32_t)columns[HP_COLUMN_flags];
  chunk->thread = (uint32_t)columns[HP_COLUMN_thread];
  chunk->free_thread = (uint32_t)columns[HP_COLUMN_free_thread];
  chunk->free_pc = columns[HP_COLUMN_free_pc];
  chunk->first = chunk->last = 0;
  if (chunk->t0 > INT64_MAX)
    return HP_COLUMN_t0;
  if (chunk->t1 > INT64_MAX)
    return HP_COLUMN_life;
  if (chunk->reads || chunk->writes) {
    chunk->first = chunk->t0 + columns[HP_COLUMN_first];
    chunk->last = chunk->first + columns[HP_COLUMN_last];
    if (chunk->first > INT64_MAX)
      return HP_COLUMN_first;
    if (chunk->last > INT64_MAX)
      return HP_COLUMN_last;
  }
  if (chunk->hi < chunk->lo)
    return HP_COLUMN_span;
  if (columns[HP_COLUMN_thread] > UINT32_MAX)
    return HP_COLUMN_thread;
  if (columns[HP_COLUMN_free_thread] > UINT32_MAX)
    return HP_COLUMN_free_thread;
  return HP_COLUMN_COUNT;
}

#define FAIL(text, ...)                                                        \
  hp_fail(error, HP_E_CORRUPT, "%s: offset %" PRIu64 ": " text, file,          \
          block->offset, __VA_ARGS__)

static hp_status take_run(const struct hp_block *block, const char *file,
                          struct hp_cursor *at, uint64_t width,
                          hp_chunks_of *chunks_of, void *context,
                          uint64_t *items, struct hp_error *error) {
  uint64_t point, count;
  if (!hp_take_varint(at, &point) || !hp_take_varint(at, &count))
    return FAIL("block ends inside a run's head (%s)", "wrong lengths");
  if (count > hp_left(at) / width)
    return FAIL("run of %" PRIu64 " chunks does not fit its block", count);
  *items += count;
  if (count == 0)
    return HP_OK;
  struct hp_chunks *chunks = chunks_of(context, point);
  if (!chunks)
    return FAIL("chunks of allocation point %" PRIu64
                ", which the points file does not have",
                point);
  if (!reserve(chunks, (size_t)count))
    return hp_fail_memory(error);
  uint64_t columns[HP_COLUMN_COUNT] = {0};
  for (uint64_t i = 0; i < count; i++) {
    struct hp_chunk_log *chunk = &chunks->items[chunks->count];
    if (!take_columns(at, width, columns))
      return FAIL("block ends inside a chunk (%s)", "wrong lengths");
    size_t wrong = chunk_from_columns(columns, chunk);
    if (wrong != HP_COLUMN_COUNT)
      return FAIL("chunk %" PRIu64 " of a run: impossible value of %s", i,
                  column_names[wrong]);
    chunk->point = (uint32_t)point;
    chunks->count++;
  }
  return HP_OK;
}

hp_status hp_chunklog_decode(const struct hp_block *block, const char *file,
                             hp_chunks_of *chunks_of, void *context,
                             struct hp_error *error) {
  struct hp_cursor at = block->payload;
  uint64_t width, items = 0;
  if (!hp_take_varint(&at, &width))
    return FAIL("no count of columns (%s)", "empty block");
  if (width < HP_COLUMN_COUNT)
    return FAIL("%" PRIu64 " columns instead of at least %u", width,
                (unsigned)HP_COLUMN_COUNT);
  while (at.at != at.end)
    HP_TRY(
        take_run(block, file, &at, width, chunks_of, context, &items, error));
  if (items != block->items)
    return FAIL("%" PRIu64 " chunks instead of %" PRIu32, items, block->items);
  return HP_OK;
}

static bool in_order(const struct hp_chunk_log *a,
                     const struct hp_chunk_log *b) {
  return a->t0 < b->t0 || (a->t0 == b->t0 && a->thread <= b->thread);
}

static void merge(const struct hp_chunk_log *a, const struct hp_chunk_log *mid,
                  const struct hp_chunk_log *end, struct hp_chunk_log *to) {
  const struct hp_chunk_log *b = mid;
  while (a < mid && b < end)
    *to++ = in_order(a, b) ? *a++ : *b++;
  memcpy(to, a, (size_t)(mid - a) * sizeof *a);
  memcpy(to + (mid - a), b, (size_t)(end - b) * sizeof *b);
}

/* Bottom-up merge sort: stable, which qsort is not, and no deeper for hostile
   input.  Most points are in order already and cost one pass. */
hp_status hp_chunks_sort(struct hp_chunks *chunks, struct hp_error *error) {
  size_t n = chunks->count, sorted = 1;
  while (sorted < n &&
         in_order(&chunks->items[sorted - 1], &chunks->items[sorted]))
    sorted++;
  if (sorted >= n)
    return HP_OK;
  struct hp_chunk_log *from = chunks->items;
  struct hp_chunk_log *to = reallocarray(NULL, n, sizeof *to);
  if (!to)
    return hp_fail_memory(error);
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t i = 0; i < n; i += 2 * width) {
      size_t mid = i + width < n ? i + width : n;
      size_t end = i + 2 * width < n ? i + 2 * width : n;
      merge(from + i, from + mid, from + end, to + i);
    }
    struct hp_chunk_log *other = from;
    from = to;
    to = other;
  }
  free(to);
  chunks->items = from;
  chunks->capacity = n;
  return HP_OK;
}
