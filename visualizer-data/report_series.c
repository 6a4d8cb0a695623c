/* report_series.c - sorts the beginnings and ends of all chunks and walks them.
   At equal time ends come first, as everywhere.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report_series.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* A point's view is the first member of what the library keeps of it. */
static const struct hp_profile_point *inside_of(const struct hp_point *point) {
  _Static_assert(offsetof(struct hp_profile_point, view) == 0, "first member");
  return (const struct hp_profile_point *)point;
}

uint64_t hp_report_start_ns(const hp_profile *profile) {
  uint64_t first = UINT64_MAX;
  for (size_t i = 0; i < profile->process_count; i++) {
    uint64_t start = profile->processes[i].of->header.start_unix_ns;
    first = start < first ? start : first;
  }
  return first;
}

static uint64_t to_ns(const struct hp_profile_process *process, uint64_t first,
                      uint64_t ticks) {
  return hp_add(process->of->header.start_unix_ns - first,
                hp_ticks_to_ns(ticks, process->rules.ticks_per_second));
}

/* ---- the time line --------------------------------------------------------
 */

struct event {
  uint64_t ns, bytes;
  uint32_t row, weight;
  bool begins;
};

static int compare_events(const void *left, const void *right) {
  const struct event *a = left, *b = right;
  if (a->ns != b->ns)
    return a->ns < b->ns ? -1 : 1;
  if (a->begins != b->begins)
    return a->begins ? 1 : -1;
  return a->row < b->row ? -1 : a->row > b->row;
}

static size_t put_events(struct event *events, size_t row,
                         const struct hp_point *point, uint64_t first) {
  const struct hp_profile_point *p = inside_of(point);
  size_t n = 0;
  for (size_t i = 0; i < p->chunks->count; i++) {
    const struct hp_chunk_log *c = &p->chunks->items[i];
    uint64_t begin = to_ns(p->process, first, c->t0);
    uint64_t end = to_ns(p->process, first, c->t1);
    struct event e = {begin, hp_multiply(c->size, c->weight), (uint32_t)row,
                      c->weight, true};
    events[n++] = e;
    /* What is live at the end stays. */
    if (c->flags & HP_CHUNK_LIVE)
      continue;
    e.ns = end > begin ? end : begin + 1;
    e.begins = false;
    events[n++] = e;
  }
  return n;
}

/* What is live as the events go by; sums wrap and unwrap, never saturate. */
struct level {
  uint64_t bytes, chunks;
};

static void pass(struct level *level, const struct event *e) {
  level->bytes += e->begins ? e->bytes : -e->bytes;
  level->chunks += e->begins ? e->weight : -(uint64_t)e->weight;
}

static size_t interval_of(const struct hp_report_series *s, uint64_t ns) {
  hp_u128 i = (hp_u128)ns * s->intervals / (s->length_ns ? s->length_ns : 1);
  return i < s->intervals ? (size_t)i : s->intervals - 1;
}

static uint64_t begin_of(const struct hp_report_series *s, size_t i) {
  return (uint64_t)((hp_u128)s->length_ns * i / s->intervals);
}

/* AT[i]: how many events were past at the instant of interval i. */
static void walk_whole(struct hp_report_series *s, const struct event *events,
                       size_t count, size_t *at) {
  struct level level = {0};
  size_t n = 0;
  for (size_t i = 0; i < s->intervals; i++) {
    s->low[i] = s->high[i] = level.bytes;
    s->chunks[i] = level.chunks;
    s->instant_ns[i] = begin_of(s, i);
    at[i] = n;
    for (; n < count && interval_of(s, events[n].ns) == i; n++) {
      pass(&level, &events[n]);
      s->begun[i] += events[n].begins ? events[n].weight : 0;
      /* Between the events of one moment nothing can be seen. */
      if (n + 1 < count && events[n + 1].ns == events[n].ns)
        continue;
      if (level.bytes < s->low[i])
        s->low[i] = level.bytes;
      if (level.bytes > s->high[i]) {
        s->high[i] = level.bytes;
        s->chunks[i] = level.chunks;
        s->instant_ns[i] = events[n].ns;
        at[i] = n + 1;
      }
    }
  }
}

static void walk_points(struct hp_report_series *s, const struct event *events,
                        const size_t *at, struct level *levels) {
  size_t n = 0;
  for (size_t i = 0; i < s->intervals; i++) {
    for (; n < at[i]; n++)
      if (events[n].row < s->points)
        pass(&levels[events[n].row], &events[n]);
    for (size_t k = 0; k < s->points; k++)
      s->of_point[k * s->intervals + i] = levels[k].bytes;
  }
}

/* The totals of a process are exact in its aggregates.  Its intervals are
   shorter or longer than ours: each is of that which its middle lies in. */
static void take_intervals(struct hp_report_series *s,
                           const struct hp_process *process) {
  if (process->interval_count < s->intervals)
    return;
  memset(s->begun, 0, s->intervals * sizeof *s->begun);
  for (size_t i = 0, last = SIZE_MAX; i < process->interval_count; i++) {
    const struct hp_interval *from = &process->intervals[i];
    size_t to =
        interval_of(s, from->begin_ns + (from->end_ns - from->begin_ns) / 2);
    bool first = to != last;
    last = to;
    if (first || from->bytes_max > s->high[to])
      s->high[to] = from->bytes_max;
    if (first || from->bytes_min < s->low[to])
      s->low[to] = from->bytes_min;
    if (first || from->chunks_max > s->chunks[to])
      s->chunks[to] = from->chunks_max;
    s->begun[to] = hp_add(s->begun[to], from->allocations);
  }
}

/* The totals of several processes: at most the sum of what each had at most.
   An interval counts wherever it reaches into ours. */
static void add_intervals(struct hp_report_series *s, uint64_t offset,
                          const struct hp_process *process) {
  size_t n = 0;
  for (size_t i = 0; i < s->intervals; i++) {
    uint64_t begin = begin_of(s, i), end = begin_of(s, i + 1);
    uint64_t low = UINT64_MAX, high = 0, chunks = 0;
    while (n < process->interval_count &&
           offset + process->intervals[n].end_ns <= begin)
      n++;
    for (size_t k = n; k < process->interval_count; k++) {
      const struct hp_interval *from = &process->intervals[k];
      uint64_t begins = offset + from->begin_ns;
      if (begins >= end)
        break;
      low = from->bytes_min < low ? from->bytes_min : low;
      high = from->bytes_max > high ? from->bytes_max : high;
      chunks = from->chunks_max > chunks ? from->chunks_max : chunks;
      if (begins >= begin)
        s->begun[i] = hp_add(s->begun[i], from->allocations);
    }
    s->low[i] = hp_add(s->low[i], low == UINT64_MAX ? 0 : low);
    s->high[i] = hp_add(s->high[i], high);
    s->chunks[i] = hp_add(s->chunks[i], chunks);
  }
}

static void take_all_intervals(struct hp_report_series *s,
                               const hp_profile *profile, uint64_t first) {
  for (size_t i = 0; i < profile->process_count; i++)
    if (profile->processes[i].view.interval_count == 0)
      return;
  memset(s->low, 0, s->intervals * sizeof *s->low);
  memset(s->high, 0, s->intervals * sizeof *s->high);
  memset(s->chunks, 0, s->intervals * sizeof *s->chunks);
  memset(s->begun, 0, s->intervals * sizeof *s->begun);
  for (size_t i = 0; i < profile->process_count; i++)
    add_intervals(s, to_ns(&profile->processes[i], first, 0),
                  &profile->processes[i].view);
}

/* The parts of an estimate must not be more than the whole. */
static void fit_points(struct hp_report_series *s) {
  for (size_t i = 0; i < s->intervals; i++) {
    hp_u128 sum = 0;
    for (size_t k = 0; k < s->points; k++)
      sum += s->of_point[k * s->intervals + i];
    for (size_t k = 0; k < s->points && sum > s->high[i]; k++) {
      uint64_t *bytes = &s->of_point[k * s->intervals + i];
      *bytes = (uint64_t)((hp_u128)*bytes * s->high[i] / sum);
    }
  }
}

static bool take_room(struct hp_report_series *s) {
  uint64_t **arrays[] = {&s->instant_ns, &s->low, &s->high, &s->chunks,
                         &s->begun};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (!(*arrays[i] = calloc(s->intervals, sizeof **arrays[i])))
      return false;
  s->of_point = calloc(s->points * s->intervals + 1, sizeof *s->of_point);
  return s->of_point != NULL;
}

hp_status hp_report_series_make(struct hp_report_series *series,
                                const hp_profile *profile,
                                const struct hp_report_rows *rows,
                                size_t points, size_t intervals,
                                struct hp_error *error) {
  uint64_t first = hp_report_start_ns(profile);
  size_t chunks = 0, count = 0;
  *series = (struct hp_report_series){
      .intervals = intervals,
      .points = points < rows->kept ? points : rows->kept};
  for (size_t i = 0; i < profile->process_count; i++) {
    const struct hp_profile_process *p = &profile->processes[i];
    uint64_t end = to_ns(p, first, p->rules.window);
    series->estimated =
        series->estimated || p->view.chunks_kept < p->view.allocations;
    series->length_ns = end > series->length_ns ? end : series->length_ns;
  }
  for (size_t i = 0; i < profile->point_count; i++)
    chunks += profile->points[i].chunks->count;
  struct event *events = reallocarray(NULL, 2 * chunks + 1, sizeof *events);
  size_t *at = calloc(intervals, sizeof *at);
  struct level *levels = calloc(series->points + 1, sizeof *levels);
  bool *seen = calloc(profile->point_count + 1, sizeof *seen);
  hp_status status = HP_OK;
  if (!events || !at || !levels || !seen || !take_room(series)) {
    status = hp_fail_memory(error);
  } else {
    for (size_t k = 0; k < series->points; k++) {
      const struct hp_point *p = rows->items[k].point;
      seen[p->id - 1] = true;
      count += put_events(events + count, k, p, first);
    }
    for (size_t i = 0; i < profile->point_count; i++)
      if (!seen[i])
        count += put_events(events + count, UINT32_MAX,
                            &profile->points[i].view, first);
    qsort(events, count, sizeof *events, compare_events);
    walk_whole(series, events, count, at);
    if (series->estimated && profile->process_count == 1)
      take_intervals(series, &profile->processes[0].view);
    else if (series->estimated)
      take_all_intervals(series, profile, first);
    walk_points(series, events, at, levels);
    fit_points(series);
  }
  free(seen);
  free(levels);
  free(at);
  free(events);
  return status;
}

void hp_report_series_free(struct hp_report_series *series) {
  free(series->instant_ns);
  free(series->low);
  free(series->high);
  free(series->chunks);
  free(series->begun);
  free(series->of_point);
  *series = (struct hp_report_series){0};
}

/* ---- one point ------------------------------------------------------------
 */

uint64_t hp_report_offset_ns(const hp_profile *profile,
                             const struct hp_point *point) {
  return to_ns(inside_of(point)->process, hp_report_start_ns(profile), 0);
}

size_t hp_report_chunks(struct hp_chunk *chunks, size_t most,
                        const hp_profile *profile,
                        const struct hp_point *point) {
  uint64_t logged = point->logged_chunks;
  size_t count = logged < most ? (size_t)logged : most, n = 0;
  for (size_t i = 0; i < count; i++)
    n += hp_point_chunks(profile, point, (size_t)((hp_u128)logged * i / count),
                         &chunks[n], 1);
  return n;
}
