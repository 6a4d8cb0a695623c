/* history.c - see history.h: what is rare in programs is common here.
   Ties, clocks that step back, gaps as long as tau, saturated counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "history.h"

#include <stdlib.h>

#include "profile/aggregate.h"

uint64_t hp_history_random(struct hp_history *h, uint64_t below) {
  h->state ^= h->state << 13;
  h->state ^= h->state >> 7;
  h->state ^= h->state << 17;
  return below ? (h->state >> 11) % below : 0;
}

static bool one_in(struct hp_history *h, uint64_t n) {
  return hp_history_random(h, n) == 0;
}

/* Any number of bits is as likely as any other. */
static uint64_t any(struct hp_history *h, unsigned bits) {
  unsigned shift = 64 - (unsigned)hp_history_random(h, bits + 1);
  return shift == 64 ? 0 : h->state >> shift;
}

void hp_history_begin(struct hp_history *h, uint64_t seed) {
  *h = (struct hp_history){.state = seed * 0x9e3779b97f4a7c15u + 1};
  hp_history_random(h, 2);
  h->points = 1 + (uint32_t)any(h, 7);
  h->threads = 1 + (uint32_t)hp_history_random(h, 4);
}

void hp_history_end(struct hp_history *h) {
  free(h->chunks);
  free(h->live);
}

/* ---- time ---------------------------------------------------------------- */

static void pass(struct hp_history *h) {
  uint64_t tau = h->now / 1000, ticks;
  switch (hp_history_random(h, 12)) {
  case 0:
  case 1:
  case 2:
    ticks = 0;
    break;
  case 3:
  case 4:
    ticks = tau - (tau > 0) + hp_history_random(h, 4);
    break;
  case 5:
    ticks = one_in(h, 20) ? any(h, 42) : any(h, 12);
    break;
  default:
    ticks = hp_history_random(h, 50);
  }
  h->has_begun &= ticks == 0;
  h->now += ticks;
}

/* ---- chunks -------------------------------------------------------------- */

static uint64_t size_of(struct hp_history *h, uint32_t point,
                        uint64_t replaced) {
  if (point % 4 == 0)
    return 24;
  if (replaced && replaced < (uint64_t)1 << 47)
    return one_in(h, 5) ? replaced / 2 : replaced + hp_history_random(h, 9);
  if (one_in(h, 9))
    return 0;
  return any(h, point % 4 == 1 ? 48 : 7);
}

/* NEW takes over from OLD: in all ways that there are. */
static void go_on(struct hp_history *h, struct hp_chunk_log *new,
                  const struct hp_chunk_log *old) {
  const bool goes_on = old->flags & HP_CHUNK_GROWN;
  new->flags = HP_CHUNK_GROWN;
  new->chain_length = goes_on ? old->chain_length + 1 : 2;
  new->chain_kind = old->point % HP_CHAIN_COUNT;
  new->chain_first = goes_on ? old->chain_first : old->size;
  new->chain_bytes = (goes_on ? old->chain_bytes : 0) + old->size;
  new->copied = one_in(h, 4) ? old->size / 2 : old->size;
  new->chain_copied = (goes_on ? old->chain_copied : 0) + new->copied;
}

static void begin_chunk(struct hp_history *h, uint32_t point,
                        const struct hp_chunk_log *old) {
  const uint64_t replaced = old ? old->size : 0;
  if (h->count == h->capacity) {
    h->capacity = 2 * h->capacity + 1024;
    h->chunks = realloc(h->chunks, h->capacity * sizeof *h->chunks);
    h->live = realloc(h->live, h->capacity * sizeof *h->live);
    if (!h->chunks || !h->live)
      abort();
  }
  h->chunks[h->count] = (struct hp_past){
      .chunk = {.weight = 1,
                .t0 = h->now,
                .size = size_of(h, point, replaced),
                .point = point,
                .thread = 1 + (uint32_t)hp_history_random(h, h->threads)}};
  struct hp_chunk_log *made = &h->chunks[h->count].chunk;
  if (replaced && made->size > replaced)
    go_on(h, made, old);
  h->live[h->live_count++] = h->count;
  h->has_begun = true;
  hp_aggregate_begin(point, h->now, h->chunks[h->count].chunk.size, 1);
  h->count++;
}

static uint64_t time_near(struct hp_history *h, uint64_t from, uint64_t life) {
  return from + (one_in(h, 3) ? life / 2 + hp_history_random(h, 3) - (life > 2)
                              : hp_history_random(h, life + 2));
}

/* What the accesses left behind; the same chunk always gets the same. */
static void access_chunk(struct hp_history *h, struct hp_chunk_log *c) {
  uint64_t life = c->t1 > c->t0 ? c->t1 - c->t0 : 1;
  static const uint32_t steps[] = {0, 1, 3, 50, 1000, UINT32_MAX};
  c->step = one_in(h, 3) ? (uint32_t)(life / 20 + hp_history_random(h, 2))
                         : steps[hp_history_random(h, 6)];
  c->flags |= hp_history_random(h, 3) == 0 ? HP_CHUNK_EXACT : 0u;
  c->flags |= one_in(h, 8) ? HP_CHUNK_AGED : 0u;
  c->flags |= one_in(h, 5) ? HP_CHUNK_ZEROED : 0u;
  c->flags |= one_in(h, 11) ? HP_CHUNK_MULTITHREAD : 0u;
  c->flags |= one_in(h, 11) ? HP_CHUNK_OVERRUN : 0u;
  c->reads = one_in(h, 3) ? 0 : one_in(h, 50) ? UINT64_MAX : any(h, 30);
  c->writes = one_in(h, 3) ? 0 : one_in(h, 50) ? UINT64_MAX : any(h, 30);
  if (!c->reads && !c->writes)
    return;
  c->first = time_near(h, c->t0, life);
  c->last = one_in(h, 20) ? c->first : c->first + hp_history_random(h, life);
  if (one_in(h, 30) && c->first > 5)
    c->first -= 5; /* before the chunk, and after the last access */
  c->lo = one_in(h, 2) ? 0 : any(h, 8);
  c->hi =
      one_in(h, 2) ? c->size / 2 + hp_history_random(h, 2) : c->lo + any(h, 48);
  if (c->hi < c->lo)
    c->hi = c->lo;
}

static void end_chunk(struct hp_history *h, size_t at, uint32_t flags) {
  struct hp_past *past = &h->chunks[h->live[at]];
  struct hp_chunk_log *c = &past->chunk;
  h->live[at] = h->live[--h->live_count];
  c->t1 = h->now;
  if (h->now == c->t0 + 1 && one_in(h, 2))
    c->t1 = c->t0 - hp_history_random(h, c->t0 < 9 ? c->t0 + 1 : 9);
  access_chunk(h, c);
  c->flags |= flags;
  c->free_thread =
      one_in(h, 4) ? 1 + (uint32_t)hp_history_random(h, h->threads) : c->thread;
  past->ended = true;
  hp_aggregate_end(c);
}

void hp_history_step(struct hp_history *h) {
  pass(h);
  bool may_end = h->live_count && !h->has_begun;
  uint32_t point = (uint32_t)hp_history_random(h, h->points);
  switch (hp_history_random(h, 5)) {
  case 0:
  case 1:
    begin_chunk(h, point, NULL);
    break;
  case 2:
    if (may_end) {
      size_t at = hp_history_random(h, h->live_count);
      struct hp_chunk_log old = h->chunks[h->live[at]].chunk;
      if (old.t0 < h->now) {
        end_chunk(h, at, HP_CHUNK_REALLOC);
        begin_chunk(h, old.point, &old);
      }
    }
    break;
  default:
    if (may_end) {
      /* The youngest now and then, so that there are short lives. */
      size_t at = one_in(h, 2) ? h->live_count - 1
                               : hp_history_random(h, h->live_count);
      if (h->chunks[h->live[at]].chunk.t0 < h->now)
        end_chunk(h, at, 0);
    }
  }
}

size_t hp_history_live(struct hp_history *h, uint32_t point, uint64_t end,
                       struct hp_chunk_log *live) {
  size_t n = 0;
  uint64_t state = h->state;
  for (size_t i = 0; i < h->count; i++) {
    struct hp_past *past = &h->chunks[i];
    if (past->ended || past->chunk.point != point)
      continue;
    live[n] = past->chunk;
    live[n].t1 = end;
    h->state = i + 1; /* the same accesses whenever it is asked */
    access_chunk(h, &live[n]);
    live[n].flags |= HP_CHUNK_LIVE;
    n++;
  }
  h->state = state;
  return n;
}
