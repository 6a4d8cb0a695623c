/* life_walk.c - cuts time into slices and sorts what begins and ends in each.
   Runs are read in order, slice by slice, so that memory is seldom jumped in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "life_walk.h"

#include <stdlib.h>

#define SLICE_LIVES 65536u /* on average */
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
  hp_life_at *at;
  const void *context;
  const size_t *counts;
  size_t runs;
  size_t *next;         /* of each run, the number of its first life to come */
  struct hp_life *life; /* that life, or one that begins never */
  uint64_t base;        /* a slice is 2^shift long, from here on */
  unsigned shift;
  size_t slices, slice;
  struct moments begins, *ends; /* of this slice; of each */
  size_t begun, ended;          /* those of this slice that are past */
  bool failed;
};

static size_t slice_of(const hp_life_walk *walk, uint64_t time) {
  uint64_t slice = (time - walk->base) >> walk->shift;
  return slice < walk->slices ? (size_t)slice : walk->slices - 1;
}

static bool push(struct moments *to, uint64_t time, const struct hp_life *life,
                 size_t run) {
  if (to->count == to->room) {
    size_t room = to->room ? 2 * to->room : 64;
    struct moment *items = reallocarray(to->items, room, sizeof *items);
    if (!items)
      return false;
    to->items = items;
    to->room = room;
  }
  to->items[to->count++] =
      (struct moment){time, life->bytes, (uint32_t)run, life->weight};
  return true;
}

static int by_time(const void *left, const void *right) {
  const struct moment *a = left, *b = right;
  return (a->time > b->time) - (a->time < b->time);
}

static void sort(struct moments *m) {
  if (m->count)
    qsort(m->items, m->count, sizeof *m->items, by_time);
}

static void step(hp_life_walk *walk, size_t run) {
  if (walk->next[run] < walk->counts[run])
    walk->life[run] = walk->at(walk->context, run, walk->next[run]++);
  else
    walk->life[run].begin = HP_NEVER;
}

static bool load_slice(hp_life_walk *walk) {
  struct moments *begins = &walk->begins;
  begins->count = walk->begun = walk->ended = 0;
  for (size_t run = 0; run < walk->runs; run++) {
    const struct hp_life *life = &walk->life[run];
    for (;
         life->begin != HP_NEVER && slice_of(walk, life->begin) == walk->slice;
         step(walk, run))
      if (!push(begins, life->begin, life, run) ||
          (life->end != HP_NEVER &&
           !push(&walk->ends[slice_of(walk, life->end)], life->end, life, run)))
        return false;
  }
  sort(begins);
  sort(&walk->ends[walk->slice]);
  return true;
}

/* From the first beginning to the last. */
static void cut(hp_life_walk *walk) {
  uint64_t last = 0;
  size_t lives = 0;
  walk->base = UINT64_MAX;
  for (size_t run = 0; run < walk->runs; run++) {
    size_t count = walk->counts[run];
    if (count == 0)
      continue;
    uint64_t end = walk->at(walk->context, run, count - 1).begin;
    if (walk->life[run].begin < walk->base)
      walk->base = walk->life[run].begin;
    last = end > last ? end : last;
    lives += count;
  }
  size_t most = lives / SLICE_LIVES + 1;
  most = most < SLICES_MAX ? most : SLICES_MAX;
  while (lives && (last - walk->base) >> walk->shift >= most)
    walk->shift++;
  walk->slices = lives ? (size_t)((last - walk->base) >> walk->shift) + 1 : 1;
}

hp_life_walk *hp_life_walk_new(size_t runs, const size_t *counts,
                               hp_life_at *at, const void *context) {
  hp_life_walk *walk = calloc(1, sizeof *walk);
  if (!walk)
    return NULL;
  walk->at = at;
  walk->context = context;
  walk->counts = counts;
  walk->runs = runs;
  walk->next = calloc(runs + 1, sizeof *walk->next);
  walk->life = calloc(runs + 1, sizeof *walk->life);
  if (walk->next && walk->life) {
    for (size_t run = 0; run < runs; run++)
      step(walk, run);
    cut(walk);
    walk->ends = calloc(walk->slices, sizeof *walk->ends);
  }
  if (!walk->ends || !load_slice(walk)) {
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
  free(walk->next);
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
