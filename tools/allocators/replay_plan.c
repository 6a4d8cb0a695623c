/* replay_plan.c - see replay_plan.h: two moments of each chunk, sorted, then slots and threads given out.
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
  return (struct hp_replay_event){
      .slot = slot, .size = life->size, .lo = life->lo, .hi = life->hi};
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

/* ---- threads ----------------------------------------------------------------- */

/* A number of the log, and that of the events. */
struct thread {
  uint32_t number, index;
};
#define NO_INDEX UINT32_MAX

static int by_number(const void *a, const void *b) {
  uint32_t x = ((const struct thread *)a)->number;
  uint32_t y = ((const struct thread *)b)->number;
  return x < y ? -1 : x > y;
}

/* Each number once, ascending; into room for two of each life. */
static size_t list_threads(struct thread *threads,
                           const struct hp_replay_life *lives, size_t count) {
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < count; i++) {
    threads[n++] = (struct thread){lives[i].thread, NO_INDEX};
    if (lives[i].ends)
      threads[n++] = (struct thread){lives[i].free_thread, NO_INDEX};
  }
  qsort(threads, n, sizeof *threads, by_number);
  for (size_t i = 0; i < n; i++)
    if (!kept || threads[kept - 1].number != threads[i].number)
      threads[kept++] = threads[i];
  return kept;
}

static void fill_threads(struct hp_replay_plan *plan, struct thread *threads,
                         size_t thread_count,
                         const struct hp_replay_life *lives,
                         const struct moment *moments) {
  for (size_t i = 0; i < plan->count; i++) {
    const struct hp_replay_life *life = &lives[moments[i].life];
    struct thread wanted = {
        moments[i].kind == MOMENT_BEGIN ? life->thread : life->free_thread, 0};
    struct thread *found =
        bsearch(&wanted, threads, thread_count, sizeof *threads, by_number);
    if (found->index == NO_INDEX)
      found->index = plan->threads++;
    plan->events[i].thread = found->index;
  }
  bool *seen = calloc(plan->threads + 1, sizeof *seen);
  for (size_t i = plan->count; seen && i-- > 0;) {
    plan->events[i].is_last = !seen[plan->events[i].thread];
    seen[plan->events[i].thread] = true;
  }
  free(seen); /* without it threads stay to the end */
}

bool hp_replay_make(struct hp_replay_plan *plan,
                    const struct hp_replay_life *lives, size_t count) {
  *plan = (struct hp_replay_plan){0};
  if (count >= UINT32_MAX)
    return false;
  struct moment *moments = calloc(2 * count + 1, sizeof *moments);
  struct slots slots = {.of_life = calloc(count + 1, sizeof *slots.of_life),
                        .spare = calloc(count + 1, sizeof *slots.spare)};
  struct thread *threads = calloc(2 * count + 1, sizeof *threads);
  bool good = moments && slots.of_life && slots.spare && threads;
  if (good) {
    plan->count = list_moments(moments, lives, count);
    plan->events = calloc(plan->count + 1, sizeof *plan->events);
    good = plan->events != NULL;
  }
  if (good) {
    fill(plan, &slots, lives, moments);
    fill_threads(plan, threads, list_threads(threads, lives, count), lives,
                 moments);
  }
  free(threads);
  free(moments);
  free(slots.of_life);
  free(slots.spare);
  return good;
}
