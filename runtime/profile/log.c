/* log.c - see log.h: a budget, batches, blocks of columns, and their queue.
   The thread that fills the last batch makes a block of it; it never writes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log.h"

#include <errno.h>

#include "encode/block_maker.h"
#include "encode/chunk_columns.h"
#include "encode/chunk_order.h"
#include "options/options.h"
#include "profile/log_budget.h"
#include "profile/log_parts.h"
#include "profile/log_queue.h"
#include "system/arena.h"
#include "system/check.h"
#include "system/error_text.h"
#include "system/memory.h"
#include "system/spare.h"
#include "thread/writer.h"

#define BATCH_CHUNKS 4096u /* chunks in a batch, and in a block */

_Static_assert(BATCH_CHUNKS *(HP_CHUNK_ENCODED_MAX + HP_RUN_ENCODED_MAX) <
                   HP_BLOCK_RAW_MAX,
               "a block of chunks fits");

/* Chunks as they came. */
struct hp_log_batch {
  size_t count;
  struct hp_chunk_log chunks[BATCH_CHUNKS];
  uint32_t weights[BATCH_CHUNKS];
};

/* Runs of a batch that go into one file, and in which order. */
struct part {
  uint32_t file;
  uint16_t first, last; /* run */
};
/* Those of the log, shared ones, and points with HP_LOG_OWN chunks. */
#define PARTS_MAX (1 + HP_LOG_SHARED_FILES + BATCH_CHUNKS / HP_LOG_OWN)
#define NO_RUN UINT16_MAX
_Static_assert(BATCH_CHUNKS < NO_RUN, "a run's number fits");
_Static_assert(BATCH_CHUNKS *(HP_CHUNK_ENCODED_MAX + HP_RUN_ENCODED_MAX) +
                       PARTS_MAX * (sizeof(struct hp_block_header) + 8) <
                   HP_LOG_QUEUE_LIMITED,
               "an entry fits in the queue, if that is empty");

/* What it takes to make blocks of a batch. */
struct encoder {
  struct hp_chunk_log sorted[BATCH_CHUNKS];
  struct hp_chunk_reference order[BATCH_CHUNKS],
      scratch[BATCH_CHUNKS + HP_CHUNK_ORDER_SPARE];
  struct hp_chunk_run runs[BATCH_CHUNKS], part_runs[BATCH_CHUNKS];
  uint16_t next[BATCH_CHUNKS];  /* the next run of the same part, or NO_RUN */
  uint16_t begin[BATCH_CHUNKS]; /* the first chunk of a run, in `order` */
  struct part parts[PARTS_MAX];
  struct hp_bytes payload, entry;
  struct hp_block_maker maker;
};

/* What is on disk. */
struct hp_log_file {
  uint64_t size; /* bytes; 0: there is no such file */
  uint64_t chunks;
};

static struct {
  /* With the collector's lock. */
  struct hp_log_batch
      *batches; /* HP_LOG_BATCHES, mapped with the first chunk */
  struct hp_log_batch *filling; /* one of them; NULL: to be looked for */
  /* Of the last so many, by their number: where they are in `batches`. */
  uint8_t places[HP_LOG_BATCHES];
  void (*write)(uint64_t until); /* waits for the disk; NULL: nobody does */
  bool overrun;
  /* With the encoder's lock. */
  struct hp_lock encoding;
  struct encoder *encoder;
  /* Batches that were filled; how many of them are blocks; how many of these have
     left the queue. */
  uint64_t filled, encoded, written;
  struct hp_log_counts counts;
  struct hp_log_file files[HP_LOG_FILES]; /* with the writer's lock */
  bool has_stopped; /* for the reason that is among the counts */
} chunk_log;

static void add(uint64_t *count, uint64_t more) {
  __atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

static uint64_t read_count(const uint64_t *count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

/* ---- from batches to blocks ---------------------------------------------- */

/* What is not said of CHUNK is not copied: it would be a third of the lines. */
HP_INLINE void copy(struct hp_chunk_log *to, const struct hp_chunk_log *chunk) {
  __builtin_memcpy(to, chunk, offsetof(struct hp_chunk_log, free_stack));
  if (HP_UNLIKELY(chunk->flags & HP_CHUNK_GROWN))
    *to = *chunk;
}

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
        runs[count - 1].weight != weight) {
      runs[count++] =
          (struct hp_chunk_run){.point = chunk->point, .weight = weight};
      encoder->begin[count - 1] = (uint16_t)i;
    }
    runs[count - 1].count++;
  }
  return count;
}

/* Puts runs FIRST ... END - 1, of one point, behind those of their file; PARTS have
   a file each. */
static size_t add_runs(struct encoder *encoder, size_t parts, uint32_t file,
                       size_t first, size_t end) {
  struct part *part = encoder->parts, *const last = part + parts;
  while (part < last && part->file != file)
    part++;
  HP_CHECK(part < encoder->parts + PARTS_MAX);
  if (part == last)
    *part = (struct part){file, (uint16_t)first, (uint16_t)first};
  else
    encoder->next[part->last] = (uint16_t)first;
  for (size_t i = first; i < end; i++)
    encoder->next[i] = i + 1 < end ? (uint16_t)(i + 1) : NO_RUN;
  part->last = (uint16_t)(end - 1);
  return parts + (part == last);
}

/* Says which runs go into which file; how many files. */
static size_t make_parts(struct encoder *encoder, size_t runs, size_t batch) {
  size_t parts = 0, end;
  for (size_t first = 0; first < runs; first = end) {
    const uint32_t point = encoder->runs[first].point;
    size_t count = 0;
    for (end = first; end < runs && encoder->runs[end].point == point; end++)
      count += encoder->runs[end].count;
    parts = add_runs(encoder, parts, hp_log_file_of(point, count, batch), first,
                     end);
  }
  return parts;
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
    if (encoder)
      hp_block_maker_start(&encoder->maker, log_level());
    chunk_log.encoder = encoder;
  }
  return chunk_log.encoder;
}

/* Appends the block of PART to TO. */
static int encode_part(struct encoder *encoder, const struct part *part,
                       struct hp_bytes *to) {
  size_t runs = 0, chunks = 0;
  for (uint16_t r = part->first; r != NO_RUN; r = encoder->next[r]) {
    const struct hp_chunk_run *run = &encoder->runs[r];
    encoder->part_runs[runs++] = *run;
    for (size_t i = 0; i < run->count; i++) {
      const struct hp_chunk_log *chunk =
          encoder->order[encoder->begin[r] + i].chunk;
      copy(&encoder->sorted[chunks++], chunk);
    }
  }
  encoder->payload.size = 0;
  encoder->payload.failed = false;
  hp_put_chunk_columns(&encoder->payload, encoder->part_runs, runs,
                       encoder->sorted);
  hp_log_entry_add(to, part->file);
  return to->failed ? -ENOMEM
                    : hp_block_make(&encoder->maker, HP_BLOCK_CHUNKS, chunks,
                                    &encoder->payload, to);
}

/* Appends BATCH to TO, an entry of the queue or one of the same form; all of it or
   nothing. */
static int encode(const struct hp_log_batch *batch, struct hp_bytes *to) {
  struct encoder *encoder = get_encoder();
  if (!encoder)
    return -ENOMEM;
  sort_batch(encoder, batch);
  const size_t parts =
      make_parts(encoder, make_runs(encoder, batch), batch->count);
  const size_t before = to->size;
  int error = 0;
  for (size_t i = 0; i < parts && !error; i++)
    error = encode_part(encoder, &encoder->parts[i], to);
  hp_block_maker_rest(&encoder->maker);
  if (error)
    to->size = before;
  return error;
}

/* The same into the encoder's own entry. */
static int encode_entry(const struct hp_log_batch *batch) {
  struct encoder *encoder = get_encoder();
  if (!encoder)
    return -ENOMEM;
  encoder->entry.failed = false;
  hp_log_entry_begin(&encoder->entry);
  const int error =
      encoder->entry.failed ? -ENOMEM : encode(batch, &encoder->entry);
  if (!error)
    hp_log_entry_end(&encoder->entry);
  return error;
}

static struct hp_log_batch *batch_of(uint64_t number) {
  return &chunk_log.batches[chunk_log.places[number % HP_LOG_BATCHES]];
}

/* Makes the oldest filled batch an entry of the queue.  False: there is none, or
   no room. */
static bool encode_next(void) {
  hp_lock_take(&chunk_log.encoding);
  bool done = chunk_log.encoded != read_count(&chunk_log.filled);
  if (done) {
    struct hp_log_batch *batch = batch_of(chunk_log.encoded);
    int error = batch->count ? encode_entry(batch) : 0;
    done =
        error || !batch->count || hp_log_queue_put(&chunk_log.encoder->entry);
    if (error) {
      add(&chunk_log.counts.dropped, batch->count);
      hp_log_stop(hp_sys_error_text(error));
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

/* The first place that no batch which waits has: the others are not touched as
   long as one waits at a time. */
static uint8_t free_place(void) {
  bool taken[HP_LOG_BATCHES] = {false};
  uint8_t place = 0;
  for (uint64_t n = read_count(&chunk_log.encoded); n != chunk_log.filled; n++)
    taken[chunk_log.places[n % HP_LOG_BATCHES]] = true;
  while (taken[place])
    place++;
  return place;
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
      hp_log_stop(hp_sys_error_text(-ENOMEM));
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
  chunk_log.places[chunk_log.filled % HP_LOG_BATCHES] = free_place();
  chunk_log.filling = batch_of(chunk_log.filled);
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
  copy(&batch->chunks[batch->count++], chunk);
  return true;
}

static HP_NOINLINE uint32_t weigh(uint32_t point) {
  return hp_log_weigh(point);
}

/* No other thread writes this count, and most chunks end here: no atomic
   addition. */
HP_INLINE void leave_out(void) {
  __atomic_store_n(&chunk_log.counts.thinned, chunk_log.counts.thinned + 1,
                   __ATOMIC_RELAXED);
}

static HP_NOINLINE void append(struct hp_log_batch *batch,
                               const struct hp_chunk_log *chunk) {
  if (batch && put(batch, chunk, weigh(chunk->point))) {
    if (batch->count == BATCH_CHUNKS) {
      end_batch();
      hp_writer_ask(HP_WRITE_LOG);
    }
  } else if (batch || keeps_none()) {
    leave_out();
  } else {
    add(&chunk_log.counts.dropped, 1);
  }
}

/* The budget is asked only where there is room: a chunk that is dropped takes
   nothing of it. */
void hp_log_append(const struct hp_chunk_log *chunk) {
  struct hp_log_batch *batch = NULL;
  if (HP_LIKELY(!hp_log_has_stopped()))
    batch = HP_LIKELY(chunk_log.filling) ? chunk_log.filling : find_batch();
  if (HP_LIKELY(batch) && HP_LIKELY(hp_log_passes(chunk->point)))
    leave_out();
  else
    append(batch, chunk);
}

void hp_log_wait(void (*write)(uint64_t until)) {
  chunk_log.write = write;
  chunk_log.overrun = false;
}

uint64_t hp_log_filled(void) { return read_count(&chunk_log.filled); }

uint64_t hp_log_seal(void) {
  if (chunk_log.filling && chunk_log.filling->count)
    end_batch();
  return chunk_log.filled;
}

/* ---- to disk ------------------------------------------------------------- */

bool hp_log_first_entry(uint64_t until, struct hp_bytes *entry) {
  while (chunk_log.written != until) {
    if (chunk_log.written == read_count(&chunk_log.encoded))
      encode_next(); /* or another thread does */
    else if (hp_log_queue_first(entry))
      return true;
    else
      chunk_log.written++;
  }
  return false;
}

void hp_log_note_part(const struct hp_log_part *part, bool kept) {
  const uint64_t items = hp_block_head(part->block.data).items;
  add(kept ? &chunk_log.counts.chunks : &chunk_log.counts.dropped, items);
  if (kept)
    chunk_log.files[part->file].chunks += items;
}

/* A batch counts as written once its entry is off the queue. */
void hp_log_leave_entry(const struct hp_bytes *entry) {
  hp_log_queue_leave(entry->size);
  chunk_log.written++;
}

void hp_log_note_file(uint32_t file, uint64_t size) {
  struct hp_log_file *of = &chunk_log.files[file];
  of->size = size;
  if (!size) { /* it could not be kept whole */
    add(&chunk_log.counts.dropped, of->chunks);
    chunk_log.counts.chunks -= of->chunks;
    of->chunks = 0;
  }
}

uint64_t hp_log_file_size(uint32_t file) { return chunk_log.files[file].size; }

uint64_t hp_log_file_count(void) {
  uint64_t count = 0;
  for (uint32_t file = 0; file < HP_LOG_FILES; file++)
    count += chunk_log.files[file].size != 0;
  return count;
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
      chunk_log.counts.failure == hp_sys_error_text(-ENOMEM))
    __atomic_store_n(&chunk_log.has_stopped, false, __ATOMIC_RELEASE);
}

/* ---- live chunks --------------------------------------------------------- */

static void encode_live(struct hp_log_live *live) {
  struct hp_log_batch *batch = live->batch;
  hp_lock_take(&chunk_log.encoding);
  if (!live->parts.size)
    hp_log_entry_begin(&live->parts);
  int error = encode(batch, &live->parts);
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
  if (batch && put(batch, chunk, all ? 1 : weigh(chunk->point))) {
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
  hp_bytes_free(&live->parts);
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
            chunk_log.encoder->entry.capacity + hp_log_queue_memory();
  return size;
}

static void free_encoder(void) {
  struct encoder *encoder = chunk_log.encoder;
  if (encoder) {
    hp_bytes_free(&encoder->payload);
    hp_bytes_free(&encoder->entry);
    hp_block_maker_rest(&encoder->maker);
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
  hp_clear(chunk_log.files, sizeof chunk_log.files);
  hp_log_forget_files();
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
