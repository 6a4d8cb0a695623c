/* aggregate_put.c - writes down the aggregates of a point, and what its live chunks
   add to them (aggregate.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate.h"

#include "profile/aggregate_chains.h"
#include "profile/aggregate_state.h"
#include "profile/histogram.h"

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

static void put_growth(struct hp_bytes *to, const struct record *r,
                       const struct hp_chunk_log *live, size_t live_count) {
  const struct varied *v = r->varied ? block_at(r->varied) : NULL;
  put_chains(&hp_all.list, v && v->growth ? block_at(v->growth) : NULL, live,
             live_count);
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

static void put_groups(struct hp_bytes *to, const struct record *r,
                       uint64_t end, const struct hp_chunk_log *live,
                       size_t live_count) {
  uint32_t count;
  uint64_t tau = tau_at(r, end);
  struct group *items = hp_aggregate_copy_groups(r, &count);
  if (!items) {
    to->failed = true;
    return;
  }
  items[count++] = r->tail;
  hp_wide lives = 0;
  for (uint32_t i = 0; i < count; i++)
    lives += wide(items[i].lives, items[i].lives_high);
  if (r->life_max) {
    put_wide(lives);
    put_list(to, HP_AGGREGATE_life_sum);
  }
  count = merge_groups(items, count, tau);
  for (size_t i = 0, at = 0; i < live_count; i++) {
    while (at + 1 < count && items[at + 1].first <= live[i].t0)
      at++;
    items[at].end = live[i].t1 > items[at].end ? live[i].t1 : items[at].end;
    add_weighted_life(&items[at], hp_dur(live[i].t0, live[i].t1),
                      live[i].weight);
  }
  uint64_t before = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct group *g = &items[i];
    if (!g->chunks)
      continue; /* all of them were moved */
    put_group(g, before);
    before = g->last;
  }
  put_list(to, HP_AGGREGATE_groups);
  if (tau > end / 1000)
    put_if_any(to, HP_AGGREGATE_tau, tau);
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

/* Live chunks of which no more is known: none shall seem to be of no use. */
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

/* What ended chunks and LIVE ones say together.  R and its sample may be
   changed: they are the caller's copies. */
static void put_chunks(struct hp_bytes *to, struct record *r,
                       const struct hp_chunk_log *live, size_t live_count) {
  struct later *kept = r->later ? block_at(r->later) : NULL;
  struct later later = kept ? *kept : (struct later){0};
  struct sampled sampled = {0};
  if (r->sampled)
    sampled = *(const struct sampled *)block_at(r->sampled);
  copy_classes(r);
  for (size_t i = 0; i < live_count; i++) {
    struct hp_chunk_measure m = hp_measure_chunk(&live[i], hp_all.short_ticks);
    add_times(&r->reads, live[i].weight, live[i].reads);
    add_times(&r->writes, live[i].weight, live[i].writes);
    hp_measure_sampling(&sampled.sums, &live[i], &m);
    if (hp_has_shares(m.classes))
      hp_aggregate_add_shares(r, &live[i], m.is_sample);
    add_live_class(&live[i], &m);
  }
  if (!live_count && r->live_chunks)
    add_unknown_class(r);
  struct later sum = kept ? *kept : later;
  if (kept)
    *kept = later;
  put_if_any(to, HP_AGGREGATE_reads, r->reads);
  put_if_any(to, HP_AGGREGATE_writes, r->writes);
  if (r->active || r->active_high) {
    put_wide(wide(r->active, r->active_high));
    put_list(to, HP_AGGREGATE_active);
  }
  if (r->error || r->error_high) {
    put_wide(wide(r->error, r->error_high));
    put_list(to, HP_AGGREGATE_active_error);
  }
  put_sample(to, HP_AGGREGATE_sample_first, r->first_samples, r->first_active,
             wide(r->first_square[0], r->first_square[1]), r->first_error);
  put_sample(to, HP_AGGREGATE_sample_later, sum.samples, sum.active, sum.square,
             sum.error);
  if (r->sampled)
    put_sampled(to, &sampled);
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

uint64_t hp_aggregate_doubt(uint32_t point, const struct hp_chunk_log *live,
                            size_t live_count) {
  uint64_t began = 0, began_bytes = 0;
  if (point < hp_all.points) {
    const struct record r = hp_aggregate_widened(entry_at(point));
    began = r.live_chunks;
    began_bytes = r.live_bytes;
  }
  uint64_t chunks = 0, bytes = 0;
  for (size_t i = 0; i < live_count; i++) {
    chunks += live[i].weight;
    bytes += times(live[i].weight, live[i].size);
  }
  if (chunks == began && bytes == began_bytes)
    return 0;
  return chunks > began ? chunks : began;
}

void hp_aggregate_counts(uint32_t point, uint64_t *chunks, uint64_t *bytes) {
  *chunks = *bytes = 0;
  if (point >= hp_all.points || hp_all.failed)
    return;
  const struct record r = hp_aggregate_widened(entry_at(point));
  *chunks = r.chunks;
  *bytes = r.bytes;
}

bool hp_aggregate_put(struct hp_bytes *to, uint32_t point, uint64_t end,
                      const struct hp_chunk_log *live, size_t live_count) {
  if (point >= hp_all.points || hp_all.failed)
    return false;
  struct record r = hp_aggregate_widened(entry_at(point));
  if (!r.chunks)
    return false;
  /* There may be memory again. */
  hp_all.list.failed = hp_all.classes.failed = hp_all.groups.failed = false;
  hp_all.list.size = 0;
  note_peak(&r);
  put_if_any(to, HP_AGGREGATE_point, point);
  put_if_any(to, HP_AGGREGATE_chunks, r.chunks);
  put_if_any(to, HP_AGGREGATE_bytes, r.bytes);
  put_sizes(to, &r, point);
  put_growth(to, &r, live, live_count);
  put_if_any(to, HP_AGGREGATE_life_min, r.life_min);
  put_if_any(to, HP_AGGREGATE_life_max, r.life_max);
  put_if_any(to, HP_AGGREGATE_peak_bytes, r.peak_bytes);
  put_if_any(to, HP_AGGREGATE_at_peak_bytes, r.at_peak_bytes);
  put_if_any(to, HP_AGGREGATE_at_peak_chunks, r.at_peak_chunks);
  if (r.life_max)
    put_histogram(to, HP_AGGREGATE_lives, r.lives, r.life_max,
                  r.chunks - r.live_chunks);
  put_groups(to, &r, end, live, live_count);
  put_chunks(to, &r, live, live_count);
  return true;
}

size_t hp_aggregate_put_timeline(struct hp_bytes *to, uint64_t end) {
  return hp_timeline_put(&hp_all.timeline, to, &hp_all.list, end);
}
