/* replay_plan.c - see replay_plan.h: two moments of each chunk, sorted, then slots given out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "replay_plan.h"

#include <stdlib.h>

/* At one time in this order. */
enum moment_kind { MOMENT_END, MOMENT_BEGIN, MOMENT_END_AT_ONCE };

struct moment {
  uint64_t time;
  size_t life; /* breaks ties, so that the order is always the same */
  enum moment_kind kind;
};

static int by_time(const void *a, const void *b) {
  const struct moment *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return x->life < y->life ? -1 : x->life > y->life;
}

static size_t list_moments(struct moment *moments,
                           const struct hp_replay_life *lives, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    const struct hp_replay_life *life = &lives[i];
    moments[n++] = (struct moment){life->begin, i, MOMENT_BEGIN};
    if (life->ends)
      moments[n++] = life->end > life->begin
                         ? (struct moment){life->end, i, MOMENT_END}
                         : (struct moment){life->begin, i, MOMENT_END_AT_ONCE};
  }
  qsort(moments, n, sizeof *moments, by_time);
  return n;
}

/* Slots that are free again, the last one first. */
struct slots {
  uint32_t *of_life, *spare;
  uint32_t spare_count, made;
};

static struct hp_replay_event
begin(struct slots *slots, const struct hp_replay_life *life, size_t number) {
  uint32_t slot =
      slots->spare_count ? slots->spare[--slots->spare_count] : slots->made++;
  slots->of_life[number] = slot;
  return (struct hp_replay_event){slot, 0, life->size, life->lo, life->hi};
}

static struct hp_replay_event end(struct slots *slots, size_t number) {
  uint32_t slot = slots->of_life[number];
  slots->spare[slots->spare_count++] = slot;
  return (struct hp_replay_event){.slot = slot, .is_free = 1};
}

static void fill(struct hp_replay_plan *plan, struct slots *slots,
                 const struct hp_replay_life *lives,
                 const struct moment *moments) {
  uint64_t live = 0;
  for (size_t i = 0; i < plan->count; i++) {
    const struct hp_replay_life *life = &lives[moments[i].life];
    if (moments[i].kind == MOMENT_BEGIN) {
      plan->events[i] = begin(slots, life, moments[i].life);
      live += life->size;
      if (live > plan->peak_bytes)
        plan->peak_bytes = live;
    } else {
      plan->events[i] = end(slots, moments[i].life);
      live -= life->size;
    }
  }
  plan->slots = slots->made;
}

bool hp_replay_make(struct hp_replay_plan *plan,
                    const struct hp_replay_life *lives, size_t count) {
  *plan = (struct hp_replay_plan){0};
  if (count >= UINT32_MAX)
    return false;
  struct moment *moments = calloc(2 * count + 1, sizeof *moments);
  struct slots slots = {.of_life = calloc(count + 1, sizeof *slots.of_life),
                        .spare = calloc(count + 1, sizeof *slots.spare)};
  bool good = moments && slots.of_life && slots.spare;
  if (good) {
    plan->count = list_moments(moments, lives, count);
    plan->events = calloc(plan->count + 1, sizeof *plan->events);
    good = plan->events != NULL;
  }
  if (good)
    fill(plan, &slots, lives, moments);
  free(moments);
  free(slots.of_life);
  free(slots.spare);
  return good;
}
