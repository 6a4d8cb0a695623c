/* chunklog.c - decodes the chunk log.
   Counts are bounded by the bytes that runs and chunks must take at least.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/chunklog.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/failure.h"

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

/* A block while it is decoded: values[c * items + i] is column c of chunk i. */
struct run {
  uint64_t point, count, weight;
};
struct columns {
  struct run *runs;
  uint64_t *values;
  size_t run_count, items;
  uint64_t width; /* columns in the block */
};

static void free_columns(struct columns *columns) {
  free(columns->runs);
  free(columns->values);
}

#define FAIL(text, ...)                                                        \
  hp_fail(error, HP_E_CORRUPT, "%s: offset %" PRIu64 ": " text, file,          \
          block->offset, __VA_ARGS__)

static hp_status take_runs(const struct hp_block *block, const char *file,
                           struct hp_cursor *at, struct columns *columns,
                           struct hp_error *error) {
  uint64_t runs;
  if (!hp_take_varint(at, &columns->width))
    return FAIL("no count of columns (%s)", "empty block");
  if (columns->width < HP_COLUMNS_LEAST)
    return FAIL("%" PRIu64 " columns instead of at least %u", columns->width,
                (unsigned)HP_COLUMNS_LEAST);
  if (!hp_take_varint(at, &runs) || runs > hp_left(at) / 3)
    return FAIL("its runs do not fit the block (%s)", "wrong lengths");
  columns->runs = reallocarray(NULL, runs + 1, sizeof *columns->runs);
  if (!columns->runs)
    return hp_fail_memory(error);
  columns->run_count = (size_t)runs;
  for (size_t i = 0; i < runs; i++) {
    struct run *run = &columns->runs[i];
    if (!hp_take_varint(at, &run->point) || !hp_take_varint(at, &run->count) ||
        !hp_take_varint(at, &run->weight))
      return FAIL("block ends inside a run's head (%s)", "wrong lengths");
    if (run->count > (uint64_t)block->items - columns->items)
      return FAIL("run of %" PRIu64 " chunks in a block of %" PRIu32,
                  run->count, block->items);
    if (run->weight == 0 || run->weight > UINT32_MAX)
      return FAIL("run %zu: impossible weight %" PRIu64, i, run->weight);
    columns->items += (size_t)run->count;
  }
  if (columns->items != block->items)
    return FAIL("%zu chunks instead of %" PRIu32, columns->items, block->items);
  if (columns->items && columns->width > hp_left(at) / columns->items)
    return FAIL("%zu chunks do not fit the block", columns->items);
  return HP_OK;
}

/* The varints of one column, decoded to TO. */
static bool take_column(struct hp_cursor *at, const struct columns *columns,
                        enum column_code code, uint64_t *to) {
  for (size_t r = 0; r < columns->run_count; r++) {
    uint64_t before = 0;
    for (uint64_t i = 0; i < columns->runs[r].count; i++) {
      uint64_t value;
      if (!hp_take_varint(at, &value))
        return false;
      if (code != U)
        value = (uint64_t)hp_unzigzag(value);
      if (code == D)
        value = before += value;
      *to++ = value;
    }
  }
  return true;
}

static hp_status take_columns(const struct hp_block *block, const char *file,
                              struct hp_cursor *at, struct columns *columns,
                              struct hp_error *error) {
  size_t items = columns->items;
  columns->values =
      calloc(items * HP_COLUMN_COUNT + 1, sizeof *columns->values);
  if (!columns->values)
    return hp_fail_memory(error);
  for (size_t c = 0; c < HP_COLUMN_COUNT && c < columns->width; c++)
    if (!take_column(at, columns, column_codes[c], columns->values + c * items))
      return FAIL("block ends inside the column %s", column_names[c]);
  for (uint64_t c = HP_COLUMN_COUNT; items && c < columns->width; c++)
    for (size_t i = 0; i < items; i++) {
      uint64_t skipped;
      if (!hp_take_varint(at, &skipped))
        return FAIL("block ends inside column %" PRIu64, c);
    }
  if (at->at != at->end)
    return FAIL("%zu bytes behind the last column", hp_left(at));
  return HP_OK;
}

/* Turns the columns of chunk I into a chunk; returns the column that cannot be,
   or HP_COLUMN_COUNT.  No clock runs for 2^63 ticks, so that a time beyond is
   one before the window's start. */
static size_t chunk_from_columns(const struct columns *columns, size_t i,
                                 struct hp_chunk_log *chunk) {
#define COLUMN(name)                                                           \
  (columns->values[(size_t)HP_COLUMN_##name * columns->items + i])
  chunk->t0 = COLUMN(t0);
  chunk->t1 = chunk->t0 + COLUMN(life);
  chunk->size = COLUMN(size);
  chunk->lo = COLUMN(lo);
  chunk->hi = chunk->lo + COLUMN(span);
  chunk->reads = COLUMN(reads);
  chunk->writes = COLUMN(writes);
  chunk->flags = (uint32_t)COLUMN(flags);
  chunk->thread = (uint32_t)COLUMN(thread);
  chunk->free_thread = (uint32_t)COLUMN(free_thread);
  chunk->free_pc = COLUMN(free_pc);
  chunk->step = (uint32_t)COLUMN(step);
  chunk->address = COLUMN(address);
  chunk->chain_first = COLUMN(chain_first);
  chunk->chain_bytes = COLUMN(chain_bytes);
  chunk->chain_copied = COLUMN(chain_copied);
  chunk->copied = COLUMN(copied);
  chunk->chain_length = (uint32_t)(COLUMN(chain) / 4);
  chunk->chain_kind = COLUMN(chain) % 4;
  chunk->first = chunk->last = 0;
  if (chunk->t0 > INT64_MAX)
    return HP_COLUMN_t0;
  if (chunk->t1 > INT64_MAX)
    return HP_COLUMN_life;
  if (chunk->reads || chunk->writes) {
    chunk->first = chunk->t0 + COLUMN(first);
    chunk->last = chunk->first + COLUMN(last);
    if (chunk->first > INT64_MAX)
      return HP_COLUMN_first;
    if (chunk->last > INT64_MAX)
      return HP_COLUMN_last;
  }
  if (chunk->hi < chunk->lo)
    return HP_COLUMN_span;
  if (COLUMN(thread) > UINT32_MAX)
    return HP_COLUMN_thread;
  if (COLUMN(free_thread) > UINT32_MAX)
    return HP_COLUMN_free_thread;
  if (COLUMN(step) > UINT32_MAX)
    return HP_COLUMN_step;
  if (COLUMN(chain) / 4 > UINT32_MAX || chunk->chain_kind >= HP_CHAIN_COUNT)
    return HP_COLUMN_chain;
  return HP_COLUMN_COUNT;
#undef COLUMN
}

static hp_status take_chunks(const struct hp_block *block, const char *file,
                             const struct columns *columns,
                             hp_chunks_of *chunks_of, void *context,
                             struct hp_error *error) {
  size_t item = 0;
  for (size_t r = 0; r < columns->run_count; r++) {
    const struct run *run = &columns->runs[r];
    if (run->count == 0)
      continue;
    struct hp_chunks *chunks = chunks_of(context, run->point);
    if (!chunks)
      return FAIL("chunks of allocation point %" PRIu64
                  ", which the points file does not have",
                  run->point);
    for (uint64_t i = 0; i < run->count; i++, item++) {
      struct hp_chunk_log chunk;
      size_t wrong = chunk_from_columns(columns, item, &chunk);
      if (wrong != HP_COLUMN_COUNT)
        return FAIL("chunk %" PRIu64 " of a run: impossible value of %s", i,
                    column_names[wrong]);
      chunk.weight = (uint32_t)run->weight;
      if (!hp_chunks_add(chunks, &chunk))
        return hp_fail_memory(error);
    }
  }
  return HP_OK;
}

hp_status hp_chunklog_decode(const struct hp_block *block, const char *file,
                             hp_chunks_of *chunks_of, void *context,
                             struct hp_error *error) {
  struct hp_cursor at = block->payload;
  struct columns columns = {0};
  hp_status status = take_runs(block, file, &at, &columns, error);
  if (status == HP_OK)
    status = take_columns(block, file, &at, &columns, error);
  if (status == HP_OK)
    status = take_chunks(block, file, &columns, chunks_of, context, error);
  free_columns(&columns);
  return status;
}
