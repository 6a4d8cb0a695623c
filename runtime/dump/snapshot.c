/* snapshot.c - see snapshot.h: modules, live chunks and aggregates, encoded as they are.
   For want of memory a whole dump leaves out what is known of live chunks one by one,
   or all sums, so that it has its log.  What else cannot be had makes it fail.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/snapshot.h"

#include <errno.h>

#include "chunk/contents.h"
#include "chunk/overrun.h"
#include "chunk/page_facts.h"
#include "chunk/pooled.h"
#include "chunk/resizes.h"
#include "chunk/watch.h"
#include "dump/callers.h"
#include "dump/heap_regions.h"
#include "dump/live_list.h"
#include "dump/mappings.h"
#include "dump/put_members.h"
#include "leak/leak_record.h"
#include "options/options.h"
#include "origin/module.h"
#include "profile/aggregate.h"
#include "profile/free_site.h"
#include "profile/log_budget.h"
#include "profile/marks.h"
#include "profile/thread_sums.h"
#include "system/check.h"
#include "system/clock.h"
#include "system/error_text.h"

#define CHECKPOINT_LIVE_MAX ((uint64_t)1 << 20) /* chunks */

struct hp_snapshot hp_snapshot;
void (*hp_snapshot_ahead)(struct hp_bytes *blocks);

/* ---- modules ------------------------------------------------------------- */

static void put_module(const struct hp_module *module, const char *path,
                       const uint8_t *build_id, const uint8_t *hooked,
                       void *arg) {
  struct hp_bytes *part = arg;
  hp_put_text_field(part, HP_MODULE_path, path);
  hp_put_u64_field(part, HP_MODULE_bias, module->bias);
  hp_put_u64_field(part, HP_MODULE_start, module->start);
  hp_put_u64_field(part, HP_MODULE_end, module->end);
  if (module->build_id_size)
    hp_put_bytes_field(part, HP_MODULE_build_id, build_id,
                       module->build_id_size);
  hp_put_u64_field(part, HP_MODULE_loaded, hp_clock_in_window(module->loaded));
  if (module->unloaded)
    hp_put_u64_field(part, HP_MODULE_unloaded,
                     hp_clock_in_window(module->unloaded));
  hp_put_u64_field(part, HP_MODULE_hooked_functions, module->hooked_functions);
  if (module->hooked_functions)
    hp_put_bytes_field(part, HP_MODULE_hooked, hooked, module->hooked_size);
  hp_records_add(&hp_snapshot.modules, HP_BLOCK_MODULES, part);
}

/* HELD: the caller has the lock.  Else they may be left out: whoever has it may
   be waiting for a thread that waits for us. */
static void take_modules(bool held) {
  struct hp_bytes part = {0};
  if (!held && !hp_modules_try_lock())
    return;
  hp_modules_each(put_module, &part);
  hp_records_end_block(&hp_snapshot.modules, HP_BLOCK_MODULES);
  if (hp_modules_lost() || part.failed ||
      hp_records_are_lost(&hp_snapshot.modules))
    hp_snapshot.error = -ENOMEM;
  hp_snapshot.has_modules = true;
  if (!held)
    hp_modules_unlock();
  hp_bytes_free(&part);
}

bool hp_snapshot_take_modules(void) {
  const int error = hp_snapshot.error;
  hp_snapshot.error = 0;
  take_modules(false);
  if (hp_snapshot.error)
    hp_snapshot_free_modules();
  hp_snapshot.error = error;
  return hp_snapshot.has_modules;
}

void hp_snapshot_free_modules(void) {
  hp_records_free(&hp_snapshot.modules);
  hp_snapshot.has_modules = false;
}

/* ---- aggregates ---------------------------------------------------------- */

/* Of the live chunks of POINT there is no more than the sums say: neither which
   are lost, nor what was accessed. */
static void leave_out(uint32_t point) {
  struct hp_dump_totals *totals = &hp_snapshot.totals;
  const uint64_t live = hp_aggregate_doubt(point, 0, 0);
  hp_snapshot.undescribed += live;
  hp_snapshot.live.dropped += live;
  if (live)
    hp_snapshot.log_failure = hp_sys_error_text(-ENOMEM);
  if (live && totals->leak_check)
    totals->leak_check = "there was no memory to look at all live chunks";
}

/* A field of the numbers that SUM, of SIZE bytes, consists of. */
static void put_numbers(struct hp_bytes *part, uint32_t tag, const void *sum,
                        size_t size) {
  uint8_t list[sizeof(struct hp_content_bits) / sizeof(uint64_t) *
               HP_VARINT_MAX]; /* the largest */
  uint8_t *end = list;
  const uint64_t *numbers = sum;
  HP_CHECK(size <= sizeof(struct hp_content_bits));
  for (size_t i = 0; i < size / sizeof *numbers; i++)
    end = hp_varint_at(end, numbers[i]);
  hp_put_bytes_field(part, tag, list, (size_t)(end - list));
}

static void put_overrun(struct hp_bytes *part,
                        struct hp_overrun_entry overrun) {
  const uint64_t numbers[] = {overrun.beyond, overrun.read_pc, overrun.write_pc,
                              overrun.flags};
  if (overrun.point)
    put_numbers(part, HP_AGGREGATE_overrun, numbers, sizeof numbers);
}

/* Samples do not show what a thread allocated in between. */
static void put_recycled(struct hp_bytes *part, uint32_t point) {
  const uint64_t count = hp_thread_temporary(point);
  const bool is_sampled = hp_options.sample_every || hp_options.sample_bytes;
  if (is_sampled || count == UINT64_MAX)
    return;
  hp_put_u64_field(part, HP_AGGREGATE_temporary, count);
  hp_put_u64_field(part, HP_AGGREGATE_generations,
                   hp_aggregate_generations(point));
}

/* What a dump is to say of live chunks, and of which. */
struct taking {
  bool
      found; /* those of the points before `until` are in the list (live_list.h) */
  bool fails; /* the aggregates do: the log alone says what there was */
  bool log;   /* appends them to the log as well; of a checkpoint, for which the
                 program waits, no pages are asked for either */
  uint64_t end;
  const struct hp_live_chunks *live;
  uint32_t points;         /* of the aggregates */
  uint32_t until;          /* point; UINT32_MAX: there are no more */
  uint64_t chunks_at_once; /* in the list, and those of one point */
};

/* Of how many chunks of POINT, of which live ones come to SUM, nothing can be said
   for sure. */
static uint64_t doubt_of(const struct taking *taking, uint32_t point,
                         struct hp_live_sum sum) {
  if (!taking->found && taking->log)
    leave_out(point);
  else if (!taking->found)
    hp_snapshot.error = -ENOMEM; /* the checkpoint before says more */
  else if (!taking->fails)
    return hp_aggregate_doubt(point, sum.chunks, sum.bytes);
  return 0;
}

/* What is known of a point's chunks, of those that ended and of those that live. */
struct sums {
  struct hp_page_facts pages;
  struct hp_contents_sum contents;
  struct hp_content_bits bits;
  struct hp_initialised_sum initialised;
  struct hp_live_members members;
};

/* One whose reference is odd has ended (live_view.c). */
static void add_initialised(struct hp_initialised_sum *sum,
                            const struct hp_chunk_reference *live) {
  const struct hp_chunk *chunk = live->chunk;
  if ((uintptr_t)chunk & 1 || !live->point || !hp_heap_holds(chunk))
    return;
  const struct hp_cold *cold = hp_cold_of(chunk);
  const uint64_t word = __atomic_load_n(&cold->word, __ATOMIC_ACQUIRE);
  if (word & HP_RECORD_LIVE && word & HP_RECORD_EXACT && cold->t0 == live->t0)
    hp_watch_add_live(chunk, cold, sum);
}

/* The live chunks of POINT: of one look at each, since threads that do not allocate
   go on with their accesses. */
static void put_live(const struct taking *taking, bool is_known,
                     bool has_record, struct sums *sums) {
  struct hp_chunk_log chunk;
  struct hp_live_batch batch;
  while (hp_live_list_next(&batch))
    for (size_t i = 0; i < batch.count; i++) {
      if (taking->log) {
        hp_page_facts_add_live(&sums->pages, &batch.references[i]);
        hp_contents_add_live(&sums->contents, &sums->bits,
                             &batch.references[i]);
        add_initialised(&sums->initialised, &batch.references[i]);
      }
      hp_put_members_add_live(&sums->members, &batch.chunks[i]);
      if (!is_known)
        continue;
      chunk = batch.chunks[i];
      chunk.flags |= hp_leak_flags(batch.references[i].chunk);
      if (taking->log)
        hp_log_append_live(&hp_snapshot.live, &chunk);
      if (has_record)
        hp_aggregate_put_live(&chunk, 1);
    }
}

static void put_sums(struct hp_bytes *part, uint32_t point,
                     const struct sums *sums) {
  const struct hp_page_facts *pages = &sums->pages;
  const struct hp_contents_sum *contents = &sums->contents;
  const struct hp_content_bits *bits = &sums->bits;
  const struct hp_initialised_sum *initialised = &sums->initialised;
  const struct hp_resize_sum resizes = hp_resizes_of(point);
  const struct hp_teardown_sum teardown = hp_teardown_of(point);
  if (resizes.calls)
    put_numbers(part, HP_AGGREGATE_resizes, &resizes, sizeof resizes);
  if (teardown.watched)
    put_numbers(part, HP_AGGREGATE_teardown, &teardown, sizeof teardown);
  if (pages->large.chunks)
    put_numbers(part, HP_AGGREGATE_pages, &pages->large, sizeof pages->large);
  if (pages->sampled.chunks)
    put_numbers(part, HP_AGGREGATE_sampled_pages, &pages->sampled,
                sizeof pages->sampled);
  if (pages->stale.chunks)
    put_numbers(part, HP_AGGREGATE_stale, &pages->stale, sizeof pages->stale);
  const struct hp_block_sum blocks = hp_blocks_of(point);
  if (blocks.chunks)
    put_numbers(part, HP_AGGREGATE_blocks, &blocks, sizeof blocks);
  if (contents->chunks)
    put_numbers(part, HP_AGGREGATE_contents, contents, sizeof *contents);
  if (contents->chunks && bits->chunks == contents->chunks)
    put_numbers(part, HP_AGGREGATE_content_bits, bits->words,
                sizeof bits->words);
  if (initialised->chunks)
    put_numbers(part, HP_AGGREGATE_initialised, initialised,
                sizeof *initialised);
}

static void put_point(const struct taking *taking, uint32_t point,
                      struct hp_bytes *part) {
  struct sums sums = {.pages = hp_page_facts_of(point),
                      .contents = hp_contents_sum_of(point),
                      .initialised = hp_initialised_of(point)};
  hp_contents_bits_of(&sums.bits, point);
  const uint64_t doubt = doubt_of(taking, point, hp_live_list_begin(point));
  hp_snapshot.unsettled += doubt;
  const bool has_record =
      hp_aggregate_put_begin(point, hp_clock_in_window(taking->end));
  put_live(taking, !doubt, has_record, &sums);
  if (!has_record)
    return;
  hp_aggregate_put_end(part);
  hp_callers_count(point);
  put_recycled(part, point);
  hp_leak_put_held(part, point);
  put_overrun(part, hp_overrun_of(point));
  put_sums(part, point, &sums);
  hp_put_members(part, point, &sums.members);
  hp_records_add(&hp_snapshot.aggregates, HP_BLOCK_AGGREGATES, part);
}

/* Live chunks that are sorted at once: all of a small heap, an eighth of a large one,
   so that the list is small and the heap is walked nine times at most. */
#define LIVE_AT_ONCE ((uint64_t)1 << 17)
#define LIVE_PARTS 8u

static uint64_t chunks_at_once(const struct hp_aggregate_totals *aggregates) {
  const uint64_t part = (aggregates->chunks + aggregates->pooled) / LIVE_PARTS;
  if (aggregates->failed)
    return UINT64_MAX;
  return part > LIVE_AT_ONCE ? part : LIVE_AT_ONCE;
}

/* Makes the list that of the next points.  False without memory. */
static bool find_next(struct taking *taking) {
  const uint32_t first = taking->until;
  uint64_t chunks = 0;
  uint32_t until = first;
  while (until < taking->points && chunks < taking->chunks_at_once)
    chunks += hp_aggregate_live(until++);
  taking->until = until < taking->points ? until : UINT32_MAX;
  return hp_live_list_find(taking->live, taking->end, first, taking->until);
}

/* Records and their blocks are fetched so many points ahead. */
#define PUT_FAR 8u
#define PUT_NEAR 4u

static void put_points(struct taking *taking, struct hp_bytes *part) {
  for (uint32_t point = 0;
       point < taking->points || hp_live_list_reaches(point); point++) {
    if (taking->found && point >= taking->until && !find_next(taking)) {
      hp_snapshot.error = -ENOMEM;
      return;
    }
    hp_aggregate_prefetch_put(point + PUT_FAR, point + PUT_NEAR);
    put_point(taking, point, part);
  }
}

static void put_aggregates(const struct hp_live_chunks *live, bool found,
                           uint64_t end, bool log) {
  struct hp_bytes part = {0};
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  struct taking taking = {.found = found,
                          .fails = aggregates.failed,
                          .log = log,
                          .end = end,
                          .live = live,
                          .points = aggregates.points,
                          .chunks_at_once = chunks_at_once(&aggregates)};
  if (found && !find_next(&taking))
    hp_snapshot.error = -ENOMEM;
  hp_callers_start();
  hp_contents_begin_dump();
  hp_blocks_judge(end);
  hp_snapshot.aggregates.ahead =
      hp_snapshot.is_ahead && !aggregates.failed ? hp_snapshot_ahead : NULL;
  hp_snapshot.short_ticks = aggregates.short_ticks;
  hp_snapshot.unsettled = aggregates.orphans;
  if (!hp_snapshot.error)
    put_points(&taking, &part);
  hp_contents_end_dump();
  hp_records_end_block(&hp_snapshot.aggregates, HP_BLOCK_AGGREGATES);
  hp_callers_take(hp_snapshot.totals.frees);
  if (aggregates.failed)
    hp_callers_free();
  if (log)
    hp_log_end_live(&hp_snapshot.live);
  if (hp_snapshot.live.error)
    hp_snapshot.log_failure = hp_sys_error_text(hp_snapshot.live.error);
  hp_snapshot.has_aggregates = !aggregates.failed;
  if (part.failed || (aggregates.failed && !log))
    hp_snapshot.error = -ENOMEM;
  hp_bytes_free(&part);
}

static void put_frees(void) {
  struct hp_bytes part = {0};
  for (uint32_t i = 0; i < hp_free_site_count(); i++)
    if (hp_free_site_put(&part, i))
      hp_records_add(&hp_snapshot.frees, HP_BLOCK_FREES, &part);
  hp_records_end_block(&hp_snapshot.frees, HP_BLOCK_FREES);
  if (part.failed || hp_records_are_lost(&hp_snapshot.frees))
    hp_snapshot.error = -ENOMEM;
  hp_bytes_free(&part);
}

static void put_all(const struct hp_live_chunks *live, bool found, uint64_t end,
                    bool log) {
  put_aggregates(live, found, end, log);
  put_frees();
  hp_mappings_take(&hp_snapshot.mappings);
  hp_heap_regions_take(live);
  hp_snapshot.intervals =
      hp_aggregate_put_timeline(&hp_snapshot.timeline, hp_clock_in_window(end));
  if (hp_records_are_lost(&hp_snapshot.aggregates) ||
      hp_snapshot.timeline.failed)
    hp_snapshot.error = -ENOMEM;
}

static void forget_aggregates(void) {
  hp_records_free(&hp_snapshot.aggregates);
  hp_records_free(&hp_snapshot.frees);
  hp_records_free(&hp_snapshot.mappings);
  hp_callers_free();
  hp_heap_regions_free();
  hp_bytes_free(&hp_snapshot.timeline);
  hp_log_free_live(&hp_snapshot.live);
  hp_snapshot.unsettled = hp_snapshot.undescribed = 0;
  hp_snapshot.log_failure = NULL;
}

static void take_aggregates(const struct hp_live_chunks *live, uint64_t end,
                            bool log) {
  const int error = hp_snapshot.error;
  put_all(live, true, end, log);
  hp_live_list_free();
  if (hp_snapshot.error == error || !log)
    return;
  /* Without what took the memory there is enough for the rest. */
  if (hp_snapshot.aggregates.ahead)
    hp_snapshot.aggregates.ahead(NULL);
  forget_aggregates();
  hp_snapshot.error = error;
  put_all(live, false, end, log);
}

/* ---- a moment ------------------------------------------------------------ */

void hp_snapshot_free(void) {
  hp_records_free(&hp_snapshot.modules);
  hp_records_rest();
  forget_aggregates();
  hp_snapshot = (struct hp_snapshot){0};
}

/* To sort what is live takes 24 bytes and 0.2 us a chunk, while the program
   waits. */
static bool is_affordable(void) {
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  return aggregates.chunks + aggregates.pooled <= CHECKPOINT_LIVE_MAX;
}

void hp_dump_take(enum hp_dump_kind kind, const struct hp_dump_totals *totals,
                  const struct hp_live_chunks *live) {
  hp_snapshot_free();
  hp_snapshot.totals = *totals;
  hp_snapshot.is_ahead = kind != HP_DUMP_COPY;
  hp_snapshot.log_end = hp_log_seal();
  hp_snapshot.log = hp_log_counts();
  hp_marks(&hp_snapshot.marks, &hp_snapshot.lost_marks);
  take_modules(kind != HP_DUMP_CHECKPOINT);
  if (kind == HP_DUMP_COPY)
    hp_log_set_aside();
  if (kind != HP_DUMP_CHECKPOINT || is_affordable())
    take_aggregates(live, totals->end, kind != HP_DUMP_CHECKPOINT);
  if (kind == HP_DUMP_COPY)
    hp_log_put_back();
}
