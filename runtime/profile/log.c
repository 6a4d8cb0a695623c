/* log.c - see log.h: a budget, batches, blocks of columns, and their queue.
   Whoever fills the last batch makes a block himself; only the disk is not his.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log.h"

#include <errno.h>

#include "dump/block_writer.h"
#include "dump/dump.h"
#include "encode/chunk_columns.h"
#include "encode/chunk_order.h"
#include "encode/dump_failure.h"
#include "system/arena.h"
#include "system/limit.h"
#include "system/options.h"
#include "system/real_libc.h"
#include "system/sanitizer_binding.h"
#include "system/spare.h"
#include "thread/writer.h"

#define BATCH_CHUNKS 4096u /* chunks in a batch, and in a block */
#define LEAST_STEP 16u     /* chunks kept before thinning gets coarser again */
#define COARSEST 31u
#define KEPT_MAX ((1u << 27) - 1)

_Static_assert(BATCH_CHUNKS *(HP_CHUNK_ENCODED_MAX + HP_RUN_ENCODED_MAX) <
                   HP_BLOCK_RAW_MAX,
               "a block of chunks fits");
_Static_assert(BATCH_CHUNKS *(HP_CHUNK_ENCODED_MAX + HP_RUN_ENCODED_MAX) +
                       sizeof(struct hp_block_header) <
                   HP_LOG_QUEUE_LIMITED,
               "and in the queue, if that is empty");

/* How far a point, or all together, has got in its budget.  A point's first
   chunk is kept, then one of each 2^group chunks, any of them: points whose
   last group is not whole are many, and its first would stand for too much. +0
   u32 left    chunks of the group that are still to come +4   u32 group +8 u32
   kept    groups since it got coarser; all together: chunks     */
struct budget {
  uint32_t left;
  uint32_t group;
  uint32_t kept : 27;
  uint32_t coarseness : 5; /* of the next group, at least */
};
_Static_assert(sizeof(struct budget) == 12, "12 bytes a point");

/* Chunks as they came. */
struct hp_log_batch {
  size_t count;
  struct hp_chunk_log chunks[BATCH_CHUNKS];
  uint32_t weights[BATCH_CHUNKS];
};

/* Where a batch becomes a block. */
struct encoder {
  struct hp_chunk_log sorted[BATCH_CHUNKS];
  struct hp_chunk_reference order[BATCH_CHUNKS],
      scratch[BATCH_CHUNKS + HP_CHUNK_ORDER_SPARE];
  struct hp_chunk_run runs[BATCH_CHUNKS];
  struct hp_bytes payload, block;
  struct hp_block_maker maker;
};

static struct {
  /* The collector's. */
  struct hp_log_batch
      *batches; /* HP_LOG_BATCHES, mapped with the first chunk */
  struct hp_log_batch *filling; /* one of them; NULL: to be looked for */
  bool waits, overrun;
  struct hp_arena budgets; /* struct budget [], by point */
  struct budget total;
  /* The encoder's. */
  struct hp_lock encoding;
  struct encoder *encoder;
  /* Batches that were filled; of these, made blocks; of these, off the queue.
   */
  uint64_t filled, encoded, written;
  /* The queue: whole blocks, one after the other.  From `head` up to `tail`,
     or up to `wrap` and from 0 to `tail`. */
  struct hp_lock queuing;
  uint8_t *queue;
  size_t queue_size, head, tail, wrap, touched;
  struct hp_log_counts counts;
} chunk_log;

static struct {
  struct budget total;
  void *budgets; /* `size` bytes; NULL: none */
  size_t size;
} aside;

static void add(uint64_t *count, uint64_t more) {
  __atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

static uint64_t read_count(const uint64_t *count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

static void stop(const char *why) {
  __atomic_store_n(&chunk_log.counts.failure, why, __ATOMIC_RELAXED);
}

static bool has_stopped(void) {
  return __atomic_load_n(&chunk_log.counts.failure, __ATOMIC_RELAXED) != NULL;
}

/* ---- budget
 * ---------------------------------------------------------------------- */

static HP_COLD bool add_budgets(size_t size) {
  struct hp_arena *arena = &chunk_log.budgets;
  return (arena->base ||
          hp_arena_reserve(arena, (size_t)1 << 35, (size_t)1 << 20)) &&
         hp_arena_commit(arena, size);
}

/* NULL without memory. */
HP_INLINE struct budget *budget_of(uint32_t point) {
  size_t size = ((size_t)point + 1) * sizeof(struct budget);
  if (HP_UNLIKELY(size > chunk_log.budgets.committed) && !add_budgets(size))
    return NULL;
  return (struct budget *)(void *)chunk_log.budgets.base + point;
}

static HP_NOINLINE void get_coarser(struct budget *budget) {
  budget->kept = 0;
  if (budget->coarseness < COARSEST)
    budget->coarseness++;
}

/* One more was kept; MOST may be kept at first. */
HP_INLINE void spend(struct budget *budget, uint64_t most) {
  uint64_t limit = most;
  if (budget->coarseness)
    limit = most / 4 > LEAST_STEP ? most / 4 : LEAST_STEP;
  uint32_t kept = budget->kept + 1u;
  budget->kept = kept & KEPT_MAX;
  if (HP_UNLIKELY(kept >= limit || kept == KEPT_MAX))
    get_coarser(budget);
}

/* Which chunk of its group is kept: so many come after it.  It looks random,
   but is the same in each run. */
HP_INLINE uint32_t choose(uint32_t point, const struct budget *budget) {
  uint64_t number = (uint64_t)point << 32 | budget->kept;
  number = (number ^ number >> 29) * 0x9fb21c651e98df25u;
  return (uint32_t)(number >> 32) & ((1u << budget->group) - 1);
}

/* For how many chunks of its point the next one stands; 0: it is left out. */
HP_INLINE uint32_t weigh(uint32_t point) {
  if (HP_UNLIKELY(hp_options.chunk_log[0] == 'a')) /* all */
    return 1;
  struct budget *budget = budget_of(point);
  if (HP_UNLIKELY(!budget))
    return 0;
  if (!budget->left) {
    bool first = !budget->kept && !budget->coarseness;
    budget->group = budget->coarseness > chunk_log.total.coarseness || first
                        ? budget->coarseness
                        : chunk_log.total.coarseness;
    budget->left = 1u << budget->group;
  }
  bool keeps = --budget->left == choose(point, budget);
  if (!budget->left)
    spend(budget, hp_options.chunk_log_point);
  if (!keeps)
    return 0;
  spend(&chunk_log.total, hp_options.chunk_log_total);
  return 1u << budget->group;
}

/* ---- the queue
 * ------------------------------------------------------------------- */

/* Where SIZE bytes fit in one piece; SIZE_MAX: nowhere now. */
static size_t find_room(size_t size) {
  if (chunk_log.head == chunk_log.tail)
    chunk_log.head = chunk_log.tail = 0;
  if (chunk_log.tail < chunk_log.head)
    return chunk_log.head - chunk_log.tail > size ? chunk_log.tail : SIZE_MAX;
  if (chunk_log.queue_size - chunk_log.tail >= size)
    return chunk_log.tail;
  return chunk_log.head > size ? 0 : SIZE_MAX;
}

static bool enqueue(const struct hp_bytes *block) {
  hp_lock_take(&chunk_log.queuing);
  size_t at = find_room(block->size);
  if (at != SIZE_MAX) {
    if (at < chunk_log.tail)
      chunk_log.wrap = chunk_log.tail;
    hp_real_memcpy(chunk_log.queue + at, block->data, block->size);
    chunk_log.tail = at + block->size;
    if (chunk_log.touched < chunk_log.tail)
      chunk_log.touched = chunk_log.tail;
  }
  hp_lock_release(&chunk_log.queuing);
  return at != SIZE_MAX;
}

/* The first block, which stays where it is; false: there is none. */
static bool first_block(struct hp_bytes *block) {
  hp_lock_take(&chunk_log.queuing);
  if (chunk_log.tail < chunk_log.head && chunk_log.head == chunk_log.wrap)
    chunk_log.head = 0;
  bool any = chunk_log.head != chunk_log.tail;
  if (any) {
    block->data = chunk_log.queue + chunk_log.head;
    block->size = hp_block_size(block->data);
  }
  hp_lock_release(&chunk_log.queuing);
  return any;
}

static void leave_block(size_t size) {
  hp_lock_take(&chunk_log.queuing);
  chunk_log.head += size;
  hp_lock_release(&chunk_log.queuing);
}

/* ---- from batches to blocks
 * ------------------------------------------------------------------- */

static void sort_batch(struct encoder *encoder,
                       const struct hp_log_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    const struct hp_chunk_log *chunk = &batch->chunks[i];
    encoder->order[i] = (struct hp_chunk_reference){.t0 = chunk->t0,
                                                    .point = chunk->point,
                                                    .thread = chunk->thread,
                                                    .chunk = chunk};
  }
  hp_chunk_order_sort(encoder->order, batch->count, encoder->scratch);
}

/* A run for each point and weight; their number. */
static size_t make_runs(struct encoder *encoder,
                        const struct hp_log_batch *batch) {
  struct hp_chunk_run *runs = encoder->runs;
  size_t count = 0;
  for (size_t i = 0; i < batch->count; i++) {
    const struct hp_chunk_log *chunk = encoder->order[i].chunk;
    uint32_t weight = batch->weights[chunk - batch->chunks];
    if (count == 0 || runs[count - 1].point != chunk->point ||
        runs[count - 1].weight != weight)
      runs[count++] =
          (struct hp_chunk_run){.point = chunk->point, .weight = weight};
    runs[count - 1].count++;
    encoder->sorted[i] = *chunk;
  }
  return count;
}

/* One more than of the rest: only then does each column get codes of its own.
 */
static int log_level(void) {
  int level = hp_options.dump_compression;
  return level > 0 ? level + 1 : 0;
}

/* Both are mapped with the first block. */
static struct encoder *get_encoder(void) {
  if (!chunk_log.queue) {
    chunk_log.queue_size =
        hp_memory_is_limited() ? HP_LOG_QUEUE_LIMITED : HP_LOG_QUEUE;
    chunk_log.queue = hp_sys_map(chunk_log.queue_size);
  }
  if (!chunk_log.encoder && chunk_log.queue) {
    struct encoder *encoder = hp_sys_map(sizeof *encoder);
    if (encoder && hp_block_maker_start(&encoder->maker, log_level()) < 0) {
      hp_sys_unmap(encoder, sizeof *encoder);
      encoder = NULL;
    }
    chunk_log.encoder = encoder;
  }
  return chunk_log.encoder;
}

/* Appends BATCH as a block to TO; NULL: to the encoder's own, emptied. */
static int encode(const struct hp_log_batch *batch, struct hp_bytes *to) {
  struct encoder *encoder = get_encoder();
  if (!encoder)
    return -ENOMEM;
  if (!to) {
    to = &encoder->block;
    to->size = 0;
  }
  sort_batch(encoder, batch);
  encoder->payload.size = 0;
  encoder->payload.failed = to->failed = false;
  hp_put_chunk_columns(&encoder->payload, encoder->runs,
                       make_runs(encoder, batch), encoder->sorted);
  return hp_block_make(&encoder->maker, HP_BLOCK_CHUNKS, batch->count,
                       &encoder->payload, to);
}

/* Makes the oldest filled batch a block in the queue.  False: there is none, or
   no room. */
static bool encode_next(void) {
  hp_lock_take(&chunk_log.encoding);
  bool done = chunk_log.encoded != read_count(&chunk_log.filled);
  if (done) {
    struct hp_log_batch *batch =
        &chunk_log.batches[chunk_log.encoded % HP_LOG_BATCHES];
    int error = batch->count ? encode(batch, NULL) : 0;
    done = error || !batch->count || enqueue(&chunk_log.encoder->block);
    if (error) {
      add(&chunk_log.counts.dropped, batch->count);
      stop(hp_dump_failure_text(error));
    }
    if (done) {
      batch->count = 0;
      __atomic_store_n(&chunk_log.encoded, chunk_log.encoded + 1,
                       __ATOMIC_RELEASE);
    }
  }
  hp_lock_release(&chunk_log.encoding);
  return done;
}

/* ---- from chunks to batches
 * ------------------------------------------------------------------- */

static void write_filled(void *unused) {
  (void)unused;
  hp_log_write(chunk_log.filled);
}

static bool has_room(void) {
  return chunk_log.filled - read_count(&chunk_log.encoded) < HP_LOG_BATCHES;
}

static bool keeps_none(void) { return hp_options.chunk_log[0] == 'n'; }

/* The batch to fill; NULL: the disk is too slow, or there is no memory, or none
   is wanted. */
static HP_NOINLINE struct hp_log_batch *find_batch(void) {
  if (keeps_none())
    return NULL;
  if (!chunk_log.batches) {
    hp_spare_give();
    chunk_log.batches = hp_sys_map(HP_LOG_BATCHES * sizeof *chunk_log.batches);
    hp_spare_take();
    if (!chunk_log.batches) {
      stop(hp_dump_failure_text(-ENOMEM));
      return NULL;
    }
  }
  /* A try for each chunk would cost more than the log. */
  bool room = has_room();
  if (HP_UNLIKELY(!room)) {
    if (!chunk_log.overrun)
      encode_next();
    if (!has_room() && chunk_log.waits)
      hp_writer_run(write_filled, NULL);
    room = has_room();
    chunk_log.counts.overruns += !room && !chunk_log.overrun;
  }
  chunk_log.overrun = !room;
  if (!room)
    return NULL;
  chunk_log.filling = &chunk_log.batches[chunk_log.filled % HP_LOG_BATCHES];
  return chunk_log.filling;
}

static void end_batch(void) {
  chunk_log.filling = NULL;
  __atomic_store_n(&chunk_log.filled, chunk_log.filled + 1, __ATOMIC_RELEASE);
}

/* Puts CHUNK into BATCH, unless the budget is against it. */
HP_INLINE bool put(struct hp_log_batch *batch,
                   const struct hp_chunk_log *chunk) {
  uint32_t weight = weigh(chunk->point);
  if (!weight)
    return false;
  if (HP_UNLIKELY(__builtin_mul_overflow(weight, chunk->weight, &weight)))
    weight = UINT32_MAX;
  batch->weights[batch->count] = weight;
  batch->chunks[batch->count++] = *chunk;
  return true;
}

/* What cannot be kept takes nothing of the budget. */
void hp_log_append(const struct hp_chunk_log *chunk) {
  struct hp_log_batch *batch = NULL;
  if (HP_LIKELY(!has_stopped()))
    batch = HP_LIKELY(chunk_log.filling) ? chunk_log.filling : find_batch();
  if (batch && put(batch, chunk)) {
    if (batch->count == BATCH_CHUNKS) {
      end_batch();
      hp_writer_ask(HP_WRITE_LOG);
    }
  } else if (batch || keeps_none()) {
    /* Nobody else writes it, and most chunks are counted here. */
    __atomic_store_n(&chunk_log.counts.thinned, chunk_log.counts.thinned + 1,
                     __ATOMIC_RELAXED);
  } else {
    add(&chunk_log.counts.dropped, 1);
  }
}

void hp_log_wait(bool waits) {
  chunk_log.waits = waits;
  chunk_log.overrun = false;
}

uint64_t hp_log_filled(void) { return read_count(&chunk_log.filled); }

uint64_t hp_log_seal(void) {
  if (chunk_log.batches && has_room() &&
      chunk_log.batches[chunk_log.filled % HP_LOG_BATCHES].count)
    end_batch();
  return chunk_log.filled;
}

/* ---- to disk
 * ------------------------------------------------------------------- */

static struct hp_block_writer *open_log(void) {
  struct hp_block_writer *file = NULL;
  if (hp_dump_is_ours() && !has_stopped())
    file = hp_dump_ready();
  if (!file)
    return NULL;
  bool opened =
      chunk_log.counts.file_size
          ? hp_block_file_append(file, HP_LOG_FILE, chunk_log.counts.file_size)
          : hp_block_file_open(file, HP_LOG_FILE);
  return opened ? file : NULL;
}

static bool close_log(struct hp_block_writer *file) {
  bool closed = file && hp_block_file_close(file);
  if (!file)
    return false;
  chunk_log.counts.file_size = file->file_size;
  if (!file->file_size) { /* it could not be kept whole */
    add(&chunk_log.counts.dropped, chunk_log.counts.chunks);
    chunk_log.counts.chunks = 0;
  }
  return closed;
}

/* FILE is where it goes; NULL: nowhere. */
static void write_block(struct hp_block_writer *file,
                        const struct hp_bytes *block) {
  const uint64_t items = hp_block_head(block->data).items;
  bool kept = file && hp_block_write(file, block);
  add(kept ? &chunk_log.counts.chunks : &chunk_log.counts.dropped, items);
  leave_block(block->size);
}

/* A batch counts as written once its block is off the queue. */
void hp_log_write(uint64_t until) {
  struct hp_block_writer *file = NULL;
  struct hp_bytes block = {0};
  bool any = false;
  while (chunk_log.written != until) {
    if (chunk_log.written == read_count(&chunk_log.encoded)) {
      encode_next(); /* or another thread does */
      continue;
    }
    if (first_block(&block)) {
      if (!any)
        file = open_log();
      any = true;
      write_block(file, &block);
    }
    chunk_log.written++;
  }
  bool closed = close_log(file);
  if (any && !closed && !has_stopped() && hp_dump_is_ours())
    stop(hp_dump_failure());
}

/* ---- live chunks
 * ------------------------------------------------------------------- */

static void encode_live(struct hp_log_live *live) {
  struct hp_log_batch *batch = live->batch;
  hp_lock_take(&chunk_log.encoding);
  int error = encode(batch, &live->blocks);
  hp_lock_release(&chunk_log.encoding);
  if (error < 0) {
    live->error = error;
    live->dropped += batch->count;
  } else {
    live->chunks += batch->count;
  }
  batch->count = 0;
}

void hp_log_append_live(struct hp_log_live *live,
                        const struct hp_chunk_log *chunk) {
  bool keeps = !keeps_none() && !has_stopped() && !live->error;
  if (keeps && !live->batch) {
    live->batch = hp_sys_map(sizeof *live->batch);
    if (!live->batch)
      live->error = -ENOMEM;
  }
  struct hp_log_batch *batch = keeps ? live->batch : NULL;
  if (batch && put(batch, chunk)) {
    if (batch->count == BATCH_CHUNKS)
      encode_live(live);
  } else if (batch || keeps_none()) {
    live->thinned++;
  } else {
    live->dropped++;
  }
}

void hp_log_end_live(struct hp_log_live *live) {
  if (live->batch && live->batch->count)
    encode_live(live);
}

void hp_log_free_live(struct hp_log_live *live) {
  struct hp_log_batch *batch = live->batch;
  live->batch = NULL;
  if (batch)
    hp_sys_unmap(batch, sizeof *batch);
  hp_bytes_free(&live->blocks);
  *live = (struct hp_log_live){0};
}

/* ---- state
 * ----------------------------------------------------------------------- */

struct hp_log_counts hp_log_counts(void) { return chunk_log.counts; }

size_t hp_log_memory(void) {
  size_t size = chunk_log.budgets.committed;
  if (chunk_log.batches)
    size += HP_LOG_BATCHES * sizeof *chunk_log.batches;
  if (chunk_log.encoder)
    size += sizeof *chunk_log.encoder + chunk_log.encoder->payload.capacity +
            chunk_log.encoder->block.capacity + chunk_log.touched;
  return size;
}

void hp_log_set_aside(void) {
  size_t size = chunk_log.budgets.committed;
  aside.total = chunk_log.total;
  aside.size = size;
  aside.budgets = size ? hp_sys_map(size) : NULL;
  if (aside.budgets)
    hp_real_memcpy(aside.budgets, chunk_log.budgets.base, size);
}

void hp_log_put_back(void) {
  chunk_log.total = aside.total;
  struct hp_arena *budgets = &chunk_log.budgets;
  if (aside.budgets) {
    hp_real_memcpy(budgets->base, aside.budgets, aside.size);
    hp_sys_unmap(aside.budgets, aside.size);
  }
  if (budgets->committed > aside.size)
    hp_real_memset(budgets->base + aside.size, 0,
                   budgets->committed - aside.size);
}

static void free_encoder(void) {
  struct encoder *encoder = chunk_log.encoder;
  if (encoder) {
    hp_bytes_free(&encoder->payload);
    hp_bytes_free(&encoder->block);
    hp_block_maker_end(&encoder->maker);
    hp_sys_unmap(encoder, sizeof *encoder);
  }
  if (chunk_log.queue)
    hp_sys_unmap(chunk_log.queue, chunk_log.queue_size);
  chunk_log.encoder = NULL;
  chunk_log.queue = NULL;
  chunk_log.head = chunk_log.tail = chunk_log.wrap = chunk_log.touched = 0;
}

void hp_log_reset(void) {
  free_encoder();
  if (chunk_log.batches)
    hp_sys_unmap(chunk_log.batches, HP_LOG_BATCHES * sizeof *chunk_log.batches);
  hp_arena_end(&chunk_log.budgets);
  chunk_log.batches = chunk_log.filling = NULL;
  chunk_log.waits = chunk_log.overrun = false;
  chunk_log.filled = chunk_log.encoded = chunk_log.written = 0;
  chunk_log.total = (struct budget){0};
  chunk_log.counts = (struct hp_log_counts){0};
}

void hp_log_lock(void) {
  hp_lock_take(&chunk_log.encoding);
  hp_lock_take(&chunk_log.queuing);
}

void hp_log_unlock(void) {
  hp_lock_release(&chunk_log.queuing);
  hp_lock_release(&chunk_log.encoding);
}
