/* aggregate.c - see aggregate.h: a record for each point, blocks for the rest.
   Nothing here is atomic: the collector's lock is held by whoever calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate.h"

#include "profile/aggregate_chains.h"
#include "profile/aggregate_state.h"
#include "profile/histogram.h"
#include "system/real_libc.h"
#include "system/sanitizer_binding.h"

#define RECORDS_RESERVED ((size_t)16 << 30)
#define BLOCKS_RESERVED ((size_t)16 << 30)
#define LEAST_RESERVED ((size_t)1 << 20)
#define GROUPS_FREE 8u /* a point may have so many whatever the budget */

struct hp_aggregates hp_all;

/* ---- records ------------------------------------------------------------- */

static HP_COLD bool add_records(uint32_t point) {
  if (!hp_arena_commit(&hp_all.records,
                       ((size_t)point + 1) * sizeof(struct record))) {
    hp_all.failed = true;
    return false;
  }
  hp_all.points = point + 1;
  return true;
}

/* False: no memory for the record of POINT. */
HP_INLINE bool has_record(uint32_t point) {
  return HP_LIKELY(point < hp_all.points) || add_records(point);
}

HP_INLINE void count_value(uint32_t *histogram, uint64_t value,
                           uint64_t times) {
  if (HP_UNLIKELY(!hp_histogram_count(histogram, &hp_all.blocks, value, times)))
    hp_all.failed = true;
}

/* ---- lifetime groups ----------------------------------------------------- */

static struct part *newest_part(const struct record *r) {
  return r->groups ? block_at(r->groups) : NULL;
}

static size_t part_size(uint32_t capacity) {
  return sizeof(struct part) + capacity * sizeof(struct group);
}

/* Larger by a quarter: little stays unused, and there are few parts. */
static bool add_part(struct record *r) {
  size_t wanted = part_size(r->group_capacity / 4 + 1);
  uint32_t capacity =
      capacity_for(sizeof(struct part), sizeof(struct group),
                   wanted < PART_MAX ? r->group_capacity / 4 + 1
                                     : PART_MAX / sizeof(struct group));
  uint32_t made = take_block(part_size(capacity));
  if (!made)
    return false;
  *(struct part *)block_at(made) =
      (struct part){.older = r->groups, .capacity = (uint16_t)capacity};
  hp_all.groups_bytes += part_size(capacity);
  r->group_capacity += capacity;
  r->groups = made;
  return true;
}

static bool has_room(const struct record *r) {
  const struct part *part = newest_part(r);
  return part && part->count < part->capacity;
}

/* There is room. */
static void append_group(struct record *r, const struct group *group) {
  struct part *part = newest_part(r);
  part->items[part->count++] = *group;
}

struct group *hp_aggregate_copy_groups(const struct record *r,
                                       uint32_t *count) {
  size_t size = 0;
  const struct part *part = newest_part(r);
  for (; part; part = part->older ? block_at(part->older) : NULL)
    size += part->count * sizeof(struct group);
  *count = (uint32_t)(size / sizeof(struct group));
  hp_all.groups.size = 0;
  if (!hp_bytes_reserve(&hp_all.groups, size + sizeof(struct group)))
    return NULL;
  part = newest_part(r);
  for (; part; part = part->older ? block_at(part->older) : NULL) {
    size -= part->count * sizeof(struct group);
    hp_real_memcpy(hp_all.groups.data + size, part->items,
                   part->count * sizeof(struct group));
  }
  return (struct group *)(void *)hp_all.groups.data;
}

/* Fewer groups than there were: their parts are had from those given back. */
static void replace_parts(struct record *r, const struct group *items,
                          uint32_t count) {
  while (r->groups) {
    const struct part *part = newest_part(r);
    uint32_t older = part->older, size = (uint32_t)part_size(part->capacity);
    give_block(r->groups, size);
    hp_all.groups_bytes -= size;
    r->groups = older;
  }
  r->group_capacity = 0;
  for (uint32_t i = 0; i < count; i++)
    if (has_room(r) || add_part(r))
      append_group(r, &items[i]);
}

/* Grows by one each time that TIME has grown by a quarter, or less. */
static uint32_t merge_number(uint64_t time) {
  unsigned digits = hp_digits(time);
  return digits < 3 ? digits
                    : 4 * digits + (unsigned)(time >> (digits - 3) & 3);
}

/* Room for one more; merging comes before growing.  To merge is to read and
   copy all there is, so while the point may grow, it waits until the time, and
   so tau, has grown enough for many groups to go. */
static bool make_room(struct record *r, uint64_t time) {
  if (has_room(r))
    return true;
  uint32_t count, number = merge_number(time);
  bool may_grow = r->group_capacity < GROUPS_FREE ||
                  hp_all.groups_bytes <= HP_GROUPS_BUDGET;
  if (!r->groups || (may_grow && r->merged == number))
    return add_part(r);
  struct group *items = hp_aggregate_copy_groups(r, &count);
  if (!items)
    return add_part(r);
  r->merged = number;
  uint64_t tau = tau_at(r, time);
  uint32_t kept = merge_groups(items, count, tau);
  while (!may_grow && kept > r->group_capacity / 2) {
    r->tau = tau = 2 * tau + 1;
    kept = merge_groups(items, kept, tau);
  }
  if (kept < count)
    replace_parts(r, items, kept);
  return has_room(r) || add_part(r);
}

static HP_NOINLINE struct group *older_group(const struct record *r,
                                             uint64_t t0) {
  struct part *part = newest_part(r);
  while (part->items[0].first > t0 && part->older)
    part = block_at(part->older);
  uint32_t low = 0, high = part->count; /* the first that begins behind T0 */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (part->items[middle].first <= t0)
      low = middle + 1;
    else
      high = middle;
  }
  return &part->items[low ? low - 1 : 0];
}

/* The group that covers T0, or the one next to it. */
HP_INLINE struct group *group_of(struct record *r, uint64_t t0) {
  return HP_LIKELY(t0 >= r->tail.first || !r->groups) ? &r->tail
                                                      : older_group(r, t0);
}

/* The chunk that began at T0 does not join the tail. */
static HP_NOINLINE void begin_group(struct record *r, uint64_t t0,
                                    uint32_t weight) {
  struct group *tail = &r->tail;
  bool is_first = r->chunks == 0 && !r->groups;
  if (!is_first && t0 < tail->last) {
    group_of(r, t0)->chunks += weight; /* it comes too late */
  } else if (is_first || make_room(r, t0)) {
    if (!is_first)
      append_group(r, tail);
    *tail = (struct group){.first = t0, .last = t0, .chunks = weight};
  }
}

HP_INLINE void join_group(struct record *r, uint64_t t0, uint32_t weight) {
  struct group *tail = &r->tail;
  bool joins = (r->chunks || r->groups) && t0 >= tail->last &&
               t0 - tail->last <= tau_at(r, t0);
  if (HP_LIKELY(joins)) {
    tail->last = t0;
    tail->chunks_lives += weight;
  } else {
    begin_group(r, t0, weight);
  }
}

/* ---- sizes and growth ---------------------------------------------------- */

/* Until now all chunks had the same size. */
static struct varied *begin_varied(struct record *r, uint32_t point) {
  r->varied = take_block(sizeof(struct varied));
  if (!r->varied)
    return NULL;
  struct varied *v = block_at(r->varied);
  v->size_min = v->size_max = r->size;
  v->element_size = element_size_of(point);
  v->elements = r->chunks * elements_of(r->size, v->element_size);
  count_value(&v->sizes, r->size, r->chunks);
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
}

HP_INLINE void note_size(struct record *r, uint32_t point, uint64_t size,
                         uint32_t weight) {
  if (HP_UNLIKELY(r->chunks == 0))
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
  if (r->later)
    return;
  r->later = take_block(sizeof(struct later));
  if (r->later)
    ((struct later *)block_at(r->later))->first_t0 = t0;
}

/* All but what the whole process has.  BYTES: of all WEIGHT chunks. */
HP_INLINE void begin_at(struct record *r, uint32_t point, uint64_t t0,
                        uint64_t size, uint32_t weight, uint64_t bytes) {
  note_peak(r);
  note_size(r, point, size, weight);
  join_group(r, t0, weight);
  r->chunks += weight;
  add_times(&r->bytes, 1, bytes);
  r->live_chunks += weight;
  r->live_bytes += bytes;
  if (r->live_bytes > r->peak_bytes)
    r->peak_bytes = r->live_bytes;
  uint64_t samples = HP_UNLIKELY(hp_all.sampled) ? count_sample(r) : r->chunks;
  if (HP_UNLIKELY(samples == HP_FIRST_CHUNKS))
    begin_later(r, t0);
}

/* The lines of what a beginning touches; an end touches hp_all. */
#define BEGIN_LINES (offsetof(struct record, reads) / HP_CACHE_LINE)
#define END_LINES (sizeof(struct record) / HP_CACHE_LINE)

HP_INLINE void prefetch_record(uint32_t point, size_t lines) {
  const char *line = (const char *)record_at(point);
  for (size_t i = 0; i < lines; i++)
    __builtin_prefetch(line + i * HP_CACHE_LINE, 1);
}

/* More points than a processor's own cache has room for. */
#define MANY_POINTS 1024u

bool hp_aggregate_is_large(void) { return hp_all.points > MANY_POINTS; }

void hp_aggregate_prefetch_begin(uint32_t far, uint32_t near) {
  if (HP_LIKELY(far < hp_all.points))
    prefetch_record(far, BEGIN_LINES);
  if (HP_LIKELY(near < hp_all.points))
    __builtin_prefetch(block_at(record_at(near)->groups), 1);
}

void hp_aggregate_prefetch_end(uint32_t far, uint32_t near) {
  if (HP_LIKELY(far < hp_all.points))
    prefetch_record(far, END_LINES);
  if (HP_LIKELY(near < hp_all.points))
    __builtin_prefetch(block_at(record_at(near)->lives), 1);
}

void hp_aggregate_begin(uint32_t point, uint64_t t0, uint64_t size,
                        uint32_t weight) {
  uint64_t bytes = times(weight, size);
  if (!has_record(point))
    return;
  begin_at(record_at(point), point, t0, size, weight, bytes);
  hp_all.live_chunks += weight;
  hp_all.live_bytes += bytes;
  if (hp_all.live_bytes > hp_all.peak_bytes) {
    hp_all.peak_bytes = hp_all.live_bytes;
    hp_all.peak_chunks = hp_all.live_chunks;
    hp_all.peak_time = t0;
    hp_all.peak++;
  }
  hp_timeline_begin(&hp_all.timeline, t0, hp_all.live_bytes, hp_all.live_chunks,
                    weight, bytes);
}

void hp_aggregate_move(uint32_t from, uint32_t to, uint64_t t0, uint64_t size,
                       uint32_t weight) {
  uint64_t bytes = times(weight, size);
  if (!has_record(from) || !has_record(to))
    return;
  struct record *r = record_at(from), *other = record_at(to);
  if (r->live_chunks < weight)
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
  if (r->bytes != UINT64_MAX)
    r->bytes -= bytes;
  r->live_chunks -= weight;
  r->live_bytes -= bytes;
  r->peak_bytes = r->peak_bytes < r->bytes ? r->peak_bytes : r->bytes;
  begin_at(other, to, t0, size, weight, bytes);
  if (other->peak_bytes < other->at_peak_bytes)
    other->peak_bytes = other->at_peak_bytes;
}

/* ---- a chunk ends -------------------------------------------------------- */

static size_t classes_size(uint32_t capacity) {
  return sizeof(struct classes) + capacity * sizeof(struct class);
}

static struct class *new_class(struct record *r, uint32_t bits) {
  struct classes *old = r->classes ? block_at(r->classes) : NULL;
  if (!old || old->count == old->capacity) {
    uint32_t capacity = capacity_for(sizeof *old, sizeof old->items[0],
                                     old ? old->count + 1u : 1);
    uint32_t made = take_block(classes_size(capacity));
    if (!made)
      return NULL;
    struct classes *new = block_at(made);
    if (old) {
      hp_real_memcpy(new, old, classes_size(old->count));
      give_block(r->classes, classes_size(old->capacity));
    }
    new->capacity = capacity;
    r->classes = made;
    old = new;
  }
  struct class *added = &old->items[old->count++];
  *added = (struct class){.bits = bits & CLASS_BITS};
  return added;
}

static HP_NOINLINE struct class *other_class(struct record *r, uint32_t bits) {
  if (r->head.chunks == 0) {
    r->head.bits = bits & CLASS_BITS;
    return &r->head;
  }
  struct classes *classes = r->classes ? block_at(r->classes) : NULL;
  struct class *found =
      classes ? find_class(classes->items, classes->count, bits) : NULL;
  if (!found)
    return new_class(r, bits);
  if (found->chunks <= r->head.chunks)
    return found;
  struct class rarer = r->head; /* the most frequent one is at hand */
  r->head = *found;
  *found = rarer;
  return &r->head;
}

/* NULL without memory. */
HP_INLINE struct class *class_of(struct record *r, uint32_t bits) {
  return HP_LIKELY(r->head.bits == bits) ? &r->head : other_class(r, bits);
}

HP_NOINLINE void hp_aggregate_add_shares(struct record *r,
                                         const struct hp_chunk_log *chunk,
                                         bool is_sample) {
  struct hp_chunk_measure m = {0};
  hp_measure_shares(&m, chunk);
  uint64_t weight = chunk->weight;
  uint64_t active = weight * m.active, error = weight * m.error;
  add_share(&r->active, &r->active_high, active);
  add_share(&r->error, &r->error_high, error);
  if (!is_sample)
    return;
  hp_wide square = (hp_wide)active * m.active;
  struct later *later = r->later ? block_at(r->later) : NULL;
  if (later && chunk->t0 > later->first_t0) {
    later->samples += weight;
    later->active += active;
    later->square += square;
    later->error += error;
    return;
  }
  r->first_samples += (uint32_t)weight;
  r->first_active += active;
  r->first_error += error;
  square += wide(r->first_square[0], r->first_square[1]);
  r->first_square[0] = (uint64_t)square;
  r->first_square[1] = (uint64_t)(square >> 64);
}

/* Until now all lives had as many digits. */
static HP_NOINLINE void begin_lives(struct record *r, uint64_t life,
                                    uint32_t weight) {
  uint64_t ended = r->chunks - r->live_chunks;
  if (!ended)
    return;
  count_value(&r->lives, r->life_max, ended);
  if (r->lives)
    count_value(&r->lives, life, weight);
}

HP_INLINE void note_life(struct record *r, uint64_t life, uint32_t weight) {
  if (r->lives)
    count_value(&r->lives, life, weight);
  else if ((life ^ r->life_max) > (life & r->life_max)) /* other digits */
    begin_lives(r, life, weight);
  if (life < r->life_min || !r->life_max)
    r->life_min = life;
  if (life > r->life_max)
    r->life_max = life;
}

/* Where chunks have weights. */
static HP_NOINLINE void add_sampling(const struct record *r,
                                     const struct hp_chunk_log *chunk) {
  const struct hp_chunk_measure m = hp_measure_chunk(chunk, hp_all.short_ticks);
  struct sampled *sampled = block_at(r->sampled);
  hp_measure_sampling(&sampled->sums, chunk, &m);
}

bool hp_aggregate_end(const struct hp_chunk_log *chunk) {
  if (!has_record(chunk->point))
    return false;
  struct record *r = record_at(chunk->point);
  const uint32_t weight = chunk->weight;
  const uint64_t bytes = times(weight, chunk->size);
  if (HP_UNLIKELY(r->live_chunks < weight || r->live_bytes < bytes)) {
    hp_all.orphans++;
    return false;
  }
  const struct hp_chunk_measure m =
      hp_measure_classes(chunk, hp_all.short_ticks);
  note_peak(r);
  note_life(r, m.life, weight);
  r->live_chunks -= weight;
  r->live_bytes -= bytes;
  hp_all.live_chunks -= weight;
  hp_all.live_bytes -= bytes;
  hp_timeline_end(&hp_all.timeline, chunk->t0 + m.life, hp_all.live_bytes,
                  hp_all.live_chunks);
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
      hp_aggregate_add_shares(r, chunk, m.is_sample);
  }
  if (HP_UNLIKELY(hp_growth_counts(chunk)))
    note_growth(r, chunk);
  if (HP_UNLIKELY(r->sampled))
    add_sampling(r, chunk);
  return true;
}

/* ---- the whole ----------------------------------------------------------- */

bool hp_aggregate_start(uint64_t short_ticks, bool sampled) {
  struct hp_arena records = hp_all.records;
  struct hp_pool blocks = hp_all.blocks;
  struct hp_bytes groups = hp_all.groups, classes = hp_all.classes,
                  list = hp_all.list;
  if (records.committed)
    hp_sys_release(records.base, records.committed);
  hp_real_memset(&hp_all, 0, sizeof hp_all);
  hp_all.failed =
      (!records.base &&
       !hp_arena_reserve(&records, RECORDS_RESERVED, LEAST_RESERVED)) ||
      !hp_pool_start(&blocks, BLOCKS_RESERVED, LEAST_RESERVED);
  hp_all.records = records;
  hp_all.records.dense = true;
  hp_all.blocks = blocks;
  hp_all.groups = groups;
  hp_all.classes = classes;
  hp_all.list = list;
  hp_all.short_ticks = short_ticks;
  hp_all.sampled = sampled;
  return !hp_all.failed;
}

void hp_aggregate_totals(struct hp_aggregate_totals *totals) {
  *totals = (struct hp_aggregate_totals){.bytes = hp_all.live_bytes,
                                         .chunks = hp_all.live_chunks,
                                         .peak_bytes = hp_all.peak_bytes,
                                         .peak_chunks = hp_all.peak_chunks,
                                         .peak_time = hp_all.peak_time,
                                         .points = hp_all.points,
                                         .short_ticks = hp_all.short_ticks,
                                         .orphans = hp_all.orphans,
                                         .failed = hp_all.failed};
}

size_t hp_aggregate_memory(void) {
  return hp_all.points * sizeof(struct record) + hp_all.blocks.arena.used +
         hp_all.groups.capacity + hp_all.classes.capacity +
         hp_all.list.capacity;
}
