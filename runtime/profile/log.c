/* log.c - see log.h: a budget, batches, blocks of columns, and their queue.
   The thread that fills the last batch makes a block of it; it never writes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log.h"

#include <errno.h>

#include "encode/block_maker.h"
#include "encode/chunk_columns.h"
#include "encode/chunk_order.h"
#include "encode/dump_failure.h"
#include "options/options.h"
#include "profile/log_budget.h"
#include "profile/log_queue.h"
#include "system/check.h"
#include "system/memory.h"
#include "system/real_libc.h"
#include "system/spare.h"
#include "thread/writer.h"

#define BATCH_CHUNKS 4096u /* chunks in a batch, and in a block */

_Static_assert(BATCH_CHUNKS *(HP_CHUNK_ENCODED_MAX + HP_RUN_ENCODED_MAX) <
                   HP_BLOCK_RAW_MAX,
               "a block of chunks fits");
_Static_assert(BATCH_CHUNKS *(HP_CHUNK_ENCODED_MAX + HP_RUN_ENCODED_MAX) +
                       sizeof(struct hp_block_header) <
                   HP_LOG_QUEUE_LIMITED,
               "and in the queue, if that is empty");

/* Chunks as they came. */
struct hp_log_batch {
  size_t count;
  struct hp_chunk_log chunks[BATCH_CHUNKS];
  uint32_t weights[BATCH_CHUNKS];
};

/* What it takes to make a block of a batch. */
struct encoder {
  struct hp_chunk_log sorted[BATCH_CHUNKS];
  struct hp_chunk_reference order[BATCH_CHUNKS],
      scratch[BATCH_CHUNKS + HP_CHUNK_ORDER_SPARE];
  struct hp_chunk_run runs[BATCH_CHUNKS];
  struct hp_bytes payload, block;
  struct hp_block_maker maker;
};

static struct {
  /* With the collector's lock. */
  struct hp_log_batch
      *batches; /* HP_LOG_BATCHES, mapped with the first chunk */
  struct hp_log_batch *filling;  /* one of them; NULL: to be looked for */
  void (*write)(uint64_t until); /* waits for the disk; NULL: nobody does */
  bool overrun;
  /* With the encoder's lock. */
  struct hp_lock encoding;
  struct encoder *encoder;
  /* Batches that were filled; how many of them are blocks; how many of these have
     left the queue. */
  uint64_t filled, encoded, written;
  struct hp_log_counts counts;
  bool has_stopped; /* for the reason that is among the counts */
} chunk_log;

static void add(uint64_t *count, uint64_t more) {
  __atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

static uint64_t read_count(const uint64_t *count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

/* ---- from batches to blocks ---------------------------------------------- */

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

/* One level more than the rest of the dump has: only then does each column get
   codes of its own. */
static int log_level(void) {
  int level = hp_options.dump_compression;
  return level > 0 ? level + 1 : 0;
}

/* The encoder; NULL: no memory.  It and the queue are mapped with the first block. */
static struct encoder *get_encoder(void) {
  if (hp_log_queue_start() && !chunk_log.encoder) {
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
    done =
        error || !batch->count || hp_log_queue_put(&chunk_log.encoder->block);
    if (error) {
      add(&chunk_log.counts.dropped, batch->count);
      hp_log_stop(hp_dump_failure_text(error));
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

/* ---- from chunks to batches ---------------------------------------------- */

static void write_filled(void *unused) {
  (void)unused;
  chunk_log.write(chunk_log.filled);
}

static bool has_room(void) {
  const uint64_t waiting = chunk_log.filled - read_count(&chunk_log.encoded);
  HP_CHECK(waiting <= HP_LOG_BATCHES);
  return waiting < HP_LOG_BATCHES;
}

static bool keeps_none(void) { return hp_options.chunk_log[0] == 'n'; }

/* The batch to fill; NULL: all wait for the disk, or there is no memory, or none
   is wanted. */
static HP_NOINLINE struct hp_log_batch *find_batch(void) {
  if (keeps_none())
    return NULL;
  if (!chunk_log.batches) {
    const size_t size = HP_LOG_BATCHES * sizeof *chunk_log.batches;
    chunk_log.batches = hp_sys_map(size);
    if (!chunk_log.batches && hp_spare_yield(size, HP_SPARE_LOG_FLOOR))
      chunk_log.batches = hp_sys_map(size);
    if (!chunk_log.batches) {
      hp_log_stop(hp_dump_failure_text(-ENOMEM));
      return NULL;
    }
  }
  /* A try for each chunk would cost more than the log. */
  bool room = has_room();
  if (HP_UNLIKELY(!room)) {
    if (!chunk_log.overrun)
      encode_next();
    if (!has_room() && chunk_log.write)
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

/* Puts CHUNK into BATCH, for WEIGHT of its point; not for none. */
HP_INLINE bool put(struct hp_log_batch *batch, const struct hp_chunk_log *chunk,
                   uint32_t weight) {
  if (!weight)
    return false;
  if (HP_UNLIKELY(__builtin_mul_overflow(weight, chunk->weight, &weight)))
    weight = UINT32_MAX;
  HP_CHECK(batch->count < BATCH_CHUNKS);
  batch->weights[batch->count] = weight;
  batch->chunks[batch->count++] = *chunk;
  return true;
}

/* The budget is asked only where there is room: a chunk that is dropped takes
   nothing of it. */
void hp_log_append(const struct hp_chunk_log *chunk) {
  struct hp_log_batch *batch = NULL;
  if (HP_LIKELY(!hp_log_has_stopped()))
    batch = HP_LIKELY(chunk_log.filling) ? chunk_log.filling : find_batch();
  if (batch && put(batch, chunk, hp_log_weigh(chunk->point))) {
    if (batch->count == BATCH_CHUNKS) {
      end_batch();
      hp_writer_ask(HP_WRITE_LOG);
    }
  } else if (batch || keeps_none()) {
    /* No other thread writes this count, and most chunks end here: no atomic
       addition. */
    __atomic_store_n(&chunk_log.counts.thinned, chunk_log.counts.thinned + 1,
                     __ATOMIC_RELAXED);
  } else {
    add(&chunk_log.counts.dropped, 1);
  }
}

void hp_log_wait(void (*write)(uint64_t until)) {
  chunk_log.write = write;
  chunk_log.overrun = false;
}

uint64_t hp_log_filled(void) { return read_count(&chunk_log.filled); }

uint64_t hp_log_seal(void) {
  if (chunk_log.batches && has_room() &&
      chunk_log.batches[chunk_log.filled % HP_LOG_BATCHES].count)
    end_batch();
  return chunk_log.filled;
}

/* ---- to disk ------------------------------------------------------------- */

bool hp_log_first_block(uint64_t until, struct hp_bytes *block) {
  while (chunk_log.written != until) {
    if (chunk_log.written == read_count(&chunk_log.encoded))
      encode_next(); /* or another thread does */
    else if (hp_log_queue_first(block))
      return true;
    else
      chunk_log.written++;
  }
  return false;
}

/* A batch counts as written once its block is off the queue. */
void hp_log_leave_block(const struct hp_bytes *block, bool kept) {
  const uint64_t items = hp_block_head(block->data).items;
  add(kept ? &chunk_log.counts.chunks : &chunk_log.counts.dropped, items);
  hp_log_queue_leave(block->size);
  chunk_log.written++;
}

void hp_log_note_file(uint64_t size) {
  chunk_log.counts.file_size = size;
  if (!size) { /* it could not be kept whole */
    add(&chunk_log.counts.dropped, chunk_log.counts.chunks);
    chunk_log.counts.chunks = 0;
  }
}

void hp_log_stop(const char *why) {
  __atomic_store_n(&chunk_log.counts.failure, why, __ATOMIC_RELAXED);
  __atomic_store_n(&chunk_log.has_stopped, true, __ATOMIC_RELEASE);
}

bool hp_log_has_stopped(void) {
  return __atomic_load_n(&chunk_log.has_stopped, __ATOMIC_ACQUIRE);
}

void hp_log_resume(void) {
  if (hp_log_has_stopped() &&
      chunk_log.counts.failure == hp_dump_failure_text(-ENOMEM))
    __atomic_store_n(&chunk_log.has_stopped, false, __ATOMIC_RELEASE);
}

/* ---- live chunks --------------------------------------------------------- */

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

/* A map of where chunks lie is of all that live, whatever the budget. */
void hp_log_append_live(struct hp_log_live *live,
                        const struct hp_chunk_log *chunk) {
  const bool all = hp_options.addresses, none = keeps_none() && !all;
  bool keeps = !none && !hp_log_has_stopped() && !live->error;
  if (keeps && !live->batch) {
    live->batch = hp_sys_map(sizeof *live->batch);
    if (!live->batch)
      live->error = -ENOMEM;
  }
  struct hp_log_batch *batch = keeps ? live->batch : NULL;
  if (batch && put(batch, chunk, all ? 1 : hp_log_weigh(chunk->point))) {
    if (batch->count == BATCH_CHUNKS)
      encode_live(live);
  } else if (batch || none) {
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

/* ---- state --------------------------------------------------------------- */

struct hp_log_counts hp_log_counts(void) { return chunk_log.counts; }

size_t hp_log_memory(void) {
  size_t size = hp_log_budget_memory();
  if (chunk_log.batches)
    size += HP_LOG_BATCHES * sizeof *chunk_log.batches;
  if (chunk_log.encoder)
    size += sizeof *chunk_log.encoder + chunk_log.encoder->payload.capacity +
            chunk_log.encoder->block.capacity + hp_log_queue_memory();
  return size;
}

static void free_encoder(void) {
  struct encoder *encoder = chunk_log.encoder;
  if (encoder) {
    hp_bytes_free(&encoder->payload);
    hp_bytes_free(&encoder->block);
    hp_block_maker_end(&encoder->maker);
    hp_sys_unmap(encoder, sizeof *encoder);
  }
  hp_log_queue_reset();
  chunk_log.encoder = NULL;
}

void hp_log_reset(void) {
  free_encoder();
  if (chunk_log.batches)
    hp_sys_unmap(chunk_log.batches, HP_LOG_BATCHES * sizeof *chunk_log.batches);
  chunk_log.batches = chunk_log.filling = NULL;
  chunk_log.write = NULL;
  chunk_log.overrun = false;
  chunk_log.filled = chunk_log.encoded = chunk_log.written = 0;
  hp_log_budget_reset();
  chunk_log.counts = (struct hp_log_counts){0};
  chunk_log.has_stopped = false;
}

void hp_log_lock(void) {
  hp_lock_take(&chunk_log.encoding);
  hp_log_queue_lock();
}

void hp_log_unlock(void) {
  hp_log_queue_unlock();
  hp_lock_release(&chunk_log.encoding);
}
