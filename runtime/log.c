/* log.c - see log.h: a budget, a buffer, and blocks of columns.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "log.h"

#include "arena.h"
#include "block_writer.h"
#include "chunk_columns.h"
#include "chunk_order.h"
#include "dump.h"
#include "options.h"
#include "sanitizer_binding.h"

#define BLOCK_CHUNKS 4096u /* chunks in the buffer, and in a block */
#define LEAST_STEP 16u     /* chunks kept before thinning gets coarser again */
#define COARSEST 31u

_Static_assert(BLOCK_CHUNKS *(HP_CHUNK_ENCODED_MAX + HP_RUN_ENCODED_MAX) <
                   HP_BLOCK_RAW_MAX,
               "a block of chunks fits");

/* How far a point, or all together, has got in its budget.
     +0   u32 skip    chunks to leave out before the next that is kept
     +4   u32 kept    chunks kept since it got coarser                     */
struct budget {
  uint32_t skip;
  uint32_t kept : 27;
  uint32_t coarseness : 5; /* every 2^coarseness-th chunk is kept */
};
_Static_assert(sizeof(struct budget) == 8, "8 bytes a point");

/* What is written at once; mapped with the first chunk. */
struct buffer {
  struct hp_chunk_log chunks[BLOCK_CHUNKS]; /* as they came */
  struct hp_chunk_log sorted[BLOCK_CHUNKS];
  uint32_t weights[BLOCK_CHUNKS]; /* as they came */
  struct hp_chunk_reference order[BLOCK_CHUNKS], scratch[BLOCK_CHUNKS];
  struct hp_chunk_run runs[BLOCK_CHUNKS];
};

static struct {
  struct buffer *buffer;
  size_t count; /* in the buffer */
  struct hp_bytes payload;
  struct hp_arena budgets; /* struct budget [], by point */
  struct budget total;
  struct hp_log_counts counts;
} chunk_log;

static struct {
  struct budget total;
  struct hp_log_counts counts;
  void *budgets; /* `size` bytes; NULL: none */
  size_t size;
} aside;

/* ---- budget
 * ---------------------------------------------------------------------- */

static struct budget *budget_of(uint32_t point) {
  struct hp_arena *arena = &chunk_log.budgets;
  if (!arena->base &&
      !hp_arena_reserve(arena, (size_t)1 << 35, (size_t)1 << 20))
    return NULL;
  if (!hp_arena_commit(arena, ((size_t)point + 1) * sizeof(struct budget)))
    return NULL;
  return (struct budget *)(void *)arena->base + point;
}

/* One more was kept; MOST may be kept at first. */
static void spend(struct budget *budget, uint64_t most) {
  uint64_t step = most / 4 > LEAST_STEP ? most / 4 : LEAST_STEP;
  uint64_t limit = budget->coarseness ? step : most;
  if (++budget->kept < limit && budget->kept < (1u << 27) - 1)
    return;
  budget->kept = 0;
  if (budget->coarseness < COARSEST)
    budget->coarseness++;
}

/* For how many chunks of its point the next one stands; 0: it is left out. */
static uint32_t weigh(uint32_t point) {
  switch (hp_options.chunk_log[0]) {
  case 'a': /* all */
    return 1;
  case 'n': /* none */
    return 0;
  }
  struct budget *budget = budget_of(point);
  if (!budget)
    return 0;
  if (budget->skip) {
    budget->skip--;
    return 0;
  }
  unsigned coarseness = budget->coarseness > chunk_log.total.coarseness
                            ? budget->coarseness
                            : chunk_log.total.coarseness;
  budget->skip = (1u << coarseness) - 1;
  spend(budget, hp_options.chunk_log_point);
  spend(&chunk_log.total, hp_options.chunk_log_total);
  return 1u << coarseness;
}

/* ---- blocks
 * ---------------------------------------------------------------------- */

static void sort_buffer(struct buffer *buffer) {
  for (size_t i = 0; i < chunk_log.count; i++) {
    const struct hp_chunk_log *chunk = &buffer->chunks[i];
    buffer->order[i] = (struct hp_chunk_reference){.t0 = chunk->t0,
                                                   .point = chunk->point,
                                                   .thread = chunk->thread,
                                                   .chunk = chunk};
  }
  hp_chunk_order_sort(buffer->order, chunk_log.count, buffer->scratch);
}

/* A run for each point and weight; their number. */
static size_t make_runs(struct buffer *buffer) {
  size_t runs = 0;
  for (size_t i = 0; i < chunk_log.count; i++) {
    const struct hp_chunk_log *chunk = buffer->order[i].chunk;
    uint32_t weight = buffer->weights[chunk - buffer->chunks];
    if (runs == 0 || buffer->runs[runs - 1].point != chunk->point ||
        buffer->runs[runs - 1].weight != weight)
      buffer->runs[runs++] =
          (struct hp_chunk_run){.point = chunk->point, .weight = weight};
    buffer->runs[runs - 1].count++;
    buffer->sorted[i] = *chunk;
  }
  return runs;
}

static bool write_buffer(void) {
  struct buffer *buffer = chunk_log.buffer;
  struct hp_block_writer *writer = hp_dump_ready();
  if (!writer)
    return false;
  sort_buffer(buffer);
  hp_put_chunk_columns(&chunk_log.payload, buffer->runs, make_runs(buffer),
                       buffer->sorted);
  bool opened = chunk_log.counts.file_size
                    ? hp_block_file_append(writer, HP_LOG_FILE,
                                           chunk_log.counts.file_size)
                    : hp_block_file_open(writer, HP_LOG_FILE);
  bool written = opened && hp_block_put(writer, HP_BLOCK_CHUNKS,
                                        chunk_log.count, &chunk_log.payload);
  bool closed = opened && hp_block_file_close(writer);
  if (written && closed)
    chunk_log.counts.file_size = writer->file_size;
  return written && closed;
}

void hp_log_flush(void) {
  if (!chunk_log.count || chunk_log.counts.failure)
    return;
  bool ours = hp_dump_is_ours();
  if (ours && write_buffer()) {
    chunk_log.counts.chunks += chunk_log.count;
  } else {
    chunk_log.counts.dropped += chunk_log.count;
    chunk_log.counts.failure = ours ? hp_dump_failure() : NULL;
  }
  chunk_log.count = 0;
  chunk_log.payload.size = 0;
}

void hp_log_append(const struct hp_chunk_log *chunk) {
  uint32_t weight = weigh(chunk->point);
  if (__builtin_mul_overflow(weight, chunk->weight, &weight))
    weight = UINT32_MAX;
  if (!weight) {
    chunk_log.counts.thinned++;
    return;
  }
  if (!chunk_log.buffer && !chunk_log.counts.failure) {
    chunk_log.buffer = hp_sys_map(sizeof *chunk_log.buffer);
    if (!chunk_log.buffer)
      chunk_log.counts.failure = "Cannot allocate memory";
  }
  if (chunk_log.counts.failure) {
    chunk_log.counts.dropped++;
    return;
  }
  chunk_log.buffer->weights[chunk_log.count] = weight;
  chunk_log.buffer->chunks[chunk_log.count++] = *chunk;
  if (chunk_log.count == BLOCK_CHUNKS)
    hp_log_flush();
}

/* ---- state
 * ----------------------------------------------------------------------- */

struct hp_log_counts hp_log_counts(void) { return chunk_log.counts; }

size_t hp_log_memory(void) {
  return (chunk_log.buffer ? sizeof *chunk_log.buffer : 0) +
         chunk_log.payload.capacity + chunk_log.budgets.committed;
}

void hp_log_set_aside(void) {
  size_t size = chunk_log.budgets.committed;
  aside.total = chunk_log.total;
  aside.counts = chunk_log.counts;
  aside.size = size;
  aside.budgets = size ? hp_sys_map(size) : NULL;
  if (aside.budgets)
    hp_real_memcpy(aside.budgets, chunk_log.budgets.base, size);
}

void hp_log_put_back(void) {
  chunk_log.total = aside.total;
  chunk_log.counts = aside.counts;
  struct hp_arena *budgets = &chunk_log.budgets;
  if (aside.budgets) {
    hp_real_memcpy(budgets->base, aside.budgets, aside.size);
    hp_sys_unmap(aside.budgets, aside.size);
  }
  if (budgets->committed > aside.size)
    hp_real_memset(budgets->base + aside.size, 0,
                   budgets->committed - aside.size);
}

void hp_log_reset(void) {
  if (chunk_log.buffer)
    hp_sys_unmap(chunk_log.buffer, sizeof *chunk_log.buffer);
  if (chunk_log.budgets.base)
    hp_sys_unmap(chunk_log.budgets.base, chunk_log.budgets.reserved);
  hp_bytes_free(&chunk_log.payload);
  chunk_log.buffer = NULL;
  chunk_log.count = 0;
  chunk_log.budgets = (struct hp_arena){0};
  chunk_log.total = (struct budget){0};
  chunk_log.counts = (struct hp_log_counts){0};
}
