/* life_walk.c - cuts time into slices and sorts what begins and ends in each.
   Runs are read in order, slice by slice, so that memory is seldom jumped in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/life_walk.h"

#include "base/growing_array.h"

#include <stdlib.h>

#define SLICE_LIVES (1u << 18) /* on average */
#define SLICES_MAX 4096u

struct moment {
  uint64_t time, bytes;
  uint32_t run, weight;
};

struct moments {
  struct moment *items;
  size_t count, room;
};

struct hp_life_walk {
  hp_life_next *next;
  void *context;
  struct hp_life *life; /* of each run, the next to come */
  uint32_t *link;       /* of each run, 1 + the next run of a list; 0: none */
  uint32_t *first; /* of each slice, its list: runs that begin in it next */
  uint64_t base;   /* a slice is 2^shift long, from here on */
  unsigned shift;
  size_t slices, slice;
  struct moments begins, *ends; /* of this slice; of each */
  struct moments spare;         /* for sorting */
  size_t begun, ended;          /* those of this slice that are past */
  bool failed;
};

static size_t slice_of(const hp_life_walk *walk, uint64_t time) {
  uint64_t slice = (time - walk->base) >> walk->shift;
  return slice < walk->slices ? (size_t)slice : walk->slices - 1;
}

static bool push(struct moments *to, uint64_t time, const struct hp_life *life,
                 size_t run) {
  if (!hp_room_for_one((void **)&to->items, to->count, &to->room,
                       sizeof *to->items))
    return false;
  to->items[to->count++] =
      (struct moment){time, life->bytes, (uint32_t)run, life->weight};
  return true;
}

/* ---- order --------------------------------------------------------------- */

#define DIGIT 11u /* bits; counts of that many fit the first cache */
#define FEW 64u   /* moments that are not worth counting */

static int by_time(const void *left, const void *right) {
  const struct moment *a = left, *b = right;
  return (a->time > b->time) - (a->time < b->time);
}

/* One digit of the times, from the lowest on. */
static void sort_digit(const struct moments *from, struct moment *to,
                       uint64_t base, unsigned shift) {
  size_t place[1u << DIGIT] = {0}, sum = 0;
#define DIGIT_OF(m) (((m).time - base) >> shift & ((1u << DIGIT) - 1))
  for (size_t i = 0; i < from->count; i++)
    place[DIGIT_OF(from->items[i])]++;
  for (size_t i = 0; i < 1u << DIGIT; i++) {
    size_t here = place[i];
    place[i] = sum;
    sum += here;
  }
  for (size_t i = 0; i < from->count; i++)
    to[place[DIGIT_OF(from->items[i])]++] = from->items[i];
#undef DIGIT_OF
}

/* By digits: comparing takes several times as long. */
static bool sort(struct moments *m, struct moments *spare) {
  if (m->count < FEW) {
    if (m->count)
      qsort(m->items, m->count, sizeof *m->items, by_time);
    return true;
  }
  if (spare->room < m->room) {
    free(spare->items);
    spare->items = reallocarray(NULL, m->room, sizeof *spare->items);
    spare->room = spare->items ? m->room : 0;
    if (!spare->items)
      return false;
  }
  uint64_t least = UINT64_MAX, most = 0;
  for (size_t i = 0; i < m->count; i++) {
    least = m->items[i].time < least ? m->items[i].time : least;
    most = m->items[i].time > most ? m->items[i].time : most;
  }
  for (unsigned shift = 0; shift < 64 && (most - least) >> shift;
       shift += DIGIT) {
    sort_digit(m, spare->items, least, shift);
    spare->count = m->count;
    struct moments other = *m;
    *m = *spare;
    *spare = other;
  }
  return true;
}

/* ---- slices -------------------------------------------------------------- */

/* The life that was read of RUN waits for its slice. */
static void wait(hp_life_walk *walk, size_t run) {
  size_t slice = slice_of(walk, walk->life[run].begin);
  walk->link[run] = walk->first[slice];
  walk->first[slice] = (uint32_t)run + 1;
}

static bool load_run(hp_life_walk *walk, size_t run) {
  struct hp_life *life = &walk->life[run];
  do {
    if (slice_of(walk, life->begin) > walk->slice) {
      wait(walk, run);
      return true;
    }
    if (!push(&walk->begins, life->begin, life, run) ||
        (life->end != HP_NEVER &&
         !push(&walk->ends[slice_of(walk, life->end)], life->end, life, run)))
      return false;
  } while (walk->next(walk->context, run, life));
  return true;
}

static bool load_slice(hp_life_walk *walk) {
  walk->begins.count = walk->begun = walk->ended = 0;
  for (uint32_t run = walk->first[walk->slice], next; run; run = next) {
    next = walk->link[run - 1];
    if (!load_run(walk, run - 1))
      return false;
  }
  return sort(&walk->begins, &walk->spare) &&
         sort(&walk->ends[walk->slice], &walk->spare);
}

/* From the first beginning to the last. */
static bool cut(hp_life_walk *walk, size_t runs, size_t lives, uint64_t last) {
  size_t most = lives / SLICE_LIVES + 1;
  most = most < SLICES_MAX ? most : SLICES_MAX;
  last = last > walk->base ? last : walk->base;
  while ((last - walk->base) >> walk->shift >= most)
    walk->shift++;
  walk->slices = (size_t)((last - walk->base) >> walk->shift) + 1;
  walk->first = calloc(walk->slices, sizeof *walk->first);
  walk->ends = calloc(walk->slices, sizeof *walk->ends);
  if (!walk->first || !walk->ends)
    return false;
  for (size_t run = 0; run < runs; run++)
    if (walk->life[run].begin != HP_NEVER)
      wait(walk, run);
  return true;
}

static bool start(hp_life_walk *walk, size_t runs, size_t lives,
                  uint64_t last) {
  walk->life = calloc(runs + 1, sizeof *walk->life);
  walk->link = calloc(runs + 1, sizeof *walk->link);
  if (!walk->life || !walk->link)
    return false;
  walk->base = HP_NEVER;
  for (size_t run = 0; run < runs; run++) {
    if (!walk->next(walk->context, run, &walk->life[run]))
      walk->life[run].begin = HP_NEVER;
    if (walk->life[run].begin < walk->base)
      walk->base = walk->life[run].begin;
  }
  return cut(walk, runs, lives, last) && load_slice(walk);
}

hp_life_walk *hp_life_walk_new(size_t runs, size_t lives, uint64_t last,
                               hp_life_next *next, void *context) {
  hp_life_walk *walk = calloc(1, sizeof *walk);
  if (!walk)
    return NULL;
  walk->next = next;
  walk->context = context;
  if (!start(walk, runs, lives, last)) {
    hp_life_walk_free(walk);
    return NULL;
  }
  return walk;
}

void hp_life_walk_free(hp_life_walk *walk) {
  if (!walk)
    return;
  for (size_t i = 0; walk->ends && i < walk->slices; i++)
    free(walk->ends[i].items);
  free(walk->ends);
  free(walk->begins.items);
  free(walk->spare.items);
  free(walk->first);
  free(walk->link);
  free(walk->life);
  free(walk);
}

bool hp_life_walk_failed(const hp_life_walk *walk) { return walk->failed; }

bool hp_life_walk_next(hp_life_walk *walk, struct hp_life_event *event) {
  for (;;) {
    struct moments *ends = &walk->ends[walk->slice];
    const struct moment *begin = walk->begun < walk->begins.count
                                     ? &walk->begins.items[walk->begun]
                                     : NULL;
    const struct moment *end =
        walk->ended < ends->count ? &ends->items[walk->ended] : NULL;
    bool begins = begin && (!end || begin->time < end->time);
    if (begin || end) {
      const struct moment *m = begins ? begin : end;
      *(begins ? &walk->begun : &walk->ended) += 1;
      *event =
          (struct hp_life_event){m->time, m->bytes, m->run, m->weight, begins};
      return true;
    }
    free(ends->items);
    *ends = (struct moments){0};
    if (walk->slice + 1 == walk->slices)
      return false;
    walk->slice++;
    walk->failed = !load_slice(walk);
    if (walk->failed)
      return false;
  }
}
