/* set_timeline.c - see set_timeline.h: one walk over the lives, interval by interval.
   What is live as an interval begins counts for it, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_timeline.h"

#include "base/failure.h"
#include "base/saturate.h"
#include "query/set_lives.h"

struct level {
  uint64_t bytes, chunks;
};

static void see(struct hp_interval *in, const struct level *now) {
  in->bytes_min = now->bytes < in->bytes_min ? now->bytes : in->bytes_min;
  in->bytes_max = now->bytes > in->bytes_max ? now->bytes : in->bytes_max;
  in->chunks_min = now->chunks < in->chunks_min ? now->chunks : in->chunks_min;
  in->chunks_max = now->chunks > in->chunks_max ? now->chunks : in->chunks_max;
}

static void begin(struct hp_interval *in, const struct hp_interval *of,
                  const struct level *now) {
  *in = (struct hp_interval){.begin_ns = of->begin_ns,
                             .end_ns = of->end_ns,
                             .bytes_min = now->bytes,
                             .bytes_max = now->bytes,
                             .chunks_min = now->chunks,
                             .chunks_max = now->chunks};
}

static void take(struct hp_interval *in, struct level *now,
                 const struct hp_life_event *event) {
  if (event->begins) {
    now->bytes += event->bytes;
    now->chunks += event->weight;
    in->allocations += event->weight;
    in->bytes = hp_add(in->bytes, event->bytes);
  } else {
    now->bytes -= event->bytes;
    now->chunks -= event->weight;
  }
  see(in, now);
}

static void fill(const struct hp_profile_process *process, hp_life_walk *walk,
                 struct hp_interval *intervals) {
  const struct hp_interval *ticks = process->of->intervals;
  const size_t count = process->of->interval_count;
  struct level now = {0};
  struct hp_life_event event;
  bool more = hp_life_walk_next(walk, &event);
  for (size_t i = 0; i < count; i++) {
    begin(&intervals[i], &process->view.intervals[i], &now);
    /* Live chunks end beyond the window, in no interval. */
    for (; more && (event.time < ticks[i].end_ns ||
                    (i + 1 == count && event.time <= process->rules.window));
         more = hp_life_walk_next(walk, &event))
      take(&intervals[i], &now, &event);
  }
}

static bool is_logged(const struct hp_set_lives *lives) {
  for (size_t i = 0; i < lives->count; i++)
    if (!lives->points[i]->is_logged)
      return false;
  return true;
}

hp_status hp_set_make_timeline(hp_profile *profile,
                               const struct hp_profile_process *process,
                               struct hp_interval **intervals,
                               struct hp_error *error) {
  struct hp_set_lives lives;
  hp_life_walk *walk = NULL;
  hp_status status = HP_OK;
  *intervals = NULL;
  bool good = hp_set_lives_begin(&lives, profile, process, false);
  if (good && !process->rules.sampled && is_logged(&lives)) {
    walk = hp_set_lives_walk(&lives);
    *intervals = hp_store_take(&profile->store, process->of->interval_count,
                               sizeof **intervals);
    good = walk && *intervals;
  }
  if (walk && good) {
    fill(process, walk, *intervals);
    good = !hp_life_walk_failed(walk);
  }
  if (!good)
    status = hp_fail_memory(error);
  if (walk)
    hp_life_walk_free(walk);
  hp_set_lives_end(&lives);
  return status;
}
