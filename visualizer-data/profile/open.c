/* open.c - opens dumps and works out every point and the whole.
   The order is that of the data: read, tally, peaks, symbols, scores.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/failure.h"
#include "measure/metric.h"
#include "measure/score.h"
#include "profile/bare_modules.h"
#include "profile/escape.h"
#include "profile/freer.h"
#include "profile/lent_function.h"
#include "profile/mapping_view.h"
#include "profile/measure_point.h"
#include "profile/notes.h"
#include "profile/place.h"
#include "profile/process_view.h"
#include "profile/profile_peak.h"
#include "profile/unseen_modules.h"
#include "profile/unseen_writer.h"
#include "read/dump_list.h"
#include "read/dump_reader.h"

#define TOLD_EACH 1000u /* points */

/* ---- options ------------------------------------------------------------- */

static hp_status known_options(const struct hp_open_options *given,
                               struct hp_open_options *known,
                               struct hp_error *error) {
  *known = (struct hp_open_options){0};
  if (given) {
    if (given->sz < sizeof given->sz)
      return hp_fail(error, HP_E_ARGUMENT,
                     "hp_open_options.sz is %zu; set it to the struct's size",
                     given->sz);
    memcpy(known, given, given->sz < sizeof *known ? given->sz : sizeof *known);
  }
  known->sz = sizeof *known;
  if (!(known->group_gap >= 0 && known->group_gap <= 1))
    return hp_fail(error, HP_E_ARGUMENT,
                   "group gap of %g; give a share of the window, 0 to 1",
                   known->group_gap);
  if (known->group_gap <= 0)
    known->group_gap = known->memoro_compat ? 0.01 : HP_GROUP_P;
  if (known->short_ns == 0)
    known->short_ns = HP_SHORT_NS;
  return HP_OK;
}

/* ---- points -------------------------------------------------------------- */

static hp_status add_points(struct hp_profile *profile,
                            const struct hp_open_options *o,
                            struct hp_error *error) {
  size_t most = 0;
  for (size_t i = 0; i < profile->dump_count; i++)
    most += profile->dumps[i]->point_count;
  profile->points = calloc(most + 1, sizeof *profile->points);
  profile->views = calloc(most + 1, sizeof *profile->views);
  if (!profile->points || !profile->views)
    return hp_fail_memory(error);
  for (size_t i = 0; i < profile->process_count; i++) {
    struct hp_profile_process *process = &profile->processes[i];
    const struct hp_dump *dump = process->dump;
    if (process->of != dump->processes)
      continue; /* its dump was seen */
    process->first_point = profile->point_count;
    for (size_t k = 1; k < dump->point_count; k++) {
      if (o->progress && k % TOLD_EACH == 1)
        o->progress("measuring points", profile->point_count, most);
      HP_TRY(hp_point_measure(profile, process, &dump->points[k], o->from_log,
                              error));
    }
    /* Last, so that the ids of the others are those of the dump. */
    if (dump->points[0].chunks.count || dump->points[0].summary)
      HP_TRY(hp_point_measure(profile, process, &dump->points[0], o->from_log,
                              error));
    process->point_count = profile->point_count - process->first_point;
  }
  return HP_OK;
}

static hp_status sum_up(struct hp_profile *profile,
                        const struct hp_open_options *o,
                        struct hp_error *error) {
  struct hp_global *global = &profile->global;
  HP_TRY(hp_lent_find(profile, error));
  HP_TRY(hp_escape_find(profile, o, error));
  HP_TRY(hp_places_find(profile, error));
  HP_TRY(hp_unseen_writers_find(profile, error));
  HP_TRY(hp_freers_find(profile, error));
  HP_TRY(hp_profile_find_peaks(profile, error));
  HP_TRY(hp_score_tops(profile->views, profile->point_count, error));
  HP_TRY(hp_score_global(profile->views, profile->point_count,
                         o->weight_by_bytes, global, error));
  global->points = profile->point_count;
  for (size_t i = 0; i < profile->point_count; i++) {
    global->chunks += profile->points[i].view.chunks;
    global->bytes = hp_add(global->bytes, profile->points[i].view.bytes);
  }
  HP_TRY(hp_unseen_find(profile, error));
  if (!o->no_symbols)
    HP_TRY(hp_note_bare_modules(profile, error));
  for (size_t i = 0; i < profile->process_count; i++) {
    struct hp_profile_process *process = &profile->processes[i];
    global->sampled = global->sampled || process->rules.sampled;
    HP_TRY(hp_process_recount(profile, process, error));
    HP_TRY(hp_note_losses(profile, process, error));
    HP_TRY(hp_note_estimates(profile, process, error));
    HP_TRY(hp_note_coarse_groups(profile, process, error));
    global->time_in_allocator_ns =
        hp_add(global->time_in_allocator_ns,
               hp_ticks_to_ns(process->view.allocator_ticks,
                              process->rules.ticks_per_second));
  }
  return HP_OK;
}

/* ---- opening ------------------------------------------------------------- */

/* The same directory twice would count everything twice. */
static bool is_open_already(const struct hp_profile *profile,
                            const struct hp_profile_place *place) {
  for (size_t i = 0; i < profile->dump_count; i++)
    if (profile->places[i].number == place->number &&
        profile->places[i].device == place->device)
      return true;
  return false;
}

static hp_status add_processes(struct hp_profile *profile,
                               const struct hp_dump *dump,
                               const struct hp_open_options *o,
                               struct hp_error *error) {
  struct hp_profile_process *all =
      reallocarray(profile->processes,
                   profile->process_count + dump->process_count, sizeof *all);
  if (!all)
    return hp_fail_memory(error);
  profile->processes = all;
  for (size_t i = 0; i < dump->process_count; i++) {
    struct hp_profile_process *process = &all[profile->process_count++];
    *process =
        (struct hp_profile_process){.dump = dump, .of = &dump->processes[i]};
    HP_TRY(hp_process_describe(profile, process, o, error));
  }
  return HP_OK;
}

/* Whether nothing is asked of the log but for chunks of o->point. */
static bool rests_on_sums(const struct hp_profile_process *process,
                          const struct hp_open_options *o) {
  const struct hp_dump *dump = process->dump;
  if (!dump->complete || !dump->has_checkpoint || o->from_log ||
      dump->header.processes)
    return false;
  for (size_t i = 1; i < dump->point_count; i++) {
    const struct hp_dump_point *point = &dump->points[i];
    if (point->id != o->point && point->summary &&
        !hp_sums_answer(process, point->summary))
      return false;
  }
  return true;
}

static hp_status add_dump(struct hp_profile *profile, const char *path,
                          const struct hp_open_options *o,
                          hp_progress *progress, uint64_t point,
                          struct hp_error *error) {
  struct hp_profile_place place = {0};
  struct stat of;
  if (stat(path, &of) == 0) { /* else reading it says what is wrong */
    place = (struct hp_profile_place){of.st_dev, of.st_ino};
    if (is_open_already(profile, &place))
      return HP_OK;
  }
  size_t n = profile->dump_count;
  struct hp_dump **dumps =
      reallocarray(profile->dumps, n + 1, sizeof *profile->dumps);
  profile->dumps = dumps ? dumps : profile->dumps;
  struct hp_profile_place *places =
      reallocarray(profile->places, n + 1, sizeof *profile->places);
  profile->places = places ? places : profile->places;
  if (!dumps || !places)
    return hp_fail_memory(error);
  places[n] = place;
  HP_TRY(hp_dump_read_sums(&dumps[n], path, progress, &profile->spill, error));
  profile->dump_count++;
  HP_TRY(add_processes(profile, dumps[n], o, error));
  struct hp_dump *dump = dumps[n];
  struct hp_profile_process *all =
      profile->processes + profile->process_count - dump->process_count;
  if (point && !rests_on_sums(&all[0], o))
    point = 0;
  HP_TRY(hp_dump_read_chunks(dump, point, error));
  for (size_t i = 0; i < dump->process_count; i++)
    all[i].view.chunks_kept = point ? dump->end.chunks : dump->chunk_count;
  return HP_OK;
}

static hp_status read_path(struct hp_profile *profile, const char *path,
                           const struct hp_open_options *o,
                           struct hp_error *error) {
  const char **dumps;
  size_t count;
  HP_TRY(hp_dump_list(&profile->store, path, &dumps, &count, error));
  for (size_t i = 0; i < count; i++) {
    if (o->progress && count > 1)
      o->progress("reading dumps", i, count);
    HP_TRY(add_dump(profile, dumps[i], o, count > 1 ? NULL : o->progress,
                    count > 1 ? 0 : o->point, error));
  }
  return HP_OK;
}

/* What a window's earlier dumps hold would count again in its last.  In a
   merged dump it is inseparable from the rest. */
static hp_status leave_out_earlier(struct hp_profile *profile,
                                   struct hp_error *error) {
  struct hp_profile_process *all = profile->processes;
  size_t count = profile->process_count, kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool continued = false;
    for (size_t j = 0; j < count && !continued; j++) {
      if (i == j || !hp_dump_is_same_process(all[i].of, all[j].of))
        continue;
      if (hp_is_merged(&all[i]) || hp_is_merged(&all[j]))
        return hp_fail(error, HP_E_ARGUMENT,
                       "%s and %s both hold process %" PRIu64
                       "; put them together with heapprof-merge, which counts "
                       "it once",
                       all[i].view.dump, all[j].view.dump, all[i].view.pid);
      continued = hp_dump_is_continued_by(all[i].of, all[j].of);
    }
    all[i].left_out = continued;
  }
  for (size_t i = 0; i < count; i++)
    if (!all[i].left_out)
      all[kept++] = all[i];
  profile->process_count = kept;
  if (kept == count)
    return HP_OK;
  return hp_profile_note(profile, error,
                         "%zu earlier dump%s left out: a later one of the same "
                         "process holds what %s",
                         count - kept, count - kept == 1 ? " was" : "s were",
                         count - kept == 1 ? "it does" : "they do");
}

/* The cache is written into the first dump; the other dumps may have one from
   when they were the first. */
static hp_status open_symbolizer(struct hp_profile *profile,
                                 const struct hp_open_options *o,
                                 struct hp_error *error) {
  if (o->no_symbols || o->no_cache || profile->process_count == 0)
    return hp_symbolizer_open(&profile->symbolizer, NULL, o, error);
  hp_status status = HP_OK;
  for (size_t i = 0; i < profile->process_count && status == HP_OK; i++) {
    const struct hp_dump *dump = profile->processes[i].dump;
    char *cache = NULL;
    if (profile->processes[i].of != dump->processes)
      continue; /* its dump was seen */
    if (asprintf(&cache, "%s/symbols", dump->path) < 0)
      return hp_fail_memory(error);
    status = i == 0
                 ? hp_symbolizer_open(&profile->symbolizer, cache, o, error)
                 : hp_symbolizer_read_cache(profile->symbolizer, cache, error);
    free(cache);
  }
  return status;
}

static hp_status open_all(struct hp_profile *profile, const char *const *paths,
                          size_t count, const struct hp_open_options *given,
                          struct hp_error *error) {
  struct hp_open_options o;
  HP_TRY(known_options(given, &o, error));
  if (count == 0)
    return hp_fail(error, HP_E_ARGUMENT, "no dump given; name a directory");
  if (count > 1) /* what was live at once in all of them is in their logs */
    o.point = 0;
  for (size_t i = 0; i < count; i++)
    HP_TRY(read_path(profile, paths[i], &o, error));
  HP_TRY(leave_out_earlier(profile, error));
  HP_TRY(open_symbolizer(profile, &o, error));
  HP_TRY(add_points(profile, &o, error));
  HP_TRY(hp_mappings_describe(profile, error));
  profile->weight_by_bytes = o.weight_by_bytes;
  if (o.progress)
    o.progress("finding peaks", 0, 0);
  return sum_up(profile, &o, error);
}

hp_status hp_profile_open(hp_profile **out, const char *const *paths,
                          size_t count, const struct hp_open_options *o,
                          struct hp_error *error) {
  *out = NULL;
  struct hp_profile *profile = calloc(1, sizeof *profile);
  if (!profile)
    return hp_fail_memory(error);
  profile->tallies.spill = &profile->spill;
  profile->reading = calloc(1, sizeof *profile->reading);
  hp_status status = profile->reading
                         ? open_all(profile, paths, count, o, error)
                         : hp_fail_memory(error);
  if (status != HP_OK) {
    hp_profile_close(profile);
    return status;
  }
  *out = profile;
  return HP_OK;
}

static void free_set(struct hp_profile *profile) {
  if (!profile->set)
    return;
  for (size_t i = 0; profile->set->chunks && i < profile->point_count; i++)
    hp_chunks_free(&profile->set->chunks[i]);
  free(profile->set->chunks);
  free(profile->set);
}

void hp_profile_close(hp_profile *profile) {
  if (!profile)
    return;
  hp_symbolizer_close(profile->symbolizer);
  for (size_t i = 0; i < profile->dump_count; i++)
    hp_dump_close(profile->dumps[i]);
  free_set(profile);
  free(profile->dumps);
  free(profile->places);
  free(profile->processes);
  free(profile->points);
  free(profile->views);
  free(profile->notes);
  free(profile->unseen);
  hp_escape_free(profile);
  free(profile->reading);
  free(profile->answer);
  hp_store_free(&profile->answer_store);
  hp_store_free(&profile->scratch);
  hp_store_free(&profile->tallies);
  hp_store_free(&profile->store);
  hp_spill_close(&profile->spill);
  free(profile);
}
