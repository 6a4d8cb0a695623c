/* aggregate_put.c - writes down the aggregates of a point, and what its live chunks
   add to them (aggregate.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate.h"

#include "profile/aggregate_chains.h"
#include "profile/aggregate_few.h"
#include "profile/aggregate_state.h"
#include "profile/thread_sums.h"

/* The record that was begun: copies of what its point has, and what live chunks add
   to them.  The sums of its later chunks are added to where they are kept, and
   put back at its end. */
static struct {
  uint32_t point;
  uint64_t end, tau;
  struct record r;
  struct shares shares;
  struct growth growth;
  struct later later, *kept; /* as they were; where they are, or NULL */
  struct sampled sampled;
  struct group *groups;     /* in hp_all.groups; NULL without memory */
  uint32_t group_count, at; /* that of the last live chunk */
  hp_wide lives;            /* of ended chunks */
  uint64_t live;            /* how many were added */
} begun;

static void put(uint64_t value) { hp_put_varint(&hp_all.list, value); }

static void put_wide(hp_wide value) {
  put((uint64_t)value);
  put((uint64_t)(value >> 64));
}

/* Puts hp_all.list, the contents of a field, as field TAG. */
static void put_list(struct hp_bytes *to, unsigned tag) {
  hp_put_bytes_field(to, tag, hp_all.list.data, hp_all.list.size);
  to->failed |= hp_all.list.failed;
  hp_all.list.size = 0;
}

static void put_if_any(struct hp_bytes *to, unsigned tag, uint64_t value) {
  if (value)
    hp_put_u64_field(to, tag, value);
}

static void put_histogram(struct hp_bytes *to, unsigned tag, uint32_t index,
                          uint64_t value, uint64_t count) {
  if (!index) {
    put(hp_digits(value));
    put(count);
  } else {
    hp_histogram_put(index, &hp_all.blocks, &hp_all.list);
  }
  put_list(to, tag);
}

static void put_sample(struct hp_bytes *to, unsigned tag, uint64_t samples,
                       hp_wide active, hp_wide square, hp_wide error) {
  if (!samples)
    return;
  put(samples);
  put_wide(active);
  put_wide(square);
  put_wide(error);
  put_list(to, tag);
}

static void put_sampled(struct hp_bytes *to, const struct sampled *sampled) {
  const struct hp_sampling *s = &sampled->sums;
  put_if_any(to, HP_AGGREGATE_samples, sampled->samples);
  if (!s->v)
    return;
  const hp_wide sums[] = {s->v,       s->vss, s->vsy, s->vyy,
                          s->known_v, s->va,  s->vaa};
  for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
    put_wide(sums[i]);
  put_list(to, HP_AGGREGATE_sampling);
}

static void put_sizes(struct hp_bytes *to, const struct record *r,
                      uint32_t point) {
  struct varied v = {.size_min = r->size, .size_max = r->size};
  if (r->varied) {
    v = *(const struct varied *)block_at(r->varied);
  } else {
    v.elements = r->chunks * elements_of(r->size, element_size_of(point));
  }
  put_if_any(to, HP_AGGREGATE_size_min, v.size_min);
  put_if_any(to, HP_AGGREGATE_size_max, v.size_max);
  put_if_any(to, HP_AGGREGATE_elements, v.elements);
  put_histogram(to, HP_AGGREGATE_sizes, v.sizes, r->size, r->chunks);
}

static void begin_growth(void) {
  const struct record *r = &begun.r;
  const struct varied *v = r->varied ? block_at(r->varied) : NULL;
  begun.growth = v && v->growth ? *(const struct growth *)block_at(v->growth)
                                : (struct growth){0};
}

static void put_growth(struct hp_bytes *to) {
  put_chains(&hp_all.list, &begun.growth);
  if (hp_all.list.size)
    put_list(to, HP_AGGREGATE_chains);
}

/* BEFORE: the last chunk of the group before it. */
static void put_group(const struct group *g, uint64_t before) {
  struct hp_bytes *to = &hp_all.list;
  if (!hp_bytes_reserve(to, (size_t)6 * HP_VARINT_MAX))
    return;
  uint8_t *p = to->data + to->size;
  p = hp_varint_at(p, g->first - before);
  p = hp_varint_at(p, g->last - g->first);
  p = hp_varint_at(p, g->end > g->first ? g->end - g->first : 0);
  p = hp_varint_at(p, g->chunks);
  p = hp_varint_at(p, g->lives);
  p = hp_varint_at(p, g->lives_high);
  to->size = (size_t)(p - to->data);
}

static void begin_groups(void) {
  const struct record *r = &begun.r;
  begun.at = 0;
  begun.lives = 0;
  begun.tau = tau_at(r, begun.end);
  struct group *items = hp_aggregate_copy_groups(r, &begun.group_count);
  begun.groups = items;
  if (!items)
    return;
  items[begun.group_count++] = r->tail;
  for (uint32_t i = 0; i < begun.group_count; i++)
    begun.lives += wide(items[i].lives, items[i].lives_high);
  begun.group_count = merge_groups(items, begun.group_count, begun.tau);
}

static void add_live_to_group(const struct hp_chunk_log *chunk) {
  while (begun.at + 1 < begun.group_count &&
         begun.groups[begun.at + 1].first <= chunk->t0)
    begun.at++;
  struct group *group = &begun.groups[begun.at];
  group->end = chunk->t1 > group->end ? chunk->t1 : group->end;
  add_weighted_life(group, hp_dur(chunk->t0, chunk->t1), chunk->weight);
}

static void put_groups(struct hp_bytes *to) {
  if (!begun.groups) {
    to->failed = true;
    return;
  }
  if (begun.r.life_max) {
    put_wide(begun.lives);
    put_list(to, HP_AGGREGATE_life_sum);
  }
  uint64_t before = 0;
  for (uint32_t i = 0; i < begun.group_count; i++) {
    const struct group *g = &begun.groups[i];
    if (!g->chunks)
      continue; /* all of them were moved */
    put_group(g, before);
    before = g->last;
  }
  put_list(to, HP_AGGREGATE_groups);
  if (begun.tau > begun.end / 1000)
    put_if_any(to, HP_AGGREGATE_tau, begun.tau);
}

/* Adds a live chunk to the classes in hp_all.classes. */
static void add_live_class(const struct hp_chunk_log *chunk,
                           const struct hp_chunk_measure *m) {
  struct class *items = (struct class *)(void *)hp_all.classes.data;
  struct class *found = find_class(
      items, (uint32_t)(hp_all.classes.size / sizeof *items), m->classes);
  if (!found) {
    struct class added = {.bits = m->classes & CLASS_BITS};
    hp_put_bytes(&hp_all.classes, &added, sizeof added);
    if (hp_all.classes.failed)
      return;
    items = (struct class *)(void *)hp_all.classes.data;
    found = &items[hp_all.classes.size / sizeof *items - 1];
  }
  add_to_class(found, chunk->weight, times(chunk->weight, chunk->size),
               m->span);
}

/* Live chunks of which no more is known, which LIVE and UNKNOWN without JUDGED
   say; to a reader that does not know it, none shall seem to be of no use. */
static void add_unknown_class(const struct record *r) {
  struct class unknown = {.bits = HP_CLASS_LIVE | HP_CLASS_UNKNOWN |
                                  HP_CLASS_READ | HP_CLASS_WRITTEN,
                          .chunks = r->live_chunks,
                          .bytes = r->live_bytes,
                          .span = r->live_bytes};
  hp_put_bytes(&hp_all.classes, &unknown, sizeof unknown);
}

static void copy_classes(const struct record *r) {
  hp_all.classes.size = 0;
  if (r->head.chunks)
    hp_put_bytes(&hp_all.classes, &r->head, sizeof r->head);
  if (r->classes) {
    const struct classes *classes = block_at(r->classes);
    hp_put_bytes(&hp_all.classes, classes->items,
                 classes->count * sizeof(struct class));
  }
}

static void begin_later(void) {
  begun.kept = begun.shares.later ? block_at(begun.shares.later) : NULL;
  begun.later = begun.kept ? *begun.kept : (struct later){0};
}

static void begin_chunks(void) {
  const struct record *r = &begun.r;
  begun.live = 0;
  begin_later();
  begun.sampled = r->sampled ? *(const struct sampled *)block_at(r->sampled)
                             : (struct sampled){0};
  copy_classes(r);
}

/* Of many chunks the later ones may be the first that have any. */
static void add_live_shares(const struct hp_chunk_log *chunk, bool is_sample) {
  if (!begun.r.shares && samples_of(&begun.r) >= HP_FIRST_CHUNKS) {
    const struct shares *kept =
        hp_aggregate_shares_of(record_of(entry_at(begun.point)));
    if (!kept)
      return;
    begun.r.shares = record_of(entry_at(begun.point))->shares;
    begun.shares = *kept;
    begin_later();
  }
  hp_aggregate_add_shares(&begun.shares, chunk, is_sample);
}

static void add_live(const struct hp_chunk_log *chunk) {
  struct record *r = &begun.r;
  struct hp_chunk_measure m = hp_measure_chunk(chunk, hp_all.short_ticks);
  add_times(&r->reads, chunk->weight, chunk->reads);
  add_times(&r->writes, chunk->weight, chunk->writes);
  hp_measure_sampling(&begun.sampled.sums, chunk, &m);
  if (hp_has_shares(m.classes))
    add_live_shares(chunk, m.is_sample);
  add_live_class(chunk, &m);
}

static void put_chunks(struct hp_bytes *to) {
  const struct record *r = &begun.r;
  const struct shares *s = &begun.shares;
  if (!begun.live && r->live_chunks)
    add_unknown_class(r);
  const struct later sum = begun.kept ? *begun.kept : begun.later;
  if (begun.kept)
    *begun.kept = begun.later;
  put_if_any(to, HP_AGGREGATE_reads, r->reads);
  put_if_any(to, HP_AGGREGATE_writes, r->writes);
  if (s->active || s->active_high) {
    put_wide(wide(s->active, s->active_high));
    put_list(to, HP_AGGREGATE_active);
  }
  if (s->error || s->error_high) {
    put_wide(wide(s->error, s->error_high));
    put_list(to, HP_AGGREGATE_active_error);
  }
  put_sample(to, HP_AGGREGATE_sample_first, s->first_samples, s->first_active,
             wide(s->first_square[0], s->first_square[1]), s->first_error);
  put_sample(to, HP_AGGREGATE_sample_later, sum.samples, sum.active, sum.square,
             sum.error);
  if (r->sampled)
    put_sampled(to, &begun.sampled);
  const struct class *items = (const struct class *)(void *)hp_all.classes.data;
  for (size_t i = 0; i < hp_all.classes.size / sizeof *items; i++) {
    put(items[i].bits);
    put(items[i].chunks);
    put(items[i].bytes);
    put(items[i].span);
  }
  to->failed |= hp_all.classes.failed;
  put_list(to, HP_AGGREGATE_classes);
}

static HP_NOINLINE struct hp_aggregate_brief brief_at(uint32_t point) {
  if (point >= hp_all.points)
    return (struct hp_aggregate_brief){0};
  const struct entry *entry = entry_at(point);
  if (entry->form != FORM_FULL)
    return hp_aggregate_brief_few(entry);
  const struct record *r = record_of(entry);
  return (struct hp_aggregate_brief){.chunks = r->chunks,
                                     .bytes = bytes_of(r),
                                     .live_chunks = r->live_chunks,
                                     .live_bytes = r->live_bytes,
                                     .generations = r->generations};
}

uint64_t hp_aggregate_doubt(uint32_t point, uint64_t chunks, uint64_t bytes) {
  const struct hp_aggregate_brief began = brief_at(point);
  if (chunks == began.live_chunks && bytes == began.live_bytes)
    return 0;
  return chunks > began.live_chunks ? chunks : began.live_chunks;
}

uint64_t hp_aggregate_live(uint32_t point) {
  const struct entry *entry = entry_at(point);
  return entry->form == FORM_FULL ? record_of(entry)->live_chunks
                                  : hp_aggregate_live_few(entry);
}

void hp_aggregate_counts(uint32_t point, uint64_t *chunks, uint64_t *bytes) {
  *chunks = *bytes = 0;
  if (hp_all.failed)
    return;
  const struct hp_aggregate_brief began = brief_at(point);
  *chunks = began.chunks;
  *bytes = began.bytes;
}

uint64_t hp_aggregate_generations(uint32_t point) {
  const uint64_t noted = hp_thread_generations(point);
  const struct hp_aggregate_brief began = brief_at(point);
  return noted == UINT64_MAX ? noted
                             : noted + began.generations + (began.chunks != 0);
}

bool hp_aggregate_put_begin(uint32_t point, uint64_t end) {
  if (point >= hp_all.points || hp_all.failed)
    return false;
  begun.r = hp_aggregate_widened(entry_at(point), &begun.shares);
  if (!begun.r.chunks)
    return false;
  begun.point = point;
  begun.end = end;
  /* There may be memory again. */
  hp_all.list.failed = hp_all.classes.failed = hp_all.groups.failed = false;
  hp_all.list.size = 0;
  note_peak(&begun.r);
  begin_growth();
  begin_groups();
  begin_chunks();
  return true;
}

void hp_aggregate_put_live(const struct hp_chunk_log *live, size_t count) {
  for (size_t i = 0; i < count; i++) {
    hp_growth_add(begun.growth.kinds, &live[i]);
    if (begun.groups)
      add_live_to_group(&live[i]);
    add_live(&live[i]);
  }
  begun.live += count;
}

void hp_aggregate_put_end(struct hp_bytes *to) {
  const struct record *r = &begun.r;
  put_if_any(to, HP_AGGREGATE_point, begun.point);
  put_if_any(to, HP_AGGREGATE_chunks, r->chunks);
  put_if_any(to, HP_AGGREGATE_bytes, bytes_of(r));
  put_sizes(to, r, begun.point);
  put_growth(to);
  put_if_any(to, HP_AGGREGATE_life_min, r->life_min);
  put_if_any(to, HP_AGGREGATE_life_max, r->life_max);
  put_if_any(to, HP_AGGREGATE_peak_bytes, r->peak_bytes);
  put_if_any(to, HP_AGGREGATE_at_peak_bytes, r->at_peak_bytes);
  put_if_any(to, HP_AGGREGATE_at_peak_chunks, r->at_peak_chunks);
  if (r->life_max)
    put_histogram(to, HP_AGGREGATE_lives, r->lives, r->life_max,
                  r->chunks - r->live_chunks);
  put_groups(to);
  put_chunks(to);
  if (entry_at(begun.point)->form != FORM_FULL)
    hp_aggregate_give_blocks(&begun.r);
}

size_t hp_aggregate_put_timeline(struct hp_bytes *to, uint64_t end) {
  return hp_timeline_put(&hp_all.timeline, to, &hp_all.list, end);
}
