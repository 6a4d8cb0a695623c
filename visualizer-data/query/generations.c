/* generations.c - answers heapprof_generations.h: chunks of the log by the marks between
   which they were born, as born() and live_at() of a set have them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof_generations.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "measure/metric.h"
#include "measure/peak.h"
#include "profile/profile_inside.h"
#include "query/set_fail.h"

struct hp_generations {
  struct hp_store store;
  struct hp_process_generations *processes;
  size_t count;
};

/* What is counted of one process.  MOMENTS are marks; generation i ends at moment i,
   the last one at the end. */
struct counting {
  const struct hp_profile_process *process;
  const struct hp_dump_mark **moments;
  size_t count;
  struct hp_generation_sum *all; /* of count + 1 generations */
  struct hp_generation_sum *
      lasts; /* lasts[g * (count + 2) + k]: live at k moments from its own end on */
};

/* ---- marks --------------------------------------------------------------- */

static int by_time(const void *left, const void *right) {
  const struct hp_dump_mark *a = *(const struct hp_dump_mark *const *)left,
                            *b = *(const struct hp_dump_mark *const *)right;
  return a->ticks < b->ticks ? -1 : a->ticks > b->ticks;
}

static bool is_first_of_name(const struct hp_dump_end *end, size_t mark) {
  for (size_t i = 0; i < mark; i++)
    if (strcmp(end->marks[i].name, end->marks[mark].name) == 0)
      return false;
  return end->marks[mark].name[0] != '\0';
}

static hp_status find_moments(struct hp_generations *all, struct counting *c,
                              struct hp_error *error) {
  const struct hp_dump_end *end = &c->process->of->end;
  c->moments =
      hp_store_take(&all->store, end->mark_count + 1, sizeof *c->moments);
  if (!c->moments)
    return hp_fail_memory(error);
  for (size_t i = 0; i < end->mark_count; i++)
    if (is_first_of_name(end, i))
      c->moments[c->count++] = &end->marks[i];
  qsort(c->moments, c->count, sizeof *c->moments, by_time);
  const size_t generations = c->count + 1;
  c->all = hp_store_take(&all->store, generations, sizeof *c->all);
  c->lasts = hp_store_take(&all->store, generations * (generations + 1),
                           sizeof *c->lasts);
  return c->all && c->lasts ? HP_OK : hp_fail_memory(error);
}

/* ---- chunks -------------------------------------------------------------- */

static void add(struct hp_generation_sum *sum, const struct hp_chunk_log *c) {
  sum->chunks += c->weight;
  sum->bytes = hp_add(sum->bytes, hp_clamp128((hp_u128)c->size * c->weight));
}

static bool is_live_at(const struct counting *c, const struct hp_chunk_log *log,
                       const struct hp_life *life, size_t moment) {
  const uint64_t window = c->process->rules.window;
  if (moment == c->count || c->moments[moment]->ticks >= window)
    return log->flags & HP_CHUNK_LIVE;
  return hp_life_covers(life, c->moments[moment]->ticks);
}

static void count_chunk(struct counting *c, const struct hp_chunk_log *log) {
  size_t low = 0, high = c->count;
  while (low < high) { /* the first moment behind its birth */
    const size_t middle = low + (high - low) / 2;
    if (c->moments[middle]->ticks <= log->t0)
      low = middle + 1;
    else
      high = middle;
  }
  const size_t born = low;
  const struct hp_life life = hp_chunk_life(log, c->process->rules.window);
  high = c->count + 1;
  while (low < high) { /* the first at which it is gone */
    const size_t middle = low + (high - low) / 2;
    if (is_live_at(c, log, &life, middle))
      low = middle + 1;
    else
      high = middle;
  }
  add(&c->all[born], log);
  add(&c->lasts[born * (c->count + 2) + (low - born)], log);
}

static hp_status count_point(struct counting *c, bool *estimated,
                             const struct hp_profile_point *point,
                             struct hp_error *error) {
  struct hp_chunk_reader reader = hp_chunks_read(point->chunks);
  struct hp_chunk_log chunk;
  if (point->view.chunks && !point->chunks->count)
    return hp_fail(error, HP_E_ARGUMENT,
                   "generations need the chunk log; this one has no chunk of "
                   "point %" PRIu64
                   ", profile with HEAPPROF_OPTIONS=chunk_log=all",
                   point->view.id);
  *estimated = *estimated || !point->is_logged || point->view.estimated;
  while (hp_chunks_next_life(&reader, &chunk))
    count_chunk(c, &chunk);
  return HP_OK;
}

/* ---- the whole ----------------------------------------------------------- */

/* Those that live at k moments or more are live at the k-th. */
static hp_status finish(struct hp_generations *all, struct counting *c,
                        struct hp_process_generations *to,
                        struct hp_error *error) {
  const uint64_t rate = c->process->rules.ticks_per_second;
  const size_t count = c->count + 1;
  struct hp_generation *made = hp_store_take(&all->store, count, sizeof *made);
  if (!made)
    return hp_fail_memory(error);
  for (size_t g = 0; g < count; g++) {
    struct hp_generation_sum *lasts = &c->lasts[g * (count + 1)];
    for (size_t k = count - g; k > 1; k--) {
      lasts[k - 1].chunks += lasts[k].chunks;
      lasts[k - 1].bytes = hp_add(lasts[k - 1].bytes, lasts[k].bytes);
    }
    made[g] = (struct hp_generation){
        .from = g ? c->moments[g - 1]->name : NULL,
        .to = g < c->count ? c->moments[g]->name : NULL,
        .from_ns = g ? hp_ticks_to_ns(c->moments[g - 1]->ticks, rate) : 0,
        .to_ns = g < c->count ? hp_ticks_to_ns(c->moments[g]->ticks, rate)
                              : c->process->view.window_ns,
        .all = c->all[g],
        .live = lasts + 1,
        .live_count = count - g};
  }
  to->generations = made;
  to->count = count;
  return HP_OK;
}

static hp_status make_process(struct hp_generations *all,
                              const hp_profile *profile,
                              const struct hp_profile_process *process,
                              const struct hp_point *const *points,
                              size_t count, struct hp_error *error) {
  struct counting c = {.process = process};
  char why[HP_SET_SILENCE];
  struct hp_process_generations *to = &all->processes[all->count];
  if (hp_set_log_is_silent(process, why, sizeof why))
    return hp_fail(error, HP_E_ARGUMENT, "generations need the chunk log; %s",
                   why);
  *to = (struct hp_process_generations){.process = &process->view,
                                        .estimated = process->rules.sampled};
  HP_TRY(find_moments(all, &c, error));
  for (size_t i = 0; i < count; i++) {
    const struct hp_profile_point *point = &profile->points[points[i]->id - 1];
    if (point->process == process)
      HP_TRY(count_point(&c, &to->estimated, point, error));
  }
  all->count++;
  return finish(all, &c, to, error);
}

static hp_status make(struct hp_generations *all, const hp_profile *profile,
                      const struct hp_point *const *points, size_t count,
                      struct hp_error *error) {
  all->processes = hp_store_take(&all->store, profile->process_count + 1,
                                 sizeof *all->processes);
  if (!all->processes)
    return hp_fail_memory(error);
  for (size_t i = 0; i < profile->process_count; i++)
    if (profile->processes[i].of->end.mark_count)
      HP_TRY(make_process(all, profile, &profile->processes[i], points, count,
                          error));
  return all->count ? HP_OK
                    : hp_fail(error, HP_E_ARGUMENT,
                              "the program set no marks; "
                              "__heapprof_mark(\"loaded\") at the moments that "
                              "matter divides the run into generations");
}

hp_status hp_generations_make(hp_generations **out, const hp_profile *profile,
                              const struct hp_point *const *points,
                              size_t count, struct hp_error *error) {
  *out = NULL;
  struct hp_generations *all = calloc(1, sizeof *all);
  if (!all)
    return hp_fail_memory(error);
  const hp_status status = make(all, profile, points, count, error);
  if (status != HP_OK) {
    hp_generations_free(all);
    return status;
  }
  *out = all;
  return HP_OK;
}

void hp_generations_free(hp_generations *all) {
  if (!all)
    return;
  hp_store_free(&all->store);
  free(all);
}

size_t hp_generations_count(const hp_generations *all) {
  return all ? all->count : 0;
}

const struct hp_process_generations *
hp_generations_at(const hp_generations *all, size_t i) {
  return i < all->count ? &all->processes[i] : NULL;
}
