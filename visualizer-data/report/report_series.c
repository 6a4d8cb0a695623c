/* report_series.c - walks along the beginnings and ends of all chunks.
   At equal time ends come first, as everywhere.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_series.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "measure/life_walk.h"
#include "measure/metric.h"
#include "profile/sampled_peak.h"

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

/* ---- the time line ------------------------------------------------------- */

struct source {
  struct hp_chunk_reader reader;
  const struct hp_profile_process *process;
};

struct lives {
  struct source *sources; /* of each point */
  uint64_t first, length; /* of the time line, which the last process ends */
};

/* What is live when a process ends is gone with it, as the peak of several has it;
   at the end of all it stays. */
static uint64_t end_of_live(const struct lives *lives,
                            const struct hp_profile_process *process) {
  const uint64_t end = to_ns(process, lives->first, process->rules.window);
  return end < lives->length ? end : HP_NEVER;
}

static bool next_life(void *context, size_t run, struct hp_life *life) {
  const struct lives *lives = context;
  struct source *source = &lives->sources[run];
  struct hp_chunk_log c;
  if (!hp_chunks_next_life(&source->reader, &c))
    return false;
  *life = (struct hp_life){to_ns(source->process, lives->first, c.t0),
                           to_ns(source->process, lives->first, c.t1),
                           hp_multiply(c.size, c.weight), c.weight};
  if (c.flags & HP_CHUNK_LIVE)
    life->end = end_of_live(lives, source->process);
  if (life->end <= life->begin)
    life->end = life->begin + 1;
  return true;
}

/* What is live as the events go by; sums wrap and unwrap, never saturate. */
struct level {
  uint64_t bytes, chunks;
};

static void pass(struct level *level, const struct hp_life_event *e) {
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

/* A row's bytes at the last instant.  They are copied before the row changes
   for the first time after it, so that an instant costs nothing by itself. */
struct row_level {
  struct level now;
  uint64_t at_instant, instant; /* its number */
};

static void pass_row(struct row_level *row, const struct hp_life_event *e,
                     uint64_t instant) {
  if (row->instant != instant) {
    row->instant = instant;
    row->at_instant = row->now.bytes;
  }
  pass(&row->now, e);
}

/* ROWS[run] is the row of a point, or s->points for those without a series. */
static void walk(struct hp_report_series *s, hp_life_walk *lives,
                 const uint32_t *rows, struct row_level *levels) {
  struct level level = {0};
  struct hp_life_event e;
  uint64_t instant = 0;
  bool more = hp_life_walk_next(lives, &e);
  for (size_t i = 0; i < s->intervals; i++) {
    s->low[i] = s->high[i] = level.bytes;
    s->chunks[i] = level.chunks;
    s->instant_ns[i] = begin_of(s, i);
    instant++;
    while (more && interval_of(s, e.time) == i) {
      uint64_t time = e.time;
      pass(&level, &e);
      s->begun[i] += e.begins ? e.weight : 0;
      if (rows[e.run] < s->points)
        pass_row(&levels[rows[e.run]], &e, instant);
      more = hp_life_walk_next(lives, &e);
      /* Between the events of one moment nothing can be seen. */
      if (more && e.time == time)
        continue;
      if (level.bytes < s->low[i])
        s->low[i] = level.bytes;
      if (level.bytes > s->high[i]) {
        s->high[i] = level.bytes;
        s->chunks[i] = level.chunks;
        s->instant_ns[i] = time;
        instant++;
      }
    }
    for (size_t k = 0; k < s->points; k++)
      s->of_point[k * s->intervals + i] = levels[k].instant == instant
                                              ? levels[k].at_instant
                                              : levels[k].now.bytes;
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

/* What was seen of a process holds until it was looked at again. */
static void add_resident(struct hp_report_series *s, uint64_t offset,
                         const struct hp_process *process) {
  uint64_t known = 0;
  size_t n = 0;
  for (size_t i = 0; i < s->intervals; i++) {
    const uint64_t begin = begin_of(s, i), end = begin_of(s, i + 1);
    uint64_t most = 0;
    while (n < process->interval_count &&
           offset + process->intervals[n].end_ns <= begin)
      n++;
    for (size_t k = n; k < process->interval_count &&
                       offset + process->intervals[k].begin_ns < end;
         k++)
      if (process->intervals[k].resident_max > most)
        most = process->intervals[k].resident_max;
    known = most ? most : known;
    if (n < process->interval_count)
      s->resident[i] = hp_add(s->resident[i], known);
  }
}

/* Nor is the whole, by samples, more than what was counted of all chunks. */
static void fit_whole(struct hp_report_series *s, const hp_profile *profile) {
  uint64_t most = hp_most_of_all(profile);
  for (size_t i = 0; i < s->intervals && most; i++) {
    s->low[i] = s->low[i] < most ? s->low[i] : most;
    s->high[i] = s->high[i] < most ? s->high[i] : most;
  }
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
  uint64_t **arrays[] = {&s->instant_ns, &s->low,   &s->high,
                         &s->chunks,     &s->begun, &s->resident};
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
  struct lives context = {
      calloc(profile->point_count + 1, sizeof *context.sources), first,
      series->length_ns};
  uint32_t *row_of = calloc(profile->point_count + 1, sizeof *row_of);
  struct row_level *levels = calloc(series->points + 1, sizeof *levels);
  hp_life_walk *lives = NULL;
  size_t chunks = 0;
  bool good = context.sources && row_of && levels && take_room(series);
  if (good) {
    for (size_t i = 0; i < profile->point_count; i++) {
      chunks += profile->points[i].chunks->count;
      context.sources[i] =
          (struct source){hp_chunks_read(profile->points[i].chunks),
                          profile->points[i].process};
      row_of[i] = UINT32_MAX;
    }
    for (size_t k = 0; k < series->points; k++)
      row_of[rows->items[k].point->id - 1] = (uint32_t)k;
    lives = hp_life_walk_new(profile->point_count, chunks, series->length_ns,
                             next_life, &context);
    good = lives != NULL;
  }
  if (good) {
    walk(series, lives, row_of, levels);
    good = !hp_life_walk_failed(lives);
    if (series->estimated && profile->process_count == 1)
      take_intervals(series, &profile->processes[0].view);
    else if (series->estimated)
      take_all_intervals(series, profile, first);
    for (size_t i = 0; i < profile->process_count; i++)
      add_resident(series, to_ns(&profile->processes[i], first, 0),
                   &profile->processes[i].view);
    fit_whole(series, profile);
    fit_points(series);
  }
  hp_life_walk_free(lives);
  free(levels);
  free(row_of);
  free(context.sources);
  return good ? HP_OK : hp_fail_memory(error);
}

void hp_report_series_free(struct hp_report_series *series) {
  free(series->instant_ns);
  free(series->low);
  free(series->high);
  free(series->chunks);
  free(series->begun);
  free(series->resident);
  free(series->of_point);
  *series = (struct hp_report_series){0};
}

/* ---- one point ----------------------------------------------------------- */

uint64_t hp_report_offset_ns(const hp_profile *profile,
                             const struct hp_point *point) {
  return to_ns(inside_of(point)->process, hp_report_start_ns(profile), 0);
}

size_t hp_report_chunks(struct hp_chunk_view *chunks, size_t most,
                        const hp_profile *profile,
                        const struct hp_point *point) {
  uint64_t logged = point->logged_chunks;
  size_t count = logged < most ? (size_t)logged : most, n = 0;
  for (size_t i = 0; i < count; i++)
    n += hp_point_chunks(profile, point, (size_t)((hp_u128)logged * i / count),
                         &chunks[n], 1);
  return n;
}
