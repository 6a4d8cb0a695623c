/* report_jumps.c - finds the successors of resized chunks by time and thread.
   No link is logged: both have one moment, and a thread does one thing then.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_jumps.h"

#include <stdlib.h>

#include "base/failure.h"

#define FOLLOWED 1024u /* chunks of a point */

/* A chunk that realloc ended: its successor began at `time` in `thread`. */
struct end {
  uint64_t time, size;
  const struct hp_profile_process *process;
  uint32_t thread, row;
  bool is_taken;    /* else a free place */
  bool is_followed; /* times of a damaged dump may be equal */
};

/* By the time; a place that is taken sends to the next. */
struct ends {
  struct end *places;
  size_t mask;
};

static const struct hp_profile_point *inside_of(const struct hp_point *point) {
  return (const struct hp_profile_point *)point; /* whose first member it is */
}

static struct end *place_of(const struct ends *ends,
                            const struct hp_profile_process *process,
                            uint64_t time, uint32_t thread) {
  uint64_t hash = (time ^ thread) * 0x9e3779b97f4a7c15u;
  for (size_t i = (size_t)(hash >> 20);; i++) {
    struct end *end = &ends->places[i & ends->mask];
    if (!end->is_taken ||
        (end->time == time && end->thread == thread && end->process == process))
      return end;
  }
}

static uint64_t count_resized(const struct hp_chunks *chunks, bool weighed) {
  struct hp_chunk_reader reader = hp_chunks_read(chunks);
  struct hp_chunk_log c;
  uint64_t count = 0;
  while (hp_chunks_next_life(&reader, &c))
    if (c.flags & HP_CHUNK_REALLOC)
      count += weighed ? c.weight : 1;
  return count;
}

uint64_t hp_report_resized(const struct hp_point *point) {
  const struct hp_profile_point *p = inside_of(point);
  uint64_t count = 0;
  if (!p->summary)
    return count_resized(p->chunks, true);
  for (const struct hp_summary *s = p->summary; s; s = s->next)
    for (size_t i = 0; i < s->class_count; i++)
      if (s->classes[i].classes & HP_CLASS_REALLOC)
        count += s->classes[i].chunks;
  return count;
}

static void put_ends(const struct ends *ends, const struct hp_profile_point *p,
                     uint32_t row, uint64_t resized) {
  struct hp_chunk_reader reader = hp_chunks_read(p->chunks);
  struct hp_chunk_log c;
  uint64_t step = (resized + FOLLOWED - 1) / FOLLOWED;
  for (uint64_t seen = 0; resized && hp_chunks_next(&reader, &c);)
    if (c.flags & HP_CHUNK_REALLOC && seen++ % step == 0)
      *place_of(ends, p->process, c.t1, c.free_thread) = (struct end){
          c.t1, c.size, p->process, c.free_thread, row, true, false};
}

/* False: no memory. */
static bool find_ends(struct ends *ends, const struct hp_report_rows *rows,
                      size_t points, size_t *count) {
  uint64_t *resized = calloc(points + 1, sizeof *resized);
  if (!resized)
    return false;
  *count = 0;
  for (size_t i = 0; i < points; i++) {
    resized[i] = count_resized(inside_of(rows->items[i].point)->chunks, false);
    *count += resized[i] < FOLLOWED ? resized[i] : FOLLOWED;
  }
  size_t places = 16;
  while (places < 2 * *count)
    places *= 2;
  ends->mask = places - 1;
  ends->places = calloc(places, sizeof *ends->places);
  for (size_t i = 0; ends->places && i < points; i++)
    put_ends(ends, inside_of(rows->items[i].point), (uint32_t)i, resized[i]);
  free(resized);
  return ends->places != NULL;
}

static void follow(struct hp_report_jumps *jumps, const struct ends *ends,
                   const struct hp_profile_point *p) {
  struct hp_chunk_reader reader = hp_chunks_read(p->chunks);
  struct hp_chunk_log c;
  while (hp_chunks_next(&reader, &c)) {
    struct end *end = place_of(ends, p->process, c.t0, c.thread);
    if (end->is_taken && !end->is_followed) {
      jumps->items[jumps->count++] =
          (struct hp_report_jump){end->row, end->size, c.size, 1};
      end->is_followed = true;
    }
  }
}

static int by_sizes(const void *left, const void *right) {
  const struct hp_report_jump *a = left, *b = right;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static int by_count(const void *left, const void *right) {
  const struct hp_report_jump *a = left, *b = right;
  if (a->row != b->row || a->count == b->count)
    return by_sizes(a, b);
  return a->count > b->count ? -1 : 1;
}

static void add_up(struct hp_report_jumps *jumps) {
  size_t kept = 0;
  qsort(jumps->items, jumps->count, sizeof *jumps->items, by_sizes);
  for (size_t i = 0; i < jumps->count; i++)
    if (kept && by_sizes(&jumps->items[kept - 1], &jumps->items[i]) == 0)
      jumps->items[kept - 1].count += jumps->items[i].count;
    else
      jumps->items[kept++] = jumps->items[i];
  jumps->count = kept;
  qsort(jumps->items, jumps->count, sizeof *jumps->items, by_count);
}

hp_status hp_report_jumps_make(struct hp_report_jumps *jumps,
                               const hp_profile *profile,
                               const struct hp_report_rows *rows, size_t points,
                               struct hp_error *error) {
  struct ends ends = {0};
  size_t count;
  points = points < rows->kept ? points : rows->kept;
  *jumps = (struct hp_report_jumps){0};
  bool good = find_ends(&ends, rows, points, &count);
  if (good && count) {
    jumps->items = reallocarray(NULL, count, sizeof *jumps->items);
    good = jumps->items != NULL;
  }
  for (size_t i = 0; good && count && i < profile->point_count; i++)
    follow(jumps, &ends, &profile->points[i]);
  if (good && jumps->count)
    add_up(jumps);
  free(ends.places);
  return good ? HP_OK : hp_fail_memory(error);
}

void hp_report_jumps_free(struct hp_report_jumps *jumps) {
  free(jumps->items);
  *jumps = (struct hp_report_jumps){0};
}
