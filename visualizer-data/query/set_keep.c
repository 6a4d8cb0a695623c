/* set_keep.c - answers heapprof_set.h: divides a profile, and counts what is in the set.
   A point whose chunks are all in it keeps its numbers, which no log has as good.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof_set.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/failure.h"
#include "measure/score.h"
#include "profile/measure_point.h"
#include "profile/notes.h"
#include "profile/profile_peak.h"
#include "profile/sampled_peak.h"
#include "query/filter.h"
#include "query/set_chunk.h"
#include "query/set_members.h"
#include "query/set_names.h"
#include "query/set_timeline.h"

struct keeping {
  hp_profile *profile;
  struct hp_profile_set *set;
  struct hp_set_names names;
  struct hp_filter filter;
  struct hp_set_asker asker;
  double v,
      vss; /* of chunks that stand for others, as chunk_measure.h has it */
  uint64_t asked; /* chunks whose accesses nobody knows */
  struct hp_error *error;
};

/* ---- the log ------------------------------------------------------------- */

static const char *key_of(const struct hp_set_node *term) {
  while (term->kind == HP_SET_NAMED)
    term = term->named->root->chunk_term;
  return hp_set_key_name(term->key);
}

/* Whether the log speaks for POINT, if only by a part of its chunks. */
static hp_status check_log(const struct keeping *k,
                           const struct hp_profile_point *point) {
  const struct hp_set_node *term = k->filter.root->chunk_term;
  char why[HP_SET_SILENCE] = "";
  if (!hp_set_log_is_silent(point->process, why, sizeof why) &&
      point->view.chunks && !point->chunks->count)
    snprintf(why, sizeof why,
             "this one has no chunk of point %" PRIu64
             ", profile with HEAPPROF_OPTIONS=chunk_log=all",
             point->view.id);
  if (!why[0])
    return HP_OK;
  return hp_set_fail(k->error, &k->asker.place, term->column,
                     "%s needs the chunk log; %s", key_of(term), why);
}

/* ---- points -------------------------------------------------------------- */

static const struct hp_dump_point *raw_of(const struct hp_profile *profile,
                                          const struct hp_profile_point *p) {
  const struct hp_dump *dump = p->process->dump;
  const size_t i = (size_t)(p - profile->points) - p->process->first_point + 1;
  return &dump->points[i < dump->point_count ? i : 0];
}

static void count_error(struct keeping *k, const struct hp_chunk_log *chunk) {
  const double v = (double)chunk->weight * ((double)chunk->weight - 1);
  k->v += v;
  k->vss += v * (double)chunk->size * (double)chunk->size;
}

static hp_status choose(struct keeping *k, const struct hp_profile_point *point,
                        struct hp_chunks *chosen) {
  const struct hp_dump_point *raw = raw_of(k->profile, point);
  struct hp_chunk_reader reader = hp_chunks_read(point->chunks);
  struct hp_chunk_log chunk;
  while (hp_chunks_next(&reader, &chunk)) {
    if (!hp_set_has_chunk(&k->asker, raw, &chunk))
      continue;
    if (!hp_chunks_add(chosen, &chunk))
      return hp_fail_memory(k->error);
    if (!point->process->rules.sampled)
      count_error(k, &chunk);
  }
  return k->asker.frees.failed == HP_OK ? hp_chunks_sort(chosen, k->error)
                                        : hp_fail_memory(k->error);
}

/* Some of POINT's chunks are in the set, or none, or all. */
static hp_status divide(struct keeping *k, struct hp_profile_point *point) {
  struct hp_chunks *chosen =
      &k->set->chunks[(size_t)(point - k->profile->points)];
  chosen->spill = &k->profile->spill;
  HP_TRY(check_log(k, point));
  k->set->view.estimated |= !point->is_logged;
  if (k->filter.root->asks_accesses && !point->view.accesses_known)
    k->asked += point->view.chunks;
  HP_TRY(choose(k, point, chosen));
  point->is_left_out = chosen->count == 0;
  if (point->is_left_out || chosen->count == point->chunks->count) {
    hp_chunks_free(chosen);
    return HP_OK;
  }
  HP_TRY(hp_point_measure_part(k->profile, point, chosen, k->error));
  return hp_profile_find_part_peaks(k->profile, point, k->error);
}

static hp_status divide_process(struct keeping *k,
                                const struct hp_profile_process *process) {
  if (k->filter.root->chunk_term)
    HP_TRY(hp_set_ask_process(&k->asker, process));
  for (size_t i = 0; i < process->point_count; i++) {
    struct hp_profile_point *point =
        &k->profile->points[process->first_point + i];
    const enum hp_set_answer answer =
        hp_filter_answers(&k->filter, &point->view);
    point->is_left_out = answer == HP_SET_NO;
    if (answer == HP_SET_DEPENDS)
      HP_TRY(divide(k, point));
  }
  return HP_OK;
}

/* ---- the set ------------------------------------------------------------- */

static void sum_up(struct keeping *k, const struct hp_profile_point *point) {
  struct hp_chunk_set *set = &k->set->view;
  const struct hp_point *view = &point->view;
  set->points++;
  set->parts += view->is_part;
  set->chunks = hp_add(set->chunks, view->chunks);
  set->bytes = hp_add(set->bytes, view->bytes);
  set->live_chunks = hp_add(set->live_chunks, view->live_chunks);
  set->live_bytes = hp_add(set->live_bytes, view->live_bytes);
  set->estimated |= view->samples != 0;
  k->v += point->tally->v;
  k->vss += point->tally->vss + point->tally->unseen;
}

/* What the set had at most, where the log has all its chunks. */
static hp_status find_peak(struct keeping *k,
                           const struct hp_profile_point *const *members,
                           size_t count) {
  struct hp_chunk_set *set = &k->set->view;
  const uint64_t most = hp_most_of_all(k->profile);
  struct hp_peak peak;
  set->peak_known = true;
  for (size_t i = 0; i < count; i++)
    set->peak_known &= members[i]->is_logged || members[i]->view.samples;
  if (!set->peak_known)
    return HP_OK;
  HP_TRY(hp_profile_peak(members, count, &peak, k->error));
  set->peak_bytes = most && peak.bytes > most ? most : peak.bytes;
  return HP_OK;
}

static hp_status score(struct keeping *k, struct hp_point *const *views,
                       size_t count) {
  struct hp_chunk_set *set = &k->set->view;
  struct hp_global means = {0};
  if (set->is_of_log)
    HP_TRY(hp_score_tops(views, count, k->error));
  HP_TRY(hp_score_global(views, count, k->profile->weight_by_bytes, &means,
                         k->error));
  set->lifetime = means.lifetime;
  set->usage = means.usage;
  set->useful_lifetime = means.useful_lifetime;
  set->chunks_error = sqrt(k->v);
  set->bytes_error = sqrt(k->vss);
  return HP_OK;
}

static hp_status describe(struct keeping *k) {
  hp_profile *profile = k->profile;
  const size_t most = profile->point_count + 1;
  const struct hp_profile_point **members = calloc(most, sizeof *members);
  struct hp_point **views = calloc(most, sizeof *views);
  size_t count = 0;
  hp_status status = members && views ? HP_OK : hp_fail_memory(k->error);
  for (size_t i = 0; status == HP_OK && i < profile->point_count; i++)
    if (!profile->points[i].is_left_out) {
      members[count] = &profile->points[i];
      views[count++] = &profile->points[i].view;
      sum_up(k, &profile->points[i]);
    }
  if (status == HP_OK)
    status = find_peak(k, members, count);
  if (status == HP_OK)
    status = score(k, views, count);
  free(members);
  free(views);
  for (size_t i = 0; status == HP_OK && i < profile->process_count; i++)
    if (!hp_is_merged(&profile->processes[i]))
      status = hp_set_make_timeline(profile, &profile->processes[i],
                                    &k->set->intervals[i], k->error);
  return status;
}

static hp_status note(struct keeping *k) {
  const struct hp_chunk_set *set = &k->set->view;
  if (set->is_of_log && set->estimated)
    HP_TRY(hp_profile_note(
        k->profile, k->error,
        "the set is an estimate: chunks +-%.0f, bytes +-%.0f (standard "
        "errors); all chunks profiled with chunk_log=all make it exact",
        set->chunks_error, set->bytes_error));
  if (k->asked)
    HP_TRY(hp_profile_note(
        k->profile, k->error,
        "of %" PRIu64 " chunks that the set was asked of nobody knows all "
        "accesses: reads, writes and interval are what was seen; "
        "accesses=known leaves them out",
        k->asked));
  if (k->asker.frees.shallow)
    HP_TRY(hp_profile_note(
        k->profile, k->error,
        "of %" PRIu64 " chunks only the function that called free is known, "
        "not its callers: freed_in() does not find those by them; "
        "HEAPPROF_OPTIONS=free_stacks=1 keeps them",
        k->asker.frees.shallow));
  return HP_OK;
}

/* ---- names --------------------------------------------------------------- */

static hp_status read_names(struct keeping *k, const char *file) {
  hp_profile *profile = k->profile;
  struct hp_set_names *names = &k->names;
  hp_set_names_begin(names, &profile->store);
  if (file)
    HP_TRY(hp_set_names_read(names, file, k->error));
  for (size_t i = 0; !file && i < profile->process_count; i++) {
    char *path = NULL;
    if (asprintf(&path, "%s/sets", profile->processes[i].dump->path) < 0)
      return hp_fail_memory(k->error);
    const hp_status status = access(path, F_OK) == 0
                                 ? hp_set_names_read(names, path, k->error)
                                 : HP_OK;
    free(path);
    HP_TRY(status);
  }
  return hp_set_names_check(names, k->error);
}

/* ---- two runs ------------------------------------------------------------ */

static hp_status find_sides(struct keeping *k, struct hp_set_node *node,
                            const struct hp_set_options *o) {
  if (!node->asks_sides)
    return HP_OK;
  if (node->kind == HP_SET_NAMED)
    return find_sides(k, node->named->root, o);
  if (node->kind == HP_SET_TERM && !o->find_side)
    return hp_set_fail(k->error, &k->asker.place, node->column,
                       "old: and new: are of two runs that heapprof-diff "
                       "compares");
  if (node->kind == HP_SET_TERM && !node->in_side)
    return o->find_side(o->context, node->key == HP_KEY_NEW, node->pattern,
                        &node->in_side, k->error);
  for (struct hp_set_node *part = node->first; part; part = part->next)
    HP_TRY(find_sides(k, part, o));
  return HP_OK;
}

/* Whether POINT has a chunk in the set. */
static hp_status ask_point(struct keeping *k,
                           const struct hp_profile_point *point, bool *has) {
  const enum hp_set_answer answer = hp_filter_answers(&k->filter, &point->view);
  struct hp_chunk_reader reader = hp_chunks_read(point->chunks);
  struct hp_chunk_log chunk;
  *has = answer == HP_SET_YES && point->view.chunks;
  if (answer != HP_SET_DEPENDS)
    return HP_OK;
  HP_TRY(check_log(k, point));
  while (!*has && hp_chunks_next(&reader, &chunk))
    *has = hp_set_has_chunk(&k->asker, raw_of(k->profile, point), &chunk);
  return k->asker.frees.failed == HP_OK ? HP_OK : hp_fail_memory(k->error);
}

static hp_status ask_named(struct keeping *k, const char *name, bool *has) {
  hp_profile *profile = k->profile;
  HP_TRY(hp_filter_parse_named(&k->filter, name, &k->names, &profile->store,
                               k->error));
  if (k->filter.root->kind != HP_SET_NAMED)
    return hp_fail(k->error, HP_E_ARGUMENT,
                   "%.100s: no set is named \"%.60s\"; give its file by --sets",
                   profile->processes[0].view.dump, name);
  HP_TRY(find_sides(k, k->filter.root, &(struct hp_set_options){0}));
  HP_TRY(hp_set_find_members(profile, k->filter.root, &k->asker.place,
                             &profile->store, k->error));
  k->asker.root = k->filter.root;
  for (size_t i = 0; i < profile->process_count; i++) {
    const struct hp_profile_process *process = &profile->processes[i];
    if (k->filter.root->chunk_term)
      HP_TRY(hp_set_ask_process(&k->asker, process));
    for (size_t p = 0; p < process->point_count; p++) {
      const struct hp_profile_point *point =
          &profile->points[process->first_point + p];
      HP_TRY(ask_point(k, point, &has[point->view.id]));
    }
  }
  return HP_OK;
}

static struct keeping keeping_of(hp_profile *profile, struct hp_error *error) {
  return (struct keeping){.profile = profile,
                          .asker = {.profile = profile,
                                    .place = {.what = "filter"},
                                    .error = error},
                          .error = error};
}

hp_status hp_profile_has_set(hp_profile *profile, const char *name,
                             const char *sets_file, bool *has,
                             struct hp_error *error) {
  struct keeping k = keeping_of(profile, error);
  if (profile->set)
    return hp_fail(error, HP_E_ARGUMENT, "the profile is of a set already");
  hp_status status = read_names(&k, sets_file);
  if (status == HP_OK)
    status = ask_named(&k, name, has);
  hp_set_asker_end(&k.asker);
  return status;
}

hp_status hp_profile_sets(hp_profile *profile, const char *sets_file,
                          const struct hp_set_text **sets, size_t *count,
                          struct hp_error *error) {
  struct keeping k = {.profile = profile, .error = error};
  struct hp_set_text *texts;
  size_t n = 0;
  HP_TRY(read_names(&k, sets_file));
  for (const struct hp_named_set *set = k.names.first; set; set = set->next)
    n++;
  *count = n;
  *sets = texts = hp_store_take(&profile->store, n + 1, sizeof *texts);
  if (!texts)
    return hp_fail_memory(error);
  for (const struct hp_named_set *set = k.names.first; set; set = set->next)
    texts[--n] = (struct hp_set_text){set->name, set->text};
  return HP_OK;
}

/* ---- all of it ----------------------------------------------------------- */

static hp_status make_room(struct keeping *k, const char *filter) {
  hp_profile *profile = k->profile;
  struct hp_profile_set *set = calloc(1, sizeof *set);
  if (!set)
    return hp_fail_memory(k->error);
  profile->set = k->set = set;
  set->chunks = calloc(profile->point_count + 1, sizeof *set->chunks);
  set->intervals = hp_store_take(&profile->store, profile->process_count,
                                 sizeof *set->intervals);
  set->view.filter = hp_store_text(&profile->store, filter, strlen(filter));
  set->view.is_of_log = k->filter.root->chunk_term != NULL;
  *profile->reading = (struct hp_profile_reading){0};
  return set->chunks && set->intervals && set->view.filter
             ? HP_OK
             : hp_fail_memory(k->error);
}

static hp_status keep(struct keeping *k, const struct hp_set_options *o) {
  const char *filter = o->filter;
  hp_profile *profile = k->profile;
  HP_TRY(hp_filter_parse_named(&k->filter, filter, &k->names, &profile->store,
                               k->error));
  if (hp_filter_asks_for_ranks(&k->filter))
    HP_TRY(hp_require_ranks(profile, k->error));
  HP_TRY(find_sides(k, k->filter.root, o));
  HP_TRY(hp_set_find_members(profile, k->filter.root, &k->asker.place,
                             &profile->store, k->error));
  HP_TRY(make_room(k, filter));
  k->asker.root = k->filter.root;
  for (size_t i = 0; i < profile->process_count; i++)
    HP_TRY(divide_process(k, &profile->processes[i]));
  HP_TRY(describe(k));
  return note(k);
}

hp_status hp_profile_keep(hp_profile *profile,
                          const struct hp_set_options *options,
                          struct hp_error *error) {
  struct hp_set_options o = {0};
  if (options->sz < sizeof options->sz)
    return hp_fail(error, HP_E_ARGUMENT,
                   "hp_set_options.sz is %zu; set it to the struct's size",
                   options->sz);
  memcpy(&o, options, options->sz < sizeof o ? options->sz : sizeof o);
  if (profile->set)
    return hp_fail(error, HP_E_ARGUMENT, "the profile is of a set already");
  struct keeping k = keeping_of(profile, error);
  hp_status status =
      o.filter || o.sets_file ? read_names(&k, o.sets_file) : HP_OK;
  if (status == HP_OK && o.filter)
    status = keep(&k, &o);
  hp_set_asker_end(&k.asker);
  return status;
}

const struct hp_chunk_set *hp_profile_set(const hp_profile *profile) {
  return profile->set ? &profile->set->view : NULL;
}

const struct hp_interval *hp_set_intervals(const hp_profile *profile, size_t i,
                                           size_t *count) {
  const struct hp_interval *intervals =
      profile->set && i < profile->process_count ? profile->set->intervals[i]
                                                 : NULL;
  *count = intervals ? profile->processes[i].of->interval_count : 0;
  return intervals;
}
