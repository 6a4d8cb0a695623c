/* reference.c - see reference.h: every metric by a loop of its own.
   Shares nothing with chunk_measure.h but the names of the classes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef struct hp_chunk_log chunk_log;

#define ONE ((u128)1 << 32)
#define TAG(name) HP_AGGREGATE_##name

static u128 dur(uint64_t a, uint64_t b) {
  __int128 ticks = (__int128)b - (__int128)a;
  return ticks < 1 ? 1 : (u128)ticks;
}

static uint64_t saturated(u128 sum) {
  return sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

static u128 share(u128 part, u128 whole) {
  return part >= whole ? ONE : (part << 32) / whole;
}

static unsigned digits(uint64_t value) {
  unsigned n = 0;
  for (; value; value /= 2)
    n++;
  return n;
}

static bool accessed(const chunk_log *c) { return c->reads || c->writes; }
static bool live(const chunk_log *c) { return c->flags & HP_CHUNK_LIVE; }
static u128 life(const chunk_log *c) { return dur(c->t0, c->t1); }

static u128 span(const chunk_log *c) {
  u128 bytes = 0;
  if (c->lo < c->size && c->hi > c->lo)
    bytes = (c->hi < c->size ? c->hi : c->size) - c->lo;
  return bytes;
}

/* ---- coarse clock -------------------------------------------------------- */

static bool exact(const chunk_log *c) {
  return c->flags & HP_CHUNK_EXACT || c->step == 0;
}

static bool is_short(const chunk_log *c) {
  return c->step == UINT32_MAX || life(c) < (u128)20 * c->step;
}

static bool known(const chunk_log *c) {
  bool aged = c->flags & HP_CHUNK_AGED && !(c->flags & HP_CHUNK_REALLOC);
  return !accessed(c) || exact(c) || aged || !is_short(c);
}

static bool sampled(const chunk_log *c) {
  return is_short(c) && accessed(c) && !(c->flags & HP_CHUNK_REALLOC) &&
         (exact(c) || c->flags & HP_CHUNK_AGED);
}

static u128 active(const chunk_log *c) {
  return accessed(c) ? share(dur(c->first, c->last), life(c)) : 0;
}

static u128 error_of(const chunk_log *c) {
  if (exact(c) || !accessed(c))
    return 0;
  return c->step == UINT32_MAX ? ONE : share(c->step, life(c));
}

static void put_samples(const struct hp_reference *r, struct hp_fields *f) {
  u128 sum = 0, error = 0;
  uint64_t first_t0 = r->count >= 64 ? r->chunks[63].t0 : UINT64_MAX;
  for (size_t i = 0; i < r->count; i++)
    if (known(&r->chunks[i])) {
      sum += active(&r->chunks[i]);
      error += error_of(&r->chunks[i]);
    }
  if (sum)
    hp_fields_add_wide(f, TAG(active), sum);
  if (error)
    hp_fields_add_wide(f, TAG(active_error), error);
  for (int later = 0; later < 2; later++) {
    u128 square = 0;
    uint64_t n = 0;
    sum = error = 0;
    for (size_t i = 0; i < r->count; i++) {
      const chunk_log *c = &r->chunks[i];
      if (!sampled(c) || (c->t0 > first_t0) != later)
        continue;
      n++;
      sum += active(c);
      square += active(c) * active(c);
      error += error_of(c);
    }
    unsigned tag = later ? TAG(sample_later) : TAG(sample_first);
    if (n) {
      hp_fields_add(f, tag, n);
      hp_fields_add_wide(f, tag, sum);
      hp_fields_add_wide(f, tag, square);
      hp_fields_add_wide(f, tag, error);
    }
  }
}

/* ---- classes ------------------------------------------------------------- */

static bool late(const chunk_log *c, u128 last) {
  return c->t1 > last && 2 * (c->t1 - last) > life(c);
}

static bool judged(const chunk_log *c) {
  if (live(c) || !late(c, c->last) || exact(c) || !is_short(c))
    return true;
  return c->step != UINT32_MAX && late(c, (u128)c->last + c->step);
}

static uint32_t classes(const chunk_log *c, uint64_t short_ticks) {
  const struct {
    uint32_t class;
    bool holds;
  } rows[] = {
      {HP_CLASS_READ, c->reads > 0},
      {HP_CLASS_WRITTEN, c->writes > 0},
      {HP_CLASS_ZEROED, c->flags & HP_CHUNK_ZEROED},
      {HP_CLASS_EMPTY, c->size == 0},
      {HP_CLASS_LIVE, live(c)},
      {HP_CLASS_REALLOC, c->flags & HP_CHUNK_REALLOC},
      {HP_CLASS_SHORT, life(c) < short_ticks},
      {HP_CLASS_EARLY, accessed(c) && c->first > c->t0 &&
                           2 * ((u128)c->first - c->t0) > life(c)},
      {HP_CLASS_LATE, accessed(c) && judged(c) && !live(c) && late(c, c->last)},
      {HP_CLASS_JUDGED, accessed(c) && judged(c)},
      {HP_CLASS_SPARSE, accessed(c) && c->size && 2 * span(c) < c->size},
      {HP_CLASS_MULTITHREAD, c->flags & HP_CHUNK_MULTITHREAD},
      {HP_CLASS_ELSEWHERE, c->free_thread && c->free_thread != c->thread},
      {HP_CLASS_OVERRUN, c->flags & HP_CHUNK_OVERRUN},
      {HP_CLASS_UNKNOWN, !known(c)},
  };
  uint32_t bits = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    bits |= rows[i].holds ? rows[i].class : 0;
  return bits;
}

/* Ascending by class; so the test sorts what it compares this with. */
static void put_classes(const struct hp_reference *r, struct hp_fields *f) {
  static uint64_t sums[1 << 15];
  static u128 bytes[1 << 15], spans[1 << 15];
  memset(sums, 0, sizeof sums);
  memset(bytes, 0, sizeof bytes);
  memset(spans, 0, sizeof spans);
  for (size_t i = 0; i < r->count; i++) {
    uint32_t bits = classes(&r->chunks[i], r->short_ticks);
    sums[bits]++;
    bytes[bits] += r->chunks[i].size;
    spans[bits] += span(&r->chunks[i]);
  }
  for (uint32_t bits = 0; bits < 1 << 15; bits++)
    if (sums[bits]) {
      hp_fields_add(f, TAG(classes), bits);
      hp_fields_add(f, TAG(classes), sums[bits]);
      hp_fields_add(f, TAG(classes), saturated(bytes[bits]));
      hp_fields_add(f, TAG(classes), saturated(spans[bits]));
    }
}

/* ---- lifetime groups ----------------------------------------------------- */

static void put_groups(const struct hp_reference *r, struct hp_fields *f) {
  uint64_t before = 0;
  for (size_t i = 0, end; i < r->count; i = end) {
    u128 lives = 0;
    uint64_t t1 = r->chunks[i].t0;
    for (end = i; end < r->count; end++) {
      if (end > i && r->chunks[end].t0 - r->chunks[end - 1].t0 > r->tau)
        break;
      lives += life(&r->chunks[end]);
      t1 = r->chunks[end].t1 > t1 ? r->chunks[end].t1 : t1;
    }
    hp_fields_add(f, TAG(groups), r->chunks[i].t0 - before);
    hp_fields_add(f, TAG(groups), r->chunks[end - 1].t0 - r->chunks[i].t0);
    hp_fields_add(f, TAG(groups), t1 - r->chunks[i].t0);
    hp_fields_add(f, TAG(groups), end - i);
    hp_fields_add_wide(f, TAG(groups), lives);
    before = r->chunks[end - 1].t0;
  }
  if (r->tau != r->end / 1000)
    hp_fields_set(f, TAG(tau), r->tau);
}

/* ---- growth -------------------------------------------------------------- */

static void put_growth(const struct hp_reference *r, struct hp_fields *f) {
  for (uint32_t kind = 0; kind < HP_CHAIN_COUNT; kind++) {
    u128 chains = 0, chunks = 0, bytes = 0, copied = 0;
    const struct hp_chunk_log *longest = NULL;
    for (size_t i = 0; i < r->count; i++) {
      const struct hp_chunk_log *c = &r->chunks[i];
      if (!(c->flags & HP_CHUNK_GROWN) || c->chain_kind != kind ||
          c->chain_length < 4)
        continue;
      const bool fourth = c->chain_length == 4;
      chains += fourth;
      chunks += fourth ? 4 : 1;
      bytes += (fourth ? (u128)c->chain_bytes : 0) + c->size;
      copied += fourth ? c->chain_copied : c->copied;
      if (!longest || c->chain_length > longest->chain_length ||
          (c->chain_length == longest->chain_length &&
           c->chain_copied > longest->chain_copied))
        longest = c;
    }
    if (!longest)
      continue;
    const uint64_t growth[] = {kind,
                               saturated(chains),
                               saturated(chunks),
                               saturated(bytes),
                               saturated(copied),
                               longest->chain_length,
                               longest->chain_first,
                               longest->size,
                               longest->chain_copied};
    for (size_t i = 0; i < sizeof growth / sizeof *growth; i++)
      hp_fields_add(f, TAG(chains), growth[i]);
  }
}

/* ---- sizes and lives ----------------------------------------------------- */

static void put_histogram(struct hp_fields *f, unsigned tag,
                          const uint64_t buckets[65]) {
  unsigned low = 0, high = 64;
  while (low < 65 && !buckets[low])
    low++;
  while (high > low && !buckets[high])
    high--;
  if (low == 65)
    return;
  hp_fields_add(f, tag, low);
  for (; low <= high; low++)
    hp_fields_add(f, tag, buckets[low]);
}

static void put_ranges(const struct hp_reference *r, struct hp_fields *f) {
  uint64_t sizes[65] = {0}, lives[65] = {0}, elements = 0;
  uint64_t least = UINT64_MAX, most = 0, life_min = UINT64_MAX, life_max = 0;
  u128 bytes = 0, sum = 0, reads = 0, writes = 0;
  uint64_t element = hp_fixture_element_size(r->point);
  for (size_t i = 0; i < r->count; i++) {
    const chunk_log *c = &r->chunks[i];
    bytes += c->size;
    reads += c->reads;
    writes += c->writes;
    least = c->size < least ? c->size : least;
    most = c->size > most ? c->size : most;
    elements += element ? c->size / element : 0;
    sizes[digits(c->size)]++;
    if (live(c))
      continue;
    uint64_t ticks = (uint64_t)life(c);
    sum += ticks;
    life_min = ticks < life_min ? ticks : life_min;
    life_max = ticks > life_max ? ticks : life_max;
    lives[digits(ticks)]++;
  }
  hp_fields_set(f, TAG(bytes), saturated(bytes));
  hp_fields_set(f, TAG(size_min), least);
  hp_fields_set(f, TAG(size_max), most);
  hp_fields_set(f, TAG(elements), elements);
  hp_fields_set(f, TAG(reads), saturated(reads));
  hp_fields_set(f, TAG(writes), saturated(writes));
  put_histogram(f, TAG(sizes), sizes);
  put_histogram(f, TAG(lives), lives);
  if (life_max) {
    hp_fields_set(f, TAG(life_min), life_min);
    hp_fields_set(f, TAG(life_max), life_max);
    hp_fields_add_wide(f, TAG(life_sum), sum);
  }
}

void hp_reference_record(const struct hp_reference *r, struct hp_fields *f) {
  memset(f->counts, 0, sizeof f->counts);
  hp_fields_set(f, TAG(point), r->point);
  hp_fields_set(f, TAG(chunks), r->count);
  hp_fields_set(f, TAG(peak_bytes), r->peak_bytes);
  hp_fields_set(f, TAG(at_peak_bytes), r->at_peak_bytes);
  hp_fields_set(f, TAG(at_peak_chunks), r->at_peak_chunks);
  put_ranges(r, f);
  put_samples(r, f);
  put_classes(r, f);
  put_groups(r, f);
  put_growth(r, f);
}

/* ---- the process over time ----------------------------------------------- */

struct event {
  uint64_t time;
  bool begins;
  size_t chunk;
};

static int by_time(const void *a, const void *b) {
  const struct event *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->begins != y->begins)
    return x->begins ? 1 : -1;
  return x->chunk < y->chunk ? -1 : x->chunk > y->chunk;
}

static struct event *events_of(const chunk_log *chunks, size_t count,
                               size_t *n) {
  struct event *events = malloc((2 * count + 1) * sizeof *events);
  if (!events)
    abort();
  *n = 0;
  for (size_t i = 0; i < count; i++) {
    events[(*n)++] = (struct event){chunks[i].t0, true, i};
    if (!live(&chunks[i]))
      events[(*n)++] =
          (struct event){chunks[i].t0 + (uint64_t)life(&chunks[i]), false, i};
  }
  qsort(events, *n, sizeof *events, by_time);
  return events;
}

/* Twice over the events: where is the peak, and what was live then. */
void hp_reference_peaks(const chunk_log *chunks, size_t count, uint32_t points,
                        struct hp_reference *peaks,
                        struct hp_reference_peak *peak) {
  size_t n, peak_at = 0;
  struct event *events = events_of(chunks, count, &n);
  uint64_t *bytes = calloc(points, sizeof *bytes);
  uint64_t *counts = calloc(points, sizeof *counts);
  if (!bytes || !counts)
    abort();
  uint64_t sum = 0, number = 0;
  *peak = (struct hp_reference_peak){0};
  for (size_t i = 0; i < n; i++) {
    const chunk_log *c = &chunks[events[i].chunk];
    struct hp_reference *own = &peaks[c->point];
    sum += events[i].begins ? c->size : 0 - c->size;
    number += events[i].begins ? 1 : UINT64_MAX;
    bytes[c->point] += events[i].begins ? c->size : 0 - c->size;
    if (bytes[c->point] > own->peak_bytes)
      own->peak_bytes = bytes[c->point];
    if (sum > peak->bytes) {
      *peak = (struct hp_reference_peak){sum, number, events[i].time};
      peak_at = i + 1;
    }
  }
  memset(bytes, 0, points * sizeof *bytes);
  for (size_t i = 0; i < peak_at; i++) {
    const chunk_log *c = &chunks[events[i].chunk];
    bytes[c->point] += events[i].begins ? c->size : 0 - c->size;
    counts[c->point] += events[i].begins ? 1 : UINT64_MAX;
  }
  for (uint32_t point = 0; point < points; point++) {
    peaks[point].at_peak_bytes = bytes[point];
    peaks[point].at_peak_chunks = counts[point];
  }
  free(counts);
  free(bytes);
  free(events);
}

size_t hp_reference_timeline(const chunk_log *chunks, size_t count,
                             uint64_t end, struct hp_fields *records) {
  uint64_t width = 1024;
  while (end / width >= 512)
    width *= 2;
  size_t n, at = 0, intervals = (size_t)(end / width) + 1;
  struct event *events = events_of(chunks, count, &n);
  uint64_t bytes = 0, number = 0;
  for (size_t i = 0; i < intervals; i++) {
    uint64_t next = (i + 1) * width, begun = 0, size = 0;
    uint64_t least = bytes, most = bytes, fewest = number, greatest = number;
    for (; at < n && events[at].time < next; at++) {
      const chunk_log *c = &chunks[events[at].chunk];
      bytes += events[at].begins ? c->size : 0 - c->size;
      number += events[at].begins ? 1 : UINT64_MAX;
      begun += events[at].begins;
      size += events[at].begins ? c->size : 0;
      least = bytes < least ? bytes : least;
      most = bytes > most ? bytes : most;
      fewest = number < fewest ? number : fewest;
      greatest = number > greatest ? number : greatest;
    }
    struct hp_fields *f = &records[i];
    memset(f->counts, 0, sizeof f->counts);
    hp_fields_set(f, HP_TIMELINE_begin, i * width);
    hp_fields_set(f, HP_TIMELINE_end, next < end ? next : end);
    hp_fields_set(f, HP_TIMELINE_bytes_min, least);
    hp_fields_set(f, HP_TIMELINE_bytes_max, most);
    hp_fields_set(f, HP_TIMELINE_chunks_min, fewest);
    hp_fields_set(f, HP_TIMELINE_chunks_max, greatest);
    hp_fields_set(f, HP_TIMELINE_allocations, begun);
    hp_fields_set(f, HP_TIMELINE_bytes, size);
  }
  free(events);
  return intervals;
}
