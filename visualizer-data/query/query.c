/* query.c - answers hp_profile_query: filter, group, sort.
   Metrics of a group come from the tallies and events of its points.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "measure/metric.h"
#include "measure/score.h"
#include "profile/measure_point.h"
#include "profile/profile_inside.h"
#include "profile/profile_peak.h"
#include "profile/sampled_peak.h"
#include "query/filter.h"
#include "query/grouping.h"
#include "query/order.h"
#include "query/set_members.h"

/* A point that passed the filter, with the key of its group. */
struct keyed {
  const char *key;
  const struct hp_profile_point *point;
};

static int by_key(const void *a, const void *b) {
  const struct keyed *x = a, *y = b;
  int order = strcmp(x->key, y->key);
  if (order)
    return order;
  return (x->point->view.id > y->point->view.id) -
         (x->point->view.id < y->point->view.id);
}

/* What all members have in common stays, the rest becomes NULL. */
static void keep_common(struct hp_point *group, const struct hp_point *member,
                        enum hp_grouping grouping) {
  if (group->process != member->process)
    group->process = NULL;
  if (!group->type || !member->type || strcmp(group->type, member->type) != 0)
    group->type = NULL;
  /* Texts of one table, so that the same one is the same pointer. */
  if (!group->type || group->type_provenance != member->type_provenance)
    group->type_provenance = NULL;
  if (group->element_size != member->element_size)
    group->element_size = 0;
  if (grouping != HP_BY_SITE && group->site != member->site)
    group->site = NULL;
  if (grouping != HP_BY_PLACE && group->place != member->place)
    group->place = NULL;
}

/* What the processes of MEMBERS, which lie side by side, counted as live at
   most; 0: not counted, or MEMBERS are points of several. */
static uint64_t most_of(const struct hp_profile_point *const *members,
                        size_t count) {
  uint64_t most = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t peak = members[i]->process->of->end.heap_peak;
    if (!peak || !members[i]->view.process)
      return 0;
    if (i == 0 || members[i]->process != members[i - 1]->process)
      most = hp_add(most, peak);
  }
  return most;
}

/* The peak of all together.  Where not all chunks were logged, an estimate
   between what is known for sure: it is not less than what was live at the peak
   of the process, nor more than all local peaks. */
static hp_status find_peak(const struct hp_profile_point *const *members,
                           size_t count, struct hp_point *group,
                           struct hp_error *error) {
  struct hp_peak peak = {0};
  hp_u128 most = 0;
  uint64_t least = group->bytes_at_global_peak;
  bool logged = true, counted = true;
  for (size_t i = 0; i < count; i++) {
    uint64_t own = members[i]->view.peak_bytes;
    most += own;
    least = own > least ? own : least;
    logged = logged && members[i]->is_logged;
    counted = counted && members[i]->summary;
    group->logged_chunks += members[i]->view.logged_chunks;
    group->estimated |= members[i]->view.estimated;
    group->is_part |= members[i]->view.is_part;
  }
  if (counted && least == hp_clamp128(most)) {
    group->peak_bytes = least; /* as of a single point */
    return HP_OK;
  }
  HP_TRY(hp_profile_peak(members, count, &peak, error));
  group->peak_bytes = peak.bytes;
  uint64_t had = most_of(members, count);
  if (had && most > had)
    most = had;
  if (logged && !group->samples)
    return HP_OK;
  group->estimated = true;
  if (group->peak_bytes < least)
    group->peak_bytes = least;
  if (group->peak_bytes > most)
    group->peak_bytes = hp_clamp128(most);
  return HP_OK;
}

/* Lives are in ticks, which are those of one process. */
static hp_status add_histograms(struct hp_store *store,
                                const struct hp_profile_point *const *members,
                                size_t count, struct hp_point *group,
                                struct hp_error *error) {
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *view = &members[i]->view;
    hp_dump_use_one(members[i]->process->dump);
    HP_TRY(hp_histogram_add(store, &group->sizes, &view->sizes, error));
    if (group->process)
      HP_TRY(hp_histogram_add(store, &group->lives, &view->lives, error));
  }
  return HP_OK;
}

static hp_status make_group(struct hp_store *store, const struct keyed *members,
                            size_t count, enum hp_grouping grouping,
                            struct hp_point *group, struct hp_error *error) {
  const struct hp_point *first = &members[0].point->view;
  struct hp_tally tally = {0};
  hp_u128 at_peak = 0;
  uint64_t touched = 0;
  group->key = members[0].key;
  group->process = first->process;
  group->type = first->type;
  group->type_provenance = first->type_provenance;
  group->site = first->site;
  group->place = first->place;
  group->members = count;
  group->largest = first->id;
  group->element_size = first->element_size;
  uint64_t most = 0;
  const struct hp_profile_point **points =
      reallocarray(NULL, count, sizeof *points);
  if (!points)
    return hp_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    points[i] = members[i].point;
    hp_tally_add(&tally, points[i]->tally);
    hp_dump_use_one(points[i]->process->dump);
    at_peak += points[i]->view.bytes_at_global_peak;
    touched = hp_add(touched, points[i]->view.peak_touched_bytes);
    group->chunks_at_global_peak = hp_add(
        group->chunks_at_global_peak, points[i]->view.chunks_at_global_peak);
    group->peak_memory_bytes =
        hp_add(group->peak_memory_bytes, points[i]->view.peak_memory_bytes);
    if (points[i]->view.bytes > most) {
      most = points[i]->view.bytes;
      group->largest = points[i]->view.id;
    }
    if (i > 0)
      keep_common(group, &points[i]->view, grouping);
  }
  hp_tally_finish(&tally, group);
  group->bytes_at_global_peak = hp_clamp128(at_peak);
  group->peak_touched_bytes = touched;
  hp_status status = find_peak(points, count, group, error);
  hp_set_peak_error(group, &tally, most_of(points, count));
  if (status == HP_OK)
    status = add_histograms(store, points, count, group, error);
  free(points);
  return status;
}

/* One point at its place is known better than a group: it has a call stack. */
static void take_single(struct hp_point *group, const struct keyed *only) {
  *group = only->point->view;
  group->key = only->key;
  group->members = 1;
  group->largest = group->id;
}

static hp_status make_groups(struct hp_store *store, struct keyed *passed,
                             size_t count, enum hp_grouping grouping,
                             struct hp_point **views, size_t *groups,
                             struct hp_error *error) {
  struct hp_known_keys known = {0};
  for (size_t i = 0; i < count; i++) {
    passed[i].key =
        hp_grouping_key(grouping, &passed[i].point->view, &known, store);
    if (!passed[i].key)
      return hp_fail_memory(error);
  }
  qsort(passed, count, sizeof *passed, by_key);
  *groups = 0;
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1;
         end < count && strcmp(passed[begin].key, passed[end].key) == 0; end++)
      ;
    struct hp_point *group = hp_store_take(store, 1, sizeof *group);
    if (!group)
      return hp_fail_memory(error);
    if (grouping == HP_BY_PLACE && end - begin == 1)
      take_single(group, &passed[begin]);
    else
      HP_TRY(make_group(store, passed + begin, end - begin, grouping, group,
                        error));
    group->id = *groups + 1;
    views[(*groups)++] = group;
  }
  return hp_score_tops(views, *groups, error);
}

/* The set that the profile is of already is not asked for again. */
static hp_status ask_filter(hp_profile *profile, const char *text,
                            struct keyed *passed, size_t *count,
                            struct hp_error *error) {
  struct hp_filter filter = {0};
  const bool is_kept =
      profile->set && text && strcmp(text, profile->set->view.filter) == 0;
  HP_TRY(hp_filter_parse(&filter, is_kept ? NULL : text, &profile->answer_store,
                         error));
  if (hp_filter_asks_for_ranks(&filter))
    HP_TRY(hp_require_ranks(profile, error));
  if (filter.root && filter.root->asks_sides)
    return hp_fail(error, HP_E_ARGUMENT,
                   "filter: old: and new: are of two runs that heapprof-diff "
                   "compares");
  if (filter.root && filter.root->chunk_term)
    return hp_fail(error, HP_E_ARGUMENT,
                   "filter: %s is of single chunks, which this command does "
                   "not ask",
                   hp_set_key_name(filter.root->chunk_term->key));
  HP_TRY(hp_set_find_members(profile, filter.root,
                             &(struct hp_set_place){.what = "filter"},
                             &profile->answer_store, error));
  *count = 0;
  for (size_t i = 0; i < profile->point_count; i++)
    if (!profile->points[i].is_left_out &&
        hp_filter_passes(&filter, &profile->points[i].view))
      passed[(*count)++].point = &profile->points[i];
  return HP_OK;
}

static hp_status answer(hp_profile *profile, const struct hp_query *query,
                        struct keyed *passed, const struct hp_point **points,
                        size_t *count, struct hp_error *error) {
  struct hp_store *store = &profile->answer_store;
  enum hp_grouping grouping;
  size_t n = 0;
  HP_TRY(hp_grouping_parse(query->by, &grouping, error));
  HP_TRY(ask_filter(profile, query->filter, passed, &n, error));
  if (grouping == HP_BY_POINT) {
    for (size_t i = 0; i < n; i++)
      points[i] = &passed[i].point->view;
  } else {
    struct hp_point **groups = hp_store_take(store, n, sizeof *groups);
    if (!groups)
      return hp_fail_memory(error);
    HP_TRY(make_groups(store, passed, n, grouping, groups, &n, error));
    for (size_t i = 0; i < n; i++)
      points[i] = groups[i];
  }
  *count = n;
  return hp_sort_points(points, n, query->sort, query->reverse, error);
}

hp_status hp_profile_query(hp_profile *profile, const struct hp_query *query,
                           const struct hp_point *const **points, size_t *count,
                           struct hp_error *error) {
  struct hp_query known = {0};
  *points = NULL;
  *count = 0;
  if (query) {
    if (query->sz < sizeof query->sz)
      return hp_fail(error, HP_E_ARGUMENT,
                     "hp_query.sz is %zu; set it to the struct's size",
                     query->sz);
    memcpy(&known, query, query->sz < sizeof known ? query->sz : sizeof known);
  }
  hp_store_free(&profile->answer_store);
  size_t most = profile->point_count + 1;
  const struct hp_point **answered =
      reallocarray(profile->answer, most, sizeof *answered);
  if (!answered)
    return hp_fail_memory(error);
  profile->answer = answered;
  struct keyed *passed = calloc(most, sizeof *passed);
  if (!passed)
    return hp_fail_memory(error);
  hp_status status = answer(profile, &known, passed, answered, count, error);
  free(passed);
  if (status == HP_OK)
    *points = answered;
  else
    *count = 0;
  return status;
}
