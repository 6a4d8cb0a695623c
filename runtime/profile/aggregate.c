/* aggregate.c - see aggregate.h: an entry for each point, a record for those of
   many chunks, blocks for the rest.
   Nothing here is atomic: the collector's lock is held by whoever calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate.h"

#include "profile/aggregate_chains.h"
#include "profile/aggregate_few.h"
#include "profile/aggregate_groups.h"
#include "profile/aggregate_state.h"
#include "profile/thread_sums.h"
#include "system/arena.h"
#include "system/memory.h"
#include "system/real_libc.h"

#define ENTRIES_RESERVED ((size_t)4 << 30)
#define RECORDS_RESERVED ((size_t)16 << 30)
#define BLOCKS_RESERVED ((size_t)16 << 30)
#define LEAST_RESERVED ((size_t)1 << 20)

bool hp_aggregate_without_accesses;

/* ---- entries ------------------------------------------------------------- */

static HP_COLD bool add_entries(uint32_t point) {
  if (!hp_arena_commit(&hp_all.entries,
                       ((size_t)point + 1) * sizeof(struct entry))) {
    hp_all.failed = true;
    return false;
  }
  hp_all.points = point + 1;
  return true;
}

/* False: no memory for the entry of POINT. */
HP_INLINE bool has_entry(uint32_t point) {
  return HP_LIKELY(point < hp_all.points) || add_entries(point);
}

/* NULL without memory. */
HP_INLINE struct record *record_for(struct entry *entry) {
  return HP_LIKELY(entry->form == FORM_FULL) ? record_of(entry)
                                             : hp_aggregate_widen(entry);
}

/* ---- sizes and growth ---------------------------------------------------- */

/* Until now all chunks had the same size. */
static struct varied *begin_varied(struct record *r, uint32_t point) {
  const uint64_t bytes = bytes_of(r);
  const uint32_t made = take_block(sizeof(struct varied));
  if (!made)
    return NULL;
  struct varied *v = block_at(made);
  v->size_min = v->size_max = r->size;
  v->element_size = element_size_of(point);
  v->elements = r->chunks * elements_of(r->size, v->element_size);
  count_value(&v->sizes, r->size, r->chunks);
  r->varied = made;
  r->size = bytes;
  return v;
}

static HP_NOINLINE void note_varied(struct record *r, uint32_t point,
                                    uint64_t size, uint32_t weight) {
  struct varied *v = r->varied ? block_at(r->varied) : begin_varied(r, point);
  if (!v)
    return;
  v->size_min = size < v->size_min ? size : v->size_min;
  v->size_max = size > v->size_max ? size : v->size_max;
  if (v->element_size)
    v->elements += times(weight, size / v->element_size);
  count_value(&v->sizes, size, weight);
  add_times(&r->size, weight, size);
}

HP_INLINE void note_size(struct record *r, uint32_t point, uint64_t size,
                         uint32_t weight) {
  if (HP_UNLIKELY(r->chunks == 0) && !r->varied)
    r->size = size;
  if (HP_UNLIKELY(r->varied || size != r->size))
    note_varied(r, point, size, weight);
}

/* CHUNK has taken over from another one. */
static HP_NOINLINE void note_growth(struct record *r,
                                    const struct hp_chunk_log *chunk) {
  struct varied *v =
      r->varied ? block_at(r->varied) : begin_varied(r, chunk->point);
  if (v && !v->growth)
    v->growth = take_block(sizeof(struct growth));
  if (v && v->growth)
    hp_growth_add(((struct growth *)block_at(v->growth))->kinds, chunk);
}

/* ---- a chunk begins ------------------------------------------------------ */

/* One more chunk is profiled; how many there are. */
static HP_NOINLINE uint64_t count_sample(struct record *r) {
  if (!r->sampled)
    r->sampled = take_block(sizeof(struct sampled));
  return r->sampled ? ++((struct sampled *)block_at(r->sampled))->samples : 0;
}

static HP_COLD void begin_later(struct record *r, uint64_t t0) {
  if (!r->shares)
    r->shares = take_block(sizeof(struct shares));
  struct shares *shares = r->shares ? block_at(r->shares) : NULL;
  if (!shares || shares->later)
    return;
  shares->later = take_block(sizeof(struct later));
  if (shares->later)
    ((struct later *)block_at(shares->later))->first_t0 = t0;
}

/* All but what the whole process has.  BYTES: of all WEIGHT chunks. */
HP_INLINE void begin_at(struct record *r, uint32_t point, uint64_t t0,
                        uint64_t size, uint32_t weight, uint64_t bytes) {
  note_peak(r);
  const uint64_t generations = r->live_chunks == 0 && r->chunks;
  note_size(r, point, size, weight);
  join_group(r, t0, weight);
  if (HP_UNLIKELY(__builtin_add_overflow(
          r->chunks_generations, weight | generations << GENERATIONS_SHIFT,
          &r->chunks_generations)))
    hp_thread_sums_generations(point, UINT16_MAX + 1u);
  r->live_chunks += weight;
  r->live_bytes += bytes;
  if (r->live_bytes > r->peak_bytes)
    r->peak_bytes = r->live_bytes;
  uint64_t samples = HP_UNLIKELY(hp_all.sampled) ? count_sample(r) : r->chunks;
  if (HP_UNLIKELY(samples == HP_FIRST_CHUNKS) && !hp_aggregate_without_accesses)
    begin_later(r, t0);
}

static HP_COLD void begin_seldom(struct record *r, uint32_t point, uint64_t t0,
                                 uint64_t size, uint32_t weight,
                                 uint64_t bytes) {
  begin_at(r, point, t0, size, weight, bytes);
}

/* The lines of what a beginning touches; an end touches all. */
#define BEGIN_LINES (offsetof(struct record, reads) / HP_CACHE_LINE)
#define END_LINES (sizeof(struct record) / HP_CACHE_LINE)

HP_INLINE void prefetch_entry(uint32_t point) {
  if (HP_LIKELY(point < hp_all.points))
    __builtin_prefetch(entry_at(point), 1);
}

/* NULL: there is none, or no such point. */
HP_INLINE const struct record *known_record(uint32_t point) {
  return HP_LIKELY(point < hp_all.points) && entry_at(point)->form == FORM_FULL
             ? record_of(entry_at(point))
             : NULL;
}

HP_INLINE void prefetch_record(uint32_t point, size_t lines) {
  if (HP_UNLIKELY(point >= hp_all.points))
    return;
  const struct entry *entry = entry_at(point);
  if (HP_LIKELY(entry->form == FORM_FULL)) {
    const char *line = (const char *)record_of(entry);
    for (size_t i = 0; i < lines; i++)
      __builtin_prefetch(line + i * HP_CACHE_LINE, 1);
  } else if (entry->form == FORM_FEW) {
    __builtin_prefetch(block_at((uint32_t)entry->more), 1);
  }
}

/* More points than a processor's own cache has room for. */
#define MANY_POINTS 1024u

bool hp_aggregate_is_large(void) { return hp_all.points > MANY_POINTS; }

void hp_aggregate_prefetch_begin(uint32_t far, uint32_t middle, uint32_t near) {
  prefetch_entry(far);
  prefetch_record(middle, BEGIN_LINES);
  const struct record *r = known_record(near);
  if (!r)
    return;
  /* A part of the first size is two lines, and is filled from the front. */
  const char *part = block_at(r->groups);
  __builtin_prefetch(part, 1);
  __builtin_prefetch(part + HP_CACHE_LINE, 1);
}

void hp_aggregate_prefetch_end(uint32_t far, uint32_t middle, uint32_t near) {
  prefetch_entry(far);
  prefetch_record(middle, END_LINES);
  const struct record *r = known_record(near);
  if (!r)
    return;
  __builtin_prefetch(block_at(r->lives), 1);
  __builtin_prefetch(block_at(r->shares), 1);
}

void hp_aggregate_prefetch_put(uint32_t far, uint32_t near) {
  prefetch_record(far, END_LINES);
  const struct record *r = known_record(near);
  if (!r)
    return;
  __builtin_prefetch(block_at(r->groups));
  __builtin_prefetch(block_at(r->shares));
  __builtin_prefetch(block_at(r->classes));
  __builtin_prefetch(block_at(r->lives));
}

/* That in which the chunk is to begin.  NULL: it has in an entry, *BEGUN, or there is
   no memory. */
HP_INLINE struct record *record_to_begin(uint32_t point, uint64_t t0,
                                         uint64_t size, uint32_t weight,
                                         bool *begun) {
  *begun = false;
  if (!has_entry(point))
    return NULL;
  note_time(t0);
  struct entry *entry = entry_at(point);
  if (HP_LIKELY(entry->form == FORM_FULL))
    return record_of(entry);
  *begun = hp_aggregate_begin_few(entry, t0, size, weight);
  return *begun ? NULL : hp_aggregate_widen(entry);
}

HP_COLD void hp_aggregate_begin_pooled(uint32_t point, uint64_t t0,
                                       uint64_t size) {
  bool begun;
  struct record *r = record_to_begin(point, t0, size, 1, &begun);
  if (r)
    begin_seldom(r, point, t0, size, 1, size);
  if (r || begun)
    hp_all.pooled_chunks++;
}

void hp_aggregate_begin(uint32_t point, uint64_t t0, uint64_t size,
                        uint32_t weight) {
  const uint64_t bytes = HP_LIKELY(weight == 1) ? size : times(weight, size);
  bool begun;
  struct record *r = record_to_begin(point, t0, size, weight, &begun);
  if (HP_LIKELY(r != NULL))
    begin_at(r, point, t0, size, weight, bytes);
  else if (!begun)
    return;
  const uint64_t live_chunks = hp_all.timeline.chunks + weight,
                 live_bytes = hp_all.timeline.bytes + bytes;
  if (live_bytes > hp_all.peak_bytes) {
    hp_all.peak_bytes = live_bytes;
    hp_all.peak_chunks = live_chunks;
    hp_all.peak_time = t0;
    hp_all.peak_latest = hp_all.latest;
    hp_all.peak++;
  }
  hp_timeline_begin(&hp_all.timeline, t0, live_bytes, live_chunks, weight,
                    bytes);
}

HP_COLD void hp_aggregate_move(uint32_t from, uint32_t to, uint64_t t0,
                               uint64_t size, uint32_t weight) {
  uint64_t bytes = times(weight, size);
  if (!has_entry(from) || !has_entry(to))
    return;
  struct record *r = record_for(entry_at(from)),
                *other = record_for(entry_at(to));
  if (!r || !other || r->live_chunks < weight)
    return;
  note_peak(r);
  note_peak(other);
  if (t0 <= hp_all.peak_time) { /* it was live then */
    r->at_peak_bytes -= bytes;
    r->at_peak_chunks -= weight;
    other->at_peak_bytes += bytes;
    other->at_peak_chunks += weight;
  }
  if (r->sampled)
    ((struct sampled *)block_at(r->sampled))->samples--;
  if (r->varied) {
    struct varied *v = block_at(r->varied);
    count_value(&v->sizes, size, -(uint64_t)weight);
    if (v->element_size)
      v->elements -= times(weight, size / v->element_size);
  }
  group_of(r, t0)->chunks -= weight;
  r->chunks -= weight;
  if (r->varied && r->size != UINT64_MAX)
    r->size -= bytes;
  if (!r->chunks && !r->groups)
    r->tail = (struct group){0};
  r->live_chunks -= weight;
  r->live_bytes -= bytes;
  const uint64_t left = bytes_of(r);
  r->peak_bytes = r->peak_bytes < left ? r->peak_bytes : left;
  begin_seldom(other, to, t0, size, weight, bytes);
  if (other->peak_bytes < other->at_peak_bytes)
    other->peak_bytes = other->at_peak_bytes;
}

/* ---- a chunk ends -------------------------------------------------------- */

/* Where chunks have weights. */
static HP_COLD void add_sampling(const struct record *r,
                                 const struct hp_chunk_log *chunk) {
  const struct hp_chunk_measure m = hp_measure_chunk(chunk, hp_all.short_ticks);
  struct sampled *sampled = block_at(r->sampled);
  hp_measure_sampling(&sampled->sums, chunk, &m);
}

HP_INLINE void add_shares(struct record *r, const struct hp_chunk_log *chunk,
                          bool is_sample) {
  struct shares *sums = hp_aggregate_shares_of(r);
  if (HP_LIKELY(sums != NULL))
    hp_aggregate_add_shares(sums, chunk, is_sample);
}

HP_INLINE void end_at(struct record *r, const struct hp_chunk_log *chunk,
                      struct hp_chunk_measure m, uint64_t bytes) {
  const uint32_t weight = chunk->weight;
  note_peak(r);
  note_life(r, m.life, weight);
  r->live_chunks -= weight;
  r->live_bytes -= bytes;
  struct class *class = class_of(r, m.classes);
  if (HP_LIKELY(class != NULL))
    add_to_class(class, weight, bytes, m.span);
  struct group *group = group_of(r, chunk->t0);
  if (chunk->t1 > group->end)
    group->end = chunk->t1;
  add_weighted_life(group, m.life, weight);
  if (m.classes & (HP_CLASS_READ | HP_CLASS_WRITTEN)) {
    add_times(&r->reads, weight, chunk->reads);
    add_times(&r->writes, weight, chunk->writes);
    if (hp_has_shares(m.classes))
      add_shares(r, chunk, m.is_sample);
  }
  if (HP_UNLIKELY(hp_growth_counts(chunk)))
    note_growth(r, chunk);
  if (HP_UNLIKELY(r->sampled))
    add_sampling(r, chunk);
}

/* CHUNK, of which M says all, ends in its entry or in the record of its point; false:
   it is not known to live. */
HP_INLINE bool end_chunk(const struct hp_chunk_log *chunk,
                         struct hp_chunk_measure m, uint64_t bytes) {
  struct entry *entry = entry_at(chunk->point);
  if (HP_UNLIKELY(entry->form != FORM_FULL)) {
    entry = hp_aggregate_ending(entry, chunk);
    if (!entry)
      return false;
    if (entry->form != FORM_FULL) {
      hp_aggregate_end_entry(entry, chunk, m.life, m.span,
                             m.classes | (m.is_sample ? IS_SAMPLE : 0u));
      return true;
    }
  }
  struct record *r = record_of(entry);
  if (HP_UNLIKELY(r->live_chunks < chunk->weight || r->live_bytes < bytes))
    return false;
  end_at(r, chunk, m, bytes);
  return true;
}

bool hp_aggregate_end(const struct hp_chunk_log *chunk) {
  if (!has_entry(chunk->point))
    return false;
  note_time(chunk->t1);
  const uint32_t weight = chunk->weight;
  const uint64_t bytes = times(weight, chunk->size);
  const struct hp_chunk_measure m =
      hp_measure_classes(chunk, hp_all.short_ticks);
  if (!end_chunk(chunk, m, bytes)) {
    hp_all.orphans++;
    return false;
  }
  if (HP_UNLIKELY(chunk->flags & HP_CHUNK_POOLED)) {
    hp_all.pooled_chunks -= weight;
    return true;
  }
  hp_timeline_end(&hp_all.timeline, chunk->t0 + m.life,
                  hp_all.timeline.bytes - bytes,
                  hp_all.timeline.chunks - weight);
  return true;
}

/* ---- the whole ----------------------------------------------------------- */

/* Empty, as at first. */
static bool start_arena(struct hp_arena *arena, size_t reserved) {
  if (arena->committed)
    hp_sys_release(arena->base, arena->committed);
  arena->used = 0;
  arena->dense = true;
  return arena->base || hp_arena_reserve(arena, reserved, LEAST_RESERVED);
}

HP_COLD bool hp_aggregate_start(uint64_t short_ticks, bool sampled) {
  struct hp_arena entries = hp_all.entries, records = hp_all.records;
  struct hp_pool blocks = hp_all.blocks;
  struct hp_bytes groups = hp_all.groups, classes = hp_all.classes,
                  list = hp_all.list;
  hp_clear(&hp_all, sizeof hp_all);
  hp_all.failed = !start_arena(&entries, ENTRIES_RESERVED) ||
                  !start_arena(&records, RECORDS_RESERVED) ||
                  !hp_pool_start(&blocks, BLOCKS_RESERVED, LEAST_RESERVED);
  hp_all.entries = entries;
  hp_all.records = records;
  hp_all.blocks = blocks;
  hp_all.groups = groups;
  hp_all.classes = classes;
  hp_all.list = list;
  hp_all.short_ticks = short_ticks;
  hp_all.sampled = sampled;
  return !hp_all.failed;
}

void hp_aggregate_totals(struct hp_aggregate_totals *totals) {
  *totals = (struct hp_aggregate_totals){.bytes = hp_all.timeline.bytes,
                                         .chunks = hp_all.timeline.chunks,
                                         .pooled = hp_all.pooled_chunks,
                                         .peak_bytes = hp_all.peak_bytes,
                                         .peak_chunks = hp_all.peak_chunks,
                                         .peak_time = hp_all.peak_time,
                                         .points = hp_all.points,
                                         .short_ticks = hp_all.short_ticks,
                                         .orphans = hp_all.orphans,
                                         .failed = hp_all.failed};
}

size_t hp_aggregate_memory(void) {
  return hp_all.points * sizeof(struct entry) + hp_all.records.used +
         hp_all.blocks.arena.used + hp_all.groups.capacity +
         hp_all.classes.capacity + hp_all.list.capacity;
}
