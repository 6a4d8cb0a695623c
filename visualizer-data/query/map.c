/* map.c - answers heapprof_map.h: which moments, and every logged chunk of the process, twice.
   At the end of a window all live chunks are in the log; at other moments only if nothing was left out of it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "measure/metric.h"
#include "profile/profile_inside.h"
#include "query/map_grid.h"

#define CELLS_USUAL 2048u
#define NOTES_MAX 4u

/* A map, and what it is made with. */
struct making {
  struct hp_map map; /* first: what the caller gets */
  struct hp_store store;
  struct hp_map_grid grid;
  const hp_profile *profile;
  const struct hp_profile_process *process;
  struct hp_map_moment *moments;
  uint64_t ticks[HP_MAP_MOMENTS_MAX]; /* of each, ascending */
  const char *notes[NOTES_MAX];
  uint64_t outside; /* live chunks that lie in no region */
};

/* ---- figures --------------------------------------------------------------- */

static double rest_of(uint64_t part, uint64_t whole) {
  return whole ? 1 - (double)part / (double)whole : HP_NULL_SCORE;
}

double hp_map_fragmentation(const struct hp_map_use *use) {
  return rest_of(use->live_bytes, use->span_bytes);
}

double hp_map_internal(const struct hp_map_use *use) {
  return rest_of(use->live_bytes, use->taken_bytes);
}

/* The last chunk's slot reaches beyond the span. */
double hp_map_external(const struct hp_map_use *use) {
  const uint64_t taken =
      use->taken_bytes < use->span_bytes ? use->taken_bytes : use->span_bytes;
  return rest_of(taken, use->span_bytes);
}

double hp_map_utilisation(const struct hp_map_use *use) {
  return use->mapped_bytes ? (double)use->live_bytes / (double)use->mapped_bytes
                           : HP_NULL_SCORE;
}

/* ---- what there can be ----------------------------------------------------- */

static hp_status check(const struct hp_profile_process *process, bool *any,
                       struct hp_error *error) {
  const struct hp_dump *dump = process->dump;
  const struct hp_dump_end *end = &process->of->end;
  if (hp_is_merged(process))
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: a merged dump has no chunks one by one; map those that "
                   "it was made of",
                   dump->path);
  if (!process->of->complete && !dump->complete)
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: the dump was cut off before it said which chunks "
                   "live: there is no map",
                   dump->path);
  if (process->view.allocator)
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: its chunks are those of the program's own allocator, "
                   "whose regions are not known: run it without "
                   "--allocator=program, and with --addresses",
                   dump->path);
  if (!end->heap_regions_list)
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: this dump has no addresses: run the program with "
                   "HEAPPROF_OPTIONS=addresses=1",
                   dump->path);
  *any = !end->thinned_chunks && !end->dropped_chunks;
  return HP_OK;
}

hp_status hp_map_check(const hp_profile *profile, size_t process, bool *any,
                       struct hp_error *error) {
  if (process >= profile->process_count)
    return hp_fail(error, HP_E_ARGUMENT, "there is no process %zu", process);
  return check(&profile->processes[process], any, error);
}

/* ---- moments --------------------------------------------------------------- */

/* The last tick that is no later than NS. */
static uint64_t ticks_of(uint64_t ns, uint64_t rate) {
  const __uint128_t ticks =
      (((__uint128_t)ns + 1) * rate + 999999999u) / 1000000000u;
  const uint64_t last = ticks > INT64_MAX ? INT64_MAX : (uint64_t)ticks;
  return last ? last - 1 : 0;
}

static bool find_named(const struct making *making, const char *name,
                       uint64_t *ticks) {
  const struct hp_dump_end *end = &making->process->of->end;
  if (strcmp(name, "end") == 0) {
    *ticks = end->end;
    return true;
  }
  if (strcmp(name, "peak") == 0) {
    *ticks = end->peak_time;
    return true;
  }
  for (size_t i = 0; i < end->mark_count; i++)
    if (strcmp(end->marks[i].name, name) == 0) {
      *ticks = end->marks[i].ticks;
      return true;
    }
  return false;
}

/* Inserts it where it belongs by time. */
static void add_moment(struct making *making, struct hp_map_moment moment,
                       uint64_t ticks) {
  size_t at = making->map.moment_count++;
  for (; at && making->ticks[at - 1] > ticks; at--) {
    making->ticks[at] = making->ticks[at - 1];
    making->moments[at] = making->moments[at - 1];
  }
  making->ticks[at] = ticks;
  making->moments[at] = moment;
}

static hp_status take_moments(struct making *making,
                              const struct hp_map_when *when, size_t count,
                              bool any, struct hp_error *error) {
  const uint64_t end = making->process->of->end.end;
  const uint64_t rate = making->process->rules.ticks_per_second;
  if (!count || count > HP_MAP_MOMENTS_MAX)
    return hp_fail(error, HP_E_ARGUMENT, "%zu moments instead of 1 to %u",
                   count, HP_MAP_MOMENTS_MAX);
  making->moments =
      hp_store_take(&making->store, count, sizeof *making->moments);
  if (!making->moments)
    return hp_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    uint64_t ticks = ticks_of(when[i].at_ns, rate);
    if (when[i].name && !find_named(making, when[i].name, &ticks))
      return hp_fail(error, HP_E_ARGUMENT, "%s: the program set no mark \"%s\"",
                     making->process->dump->path, when[i].name);
    if (ticks < end && !any)
      return hp_fail(error, HP_E_ARGUMENT,
                     "%s: the chunk log has not all chunks, so that only the "
                     "end is known: run the program with "
                     "HEAPPROF_OPTIONS=addresses=1:chunk_log=all",
                     making->process->dump->path);
    const bool is_later = ticks >= end;
    ticks = is_later ? end : ticks;
    add_moment(making,
               (struct hp_map_moment){.at_ns = when[i].name || is_later
                                                   ? hp_ticks_to_ns(ticks, rate)
                                                   : when[i].at_ns,
                                      .name = when[i].name},
               ticks);
  }
  making->map.moments = making->moments;
  return HP_OK;
}

/* ---- chunks ---------------------------------------------------------------- */

/* The first moment at TICKS or later. */
static size_t moment_from(const struct making *making, uint64_t ticks) {
  size_t i = 0;
  while (i < making->map.moment_count && making->ticks[i] < ticks)
    i++;
  return i;
}

/* Which moments CHUNK lives at: [*FIRST, *LAST). */
static void moments_of(const struct making *making,
                       const struct hp_chunk_log *chunk, size_t *first,
                       size_t *last) {
  *first = moment_from(making, chunk->t0);
  *last = chunk->flags & HP_CHUNK_LIVE ? making->map.moment_count
                                       : moment_from(making, chunk->t1);
  if (*last < *first)
    *last = *first;
}

static hp_status take_chunk(struct making *making,
                            const struct hp_profile_point *point,
                            const struct hp_chunk_log *chunk, bool fills,
                            struct hp_error *error) {
  struct hp_map_extent extent;
  size_t first, last;
  moments_of(making, chunk, &first, &last);
  if (!hp_map_place(&making->grid, chunk, &extent)) {
    making->outside += !fills && first < last;
    return HP_OK;
  }
  if (!fills)
    return hp_map_count_extent(&making->grid, &extent, first, last, error);
  hp_map_fill(
      &making->grid, &extent, first, last, &point->view,
      hp_ticks_to_ns(chunk->t0, making->process->rules.ticks_per_second));
  return HP_OK;
}

static hp_status take_chunks(struct making *making, bool fills,
                             struct hp_error *error) {
  const struct hp_profile_process *process = making->process;
  for (size_t i = 0; i < process->point_count; i++) {
    const struct hp_profile_point *point =
        &making->profile->points[process->first_point + i];
    struct hp_chunk_reader reader = hp_chunks_read(point->chunks);
    struct hp_chunk_log chunk;
    while (hp_chunks_next(&reader, &chunk))
      HP_TRY(take_chunk(making, point, &chunk, fills, error));
  }
  return HP_OK;
}

/* ---- what is said of it ---------------------------------------------------- */

static bool add_note(struct making *making, const char *format,
                     uint64_t count) {
  char text[256];
  snprintf(text, sizeof text, format, count);
  char *note = hp_store_text(&making->store, text, strlen(text));
  if (note)
    making->notes[making->map.note_count++] = note;
  return note != NULL;
}

static bool add_notes(struct making *making) {
  const struct hp_map *map = &making->map;
  const struct hp_map_moment *last = &making->moments[map->moment_count - 1];
  const bool is_end =
      making->ticks[map->moment_count - 1] == making->process->of->end.end;
  uint64_t slots = 0;
  for (size_t r = 0; r < map->region_count; r++)
    slots += making->grid.slots[r];
  bool good = true;
  if (is_end && slots > last->all.chunks)
    good = add_note(making,
                    "%" PRIu64 " more chunks lie there that the dump does not "
                    "have: they look free",
                    slots - last->all.chunks);
  if (good && making->process->view.sampled)
    good = add_note(making,
                    "not all chunks were profiled; the others lie "
                    "elsewhere, in no map",
                    0);
  else if (good && making->process->of->end.unprofiled_chunks)
    good = add_note(making,
                    "%" PRIu64 " chunks began without a profile and lie "
                    "elsewhere, in no map",
                    making->process->of->end.unprofiled_chunks);
  if (good && making->outside)
    good =
        add_note(making, "%" PRIu64 " chunks lie in no known part of the heap",
                 making->outside);
  making->map.notes = making->notes;
  return good;
}

static void add_up(struct hp_map_use *all, const struct hp_map_use *use) {
  all->chunks += use->chunks;
  all->live_bytes += use->live_bytes;
  all->taken_bytes += use->taken_bytes;
  all->span_bytes += use->span_bytes;
  all->mapped_bytes += use->mapped_bytes;
}

/* At the end the dump itself says how far each region was used. */
static void know_end(struct making *making) {
  const size_t last = making->map.moment_count - 1;
  struct hp_map_grid *grid = &making->grid;
  if (making->ticks[last] == making->process->of->end.end)
    for (size_t r = 0; r < grid->region_count; r++)
      grid->counts[last * grid->region_count + r].ever = grid->used[r];
}

static hp_status sum_up(struct making *making, struct hp_error *error) {
  struct hp_map_grid *grid = &making->grid;
  for (size_t m = 0; m < making->map.moment_count; m++) {
    struct hp_map_moment *moment = &making->moments[m];
    struct hp_map_use *uses =
        hp_store_take(&making->store, grid->region_count, sizeof *uses);
    double sum = 0;
    size_t full = 0;
    if (!uses)
      return hp_fail_memory(error);
    for (size_t r = 0; r < grid->region_count; r++) {
      uses[r] = grid->counts[m * grid->region_count + r].use;
      add_up(&moment->all, &uses[r]);
      if (!uses[r].chunks || !uses[r].span_bytes)
        continue;
      sum += hp_map_fragmentation(&uses[r]);
      full++;
    }
    moment->mean_fragmentation = full ? sum / (double)full : HP_NULL_SCORE;
    moment->uses = uses;
    moment->cells = grid->cells + m * grid->cell_count;
  }
  return HP_OK;
}

/* The points that cells name. */
static hp_status take_points(struct making *making, struct hp_error *error) {
  const hp_profile *profile = making->profile;
  const struct hp_map_grid *grid = &making->grid;
  bool *is_named = calloc(profile->point_count + 1, sizeof *is_named);
  size_t count = 0;
  for (size_t i = 0; is_named && i < grid->moment_count * grid->cell_count; i++)
    if (grid->cells[i].point && !is_named[grid->cells[i].point->id]) {
      is_named[grid->cells[i].point->id] = true;
      count++;
    }
  const struct hp_point **points =
      hp_store_take(&making->store, count, sizeof(const struct hp_point *));
  for (size_t i = 0; points && is_named && i < profile->point_count; i++)
    if (is_named[profile->points[i].view.id])
      points[making->map.point_count++] = &profile->points[i].view;
  making->map.points = points;
  const bool good = points && is_named;
  free(is_named);
  return good ? HP_OK : hp_fail_memory(error);
}

/* ---- the map --------------------------------------------------------------- */

static void hand_over(struct making *making) {
  const struct hp_map_grid *grid = &making->grid;
  struct hp_map *map = &making->map;
  map->process = &making->process->view;
  map->cell_bytes = grid->cell_bytes;
  map->regions = grid->regions;
  map->region_count = grid->region_count;
  map->stretches = grid->stretches;
  map->stretch_count = grid->stretch_count;
  map->cell_count = grid->cell_count;
}

static hp_status make(struct making *making, const struct hp_map_when *when,
                      size_t count, const struct hp_map_options *o,
                      struct hp_error *error) {
  bool any, good;
  HP_TRY(check(making->process, &any, error));
  if (o->cell_bytes && (o->cell_bytes < 16 || o->cell_bytes >> 40 ||
                        (o->cell_bytes & (o->cell_bytes - 1))))
    return hp_fail(error, HP_E_ARGUMENT,
                   "a cell has a power of two of bytes, 16 at least");
  HP_TRY(take_moments(making, when, count, any, error));
  making->grid.store = &making->store;
  making->grid.moment_count = count;
  HP_TRY(hp_map_take_regions(&making->grid, &making->process->of->end, &good,
                             error));
  if (!good)
    return hp_fail(error, HP_E_CORRUPT,
                   "%s/end: regions of the heap that "
                   "cannot be",
                   making->process->dump->path);
  HP_TRY(take_chunks(making, false, error));
  know_end(making);
  HP_TRY(hp_map_lay_out(&making->grid, o->cell_bytes,
                        o->most_cells ? o->most_cells : CELLS_USUAL, error));
  HP_TRY(take_chunks(making, true, error));
  hp_map_finish_cells(&making->grid);
  hand_over(making);
  HP_TRY(sum_up(making, error));
  HP_TRY(take_points(making, error));
  return add_notes(making) ? HP_OK : hp_fail_memory(error);
}

hp_status hp_map_make(struct hp_map **out, const hp_profile *profile,
                      size_t process, const struct hp_map_when *when,
                      size_t count, const struct hp_map_options *o,
                      struct hp_error *error) {
  struct hp_map_options known = {0};
  if (o)
    memcpy(&known, o, o->sz < sizeof known ? o->sz : sizeof known);
  if (process >= profile->process_count)
    return hp_fail(error, HP_E_ARGUMENT, "there is no process %zu", process);
  struct making *making = calloc(1, sizeof *making);
  if (!making)
    return hp_fail_memory(error);
  making->profile = profile;
  making->process = &profile->processes[process];
  const hp_status status = make(making, when, count, &known, error);
  hp_map_grid_end(&making->grid);
  if (status == HP_OK)
    *out = &making->map;
  else
    hp_map_free(&making->map);
  return status;
}

void hp_map_free(struct hp_map *map) {
  struct making *making = (struct making *)map;
  if (!making)
    return;
  hp_store_free(&making->store);
  free(making);
}
