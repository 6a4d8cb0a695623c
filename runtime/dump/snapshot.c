/* snapshot.c - see snapshot.h: modules, live chunks and aggregates, encoded as they are.
   For want of memory a whole dump leaves out what is known of live chunks one by one,
   or all sums, so that it has its log.  What else cannot be had makes it fail.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/snapshot.h"

#include <errno.h>

#include "chunk/overrun.h"
#include "chunk/page_facts.h"
#include "chunk/resizes.h"
#include "dump/callers.h"
#include "dump/mappings.h"
#include "encode/chunk_order.h"
#include "encode/dump_failure.h"
#include "leak/leak_record.h"
#include "options/options.h"
#include "origin/module.h"
#include "profile/aggregate.h"
#include "profile/free_site.h"
#include "profile/log_budget.h"
#include "profile/marks.h"
#include "profile/thread_sums.h"
#include "system/clock.h"
#include "system/memory.h"

#define CHECKPOINT_LIVE_MAX ((uint64_t)1 << 20) /* chunks */

struct hp_snapshot hp_snapshot;

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
  hp_records_add(&hp_snapshot.modules, part);
}

/* HELD: the caller has the lock.  Else they may be left out: whoever has it may
   be waiting for a thread that waits for us. */
static void take_modules(bool held) {
  struct hp_bytes part = {0};
  if (!held && !hp_modules_try_lock())
    return;
  hp_modules_each(put_module, &part);
  hp_records_end_block(&hp_snapshot.modules);
  if (hp_modules_lost() || part.failed ||
      hp_records_are_lost(&hp_snapshot.modules))
    hp_snapshot.error = -ENOMEM;
  hp_snapshot.has_modules = true;
  if (!held)
    hp_modules_unlock();
  hp_bytes_free(&part);
}

/* ---- live chunks --------------------------------------------------------- */

static void note_live(const struct hp_chunk_reference *live, void *arg) {
  hp_put_bytes(arg, live, sizeof *live);
}

/* Takes down what is live at END, by point and time; what ended meanwhile was
   perhaps seen twice.  False without memory. */
static bool find_live(const struct hp_live_chunks *live, uint64_t end,
                      struct hp_bytes *found) {
  live->each(end, note_live, found);
  if (!found->size || found->failed)
    return !found->failed;
  struct hp_chunk_reference *r = (void *)found->data;
  const size_t size = found->size + HP_CHUNK_ORDER_SPARE * sizeof *r;
  struct hp_chunk_reference *scratch = hp_sys_map(size);
  if (!scratch)
    return false;
  size_t count = found->size / sizeof *r, kept = 1;
  hp_chunk_order_sort(r, count, scratch);
  hp_sys_unmap(scratch, size);
  for (size_t i = 1; i < count; i++)
    if (r[i].t0 != r[kept - 1].t0 || r[i].thread != r[kept - 1].thread ||
        r[i].point != r[kept - 1].point)
      r[kept++] = r[i];
  found->size = kept * sizeof *r;
  return true;
}

/* ---- aggregates ---------------------------------------------------------- */

/* Describes the live chunks of POINT, from *NEXT on, into CHUNKS; adds what
   their pages say to PAGES, unless it is NULL.  False without memory for all. */
static bool describe_point(const struct hp_bytes *found, size_t *next,
                           uint32_t point, const struct hp_live_chunks *live,
                           uint64_t end, struct hp_bytes *chunks,
                           struct hp_page_facts *pages) {
  const struct hp_chunk_reference *references = (const void *)found->data;
  size_t count = found->size / sizeof *references, first = *next;
  while (*next < count && references[*next].point == point)
    ++*next;
  chunks->size = 0;
  if (!hp_bytes_reserve(chunks,
                        (*next - first) * sizeof(struct hp_chunk_log))) {
    hp_bytes_free(chunks); /* the next point may need less */
    return false;
  }
  for (size_t i = first; i < *next; i++) {
    struct hp_chunk_log chunk;
    live->describe(&references[i], end, &chunk);
    chunk.flags |= hp_leak_flags(references[i].chunk);
    hp_put_bytes(chunks, &chunk, sizeof chunk);
    if (pages)
      hp_page_facts_add_live(pages, &references[i]);
  }
  return true;
}

/* Of the live chunks of POINT there is no more than the sums say: neither which
   are lost, nor what was accessed. */
static void leave_out(uint32_t point) {
  struct hp_dump_totals *totals = &hp_snapshot.totals;
  const uint64_t live = hp_aggregate_doubt(point, NULL, 0);
  hp_snapshot.undescribed += live;
  hp_snapshot.live.dropped += live;
  if (live)
    hp_snapshot.log_failure = hp_dump_failure_text(-ENOMEM);
  if (live && totals->leak_check)
    totals->leak_check = "there was no memory to look at all live chunks";
}

static void put_pages(struct hp_bytes *part, uint32_t tag,
                      const struct hp_page_sum *pages) {
  uint8_t list[HP_PAGE_SUM_COUNT * HP_VARINT_MAX], *end = list;
#define PUT(name) end = hp_varint_at(end, pages->name);
  HP_PAGE_SUMS(PUT)
#undef PUT
  if (pages->chunks)
    hp_put_bytes_field(part, tag, list, (size_t)(end - list));
}

static void put_resizes(struct hp_bytes *part, struct hp_resize_sum resizes) {
  uint8_t list[HP_RESIZE_SUM_COUNT * HP_VARINT_MAX], *end = list;
#define PUT(name) end = hp_varint_at(end, resizes.name);
  HP_RESIZE_SUMS(PUT)
#undef PUT
  if (resizes.calls)
    hp_put_bytes_field(part, HP_AGGREGATE_resizes, list, (size_t)(end - list));
}

static void put_overrun(struct hp_bytes *part,
                        struct hp_overrun_entry overrun) {
  const uint64_t numbers[] = {overrun.beyond, overrun.read_pc, overrun.write_pc,
                              overrun.flags};
  uint8_t list[4 * HP_VARINT_MAX], *end = list;
  for (size_t i = 0; i < 4; i++)
    end = hp_varint_at(end, numbers[i]);
  if (overrun.point)
    hp_put_bytes_field(part, HP_AGGREGATE_overrun, list, (size_t)(end - list));
}

/* Samples do not show what a thread allocated in between. */
static void put_temporary(struct hp_bytes *part, uint32_t point) {
  const uint64_t count = hp_thread_temporary(point);
  const bool is_sampled = hp_options.sample_every || hp_options.sample_bytes;
  if (!is_sampled && count != UINT64_MAX)
    hp_put_u64_field(part, HP_AGGREGATE_temporary, count);
}

/* The aggregates with FOUND, which is what is LIVE at END; FAILED: of a part of
   it at most.  LOG: appends that to the log as well, of one look at each chunk:
   threads that do not allocate go on with their accesses.  Of a checkpoint, for
   which the program waits, no pages are asked for. */
static void put_aggregates(const struct hp_bytes *found,
                           const struct hp_live_chunks *live, uint64_t end,
                           bool log) {
  struct hp_bytes chunks = {0}, part = {0};
  size_t next = 0, size = sizeof(struct hp_chunk_reference);
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  hp_callers_start();
  hp_snapshot.short_ticks = aggregates.short_ticks;
  hp_snapshot.unsettled = aggregates.orphans;
  for (uint32_t point = 0;
       point < aggregates.points || next < found->size / size; point++) {
    struct hp_page_facts pages = hp_page_facts_of(point);
    const bool described = describe_point(found, &next, point, live, end,
                                          &chunks, log ? &pages : NULL) &&
                           !found->failed;
    const struct hp_chunk_log *of_point = (const void *)chunks.data;
    size_t count = chunks.size / sizeof *of_point;
    uint64_t doubt = 0;
    if (HP_LIKELY(described && !aggregates.failed))
      doubt = hp_aggregate_doubt(point, of_point, count);
    else if (described)
      ; /* the log alone says what there was */
    else if (log)
      leave_out(point);
    else
      hp_snapshot.error = -ENOMEM; /* the checkpoint before says more */
    if (HP_UNLIKELY(doubt != 0)) {
      hp_snapshot.unsettled += doubt;
      count = 0;
    }
    for (size_t i = 0; log && i < count; i++)
      hp_log_append_live(&hp_snapshot.live, &of_point[i]);
    if (hp_aggregate_put(&part, point, hp_clock_in_window(end), of_point,
                         count)) {
      hp_callers_count(point);
      put_temporary(&part, point);
      hp_leak_put_held(&part, point);
      put_overrun(&part, hp_overrun_of(point));
      put_resizes(&part, hp_resizes_of(point));
      put_pages(&part, HP_AGGREGATE_pages, &pages.large);
      put_pages(&part, HP_AGGREGATE_sampled_pages, &pages.sampled);
      hp_records_add(&hp_snapshot.aggregates, &part);
    }
  }
  hp_records_end_block(&hp_snapshot.aggregates);
  hp_callers_take(hp_snapshot.totals.frees);
  if (aggregates.failed)
    hp_callers_free();
  if (log)
    hp_log_end_live(&hp_snapshot.live);
  if (hp_snapshot.live.error)
    hp_snapshot.log_failure = hp_dump_failure_text(hp_snapshot.live.error);
  hp_snapshot.has_aggregates = !aggregates.failed;
  if (part.failed || (aggregates.failed && !log))
    hp_snapshot.error = -ENOMEM;
  hp_bytes_free(&chunks);
  hp_bytes_free(&part);
}

static void put_frees(void) {
  struct hp_bytes part = {0};
  for (uint32_t i = 0; i < hp_free_site_count(); i++)
    if (hp_free_site_put(&part, i))
      hp_records_add(&hp_snapshot.frees, &part);
  hp_records_end_block(&hp_snapshot.frees);
  if (part.failed || hp_records_are_lost(&hp_snapshot.frees))
    hp_snapshot.error = -ENOMEM;
  hp_bytes_free(&part);
}

static void put_all(const struct hp_bytes *found,
                    const struct hp_live_chunks *live, uint64_t end, bool log) {
  put_aggregates(found, live, end, log);
  put_frees();
  hp_mappings_take(&hp_snapshot.mappings);
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
  hp_bytes_free(&hp_snapshot.timeline);
  hp_log_free_live(&hp_snapshot.live);
  hp_snapshot.unsettled = hp_snapshot.undescribed = 0;
  hp_snapshot.log_failure = NULL;
}

static void take_aggregates(const struct hp_live_chunks *live, uint64_t end,
                            bool log) {
  struct hp_bytes found = {0};
  const int error = hp_snapshot.error;
  bool found_all = find_live(live, end, &found);
  if (found_all) {
    put_all(&found, live, end, log);
    found_all = hp_snapshot.error == error || !log;
  }
  hp_bytes_free(&found);
  if (found_all)
    return;
  /* Without what took the memory there is enough for the rest. */
  forget_aggregates();
  hp_snapshot.error = error;
  found.failed = true;
  put_all(&found, live, end, log);
}

/* ---- a moment ------------------------------------------------------------ */

void hp_snapshot_free(void) {
  hp_records_free(&hp_snapshot.modules);
  forget_aggregates();
  hp_snapshot = (struct hp_snapshot){0};
}

/* To sort what is live takes 48 bytes and 0.2 us a chunk, while the program
   waits. */
static bool is_affordable(void) {
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  return aggregates.chunks <= CHECKPOINT_LIVE_MAX;
}

void hp_dump_take(enum hp_dump_kind kind, const struct hp_dump_totals *totals,
                  const struct hp_live_chunks *live) {
  hp_snapshot_free();
  hp_snapshot.totals = *totals;
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
