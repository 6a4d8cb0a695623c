/* diff.c - pairs two runs, tells noise from change, puts the greatest first.
   Totals are those of the whole profiles, or of a set that single chunks make.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff.h"

#include "heapprof_set.h"
#include "moved.h"

#include <stdlib.h>
#include <string.h>

const char *hp_diff_metric_name(enum hp_diff_metric metric) {
  static const char *const names[] = {
#define X(name, member) #name,
      HP_DIFF_METRICS(X)
#undef X
  };
  return names[metric];
}

uint64_t hp_diff_value(enum hp_diff_metric metric,
                       const struct hp_point *point) {
  if (!point)
    return 0;
  switch (metric) {
#define X(name, member)                                                        \
  case HP_DIFF_##name:                                                         \
    return point->member;
    HP_DIFF_METRICS(X)
#undef X
  case HP_DIFF_METRIC_COUNT:
    break;
  }
  return 0;
}

static void take_totals(uint64_t *totals, const hp_profile *profile) {
  const struct hp_global *g = hp_profile_global(profile);
  const struct hp_chunk_set *set = hp_profile_set(profile);
  if (set && set->is_of_log) {
    totals[HP_DIFF_bytes] = set->bytes;
    totals[HP_DIFF_chunks] = set->chunks;
    totals[HP_DIFF_peak] = set->peak_bytes;
    totals[HP_DIFF_live] = set->live_bytes;
    return;
  }
  totals[HP_DIFF_bytes] = g->bytes;
  totals[HP_DIFF_chunks] = g->chunks;
  totals[HP_DIFF_peak] = g->peak_bytes;
  for (size_t i = 0; i < hp_process_count(profile); i++)
    totals[HP_DIFF_live] += hp_process_at(profile, i)->live_bytes_at_end;
}

static uint64_t distance(enum hp_diff_metric metric,
                         const struct hp_pair *pair) {
  uint64_t a = hp_diff_value(metric, pair->old_point);
  uint64_t b = hp_diff_value(metric, pair->new_point);
  return a > b ? a - b : b - a;
}

/* A row and what it is sorted by. */
struct ranked {
  struct hp_diff_row row;
  uint64_t distance;
  size_t order;
};

static int by_distance(const void *a, const void *b) {
  const struct ranked *x = a, *y = b;
  if (x->distance != y->distance)
    return x->distance > y->distance ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

/* Noise in every metric, not only in the one that is sorted by. */
static bool is_noise(const struct hp_diff *d, const struct hp_pair *pair) {
  for (int i = 0; i < HP_DIFF_METRIC_COUNT; i++) {
    uint64_t whole =
        d->totals[0][i] > d->totals[1][i] ? d->totals[0][i] : d->totals[1][i];
    uint64_t change = distance((enum hp_diff_metric)i, pair);
    if (change && (double)change * 100 >= d->threshold * (double)whole)
      return false;
  }
  return true;
}

/* Rows by place, or by site. */
static bool pair_moved(struct hp_diff *d, struct hp_pair *rows) {
  const bool by_site = d->by && strcmp(d->by, "site") == 0;
  struct hp_pairs pairs = {rows, d->count};
  if (!by_site && (!d->by || strcmp(d->by, "place") != 0))
    return true;
  const bool ok = hp_pair_moved(&pairs, by_site);
  d->count = pairs.count;
  return ok;
}

bool hp_diff_make(struct hp_diff *d, struct hp_points old_points,
                  struct hp_points new_points) {
  struct hp_pair *pairs;
  struct ranked *ranked;
  memset(d->totals, 0, sizeof d->totals);
  take_totals(d->totals[0], d->old_profile);
  take_totals(d->totals[1], d->new_profile);
  if (!hp_pair_up(old_points, new_points, &pairs, &d->count))
    return false;
  if (!pair_moved(d, pairs)) {
    free(pairs);
    return false;
  }
  ranked = calloc(d->count + 1, sizeof *ranked);
  d->rows = calloc(d->count + 1, sizeof *d->rows);
  for (size_t i = 0; ranked && d->rows && i < d->count; i++)
    ranked[i] = (struct ranked){
        {pairs[i], is_noise(d, &pairs[i])}, distance(d->metric, &pairs[i]), i};
  if (ranked && d->rows) {
    qsort(ranked, d->count, sizeof *ranked, by_distance);
    for (size_t i = 0; i < d->count; i++)
      d->rows[i] = ranked[i].row;
  }
  free(pairs);
  free(ranked);
  return ranked && d->rows;
}

void hp_diff_free(struct hp_diff *d) {
  free(d->rows);
  d->rows = NULL;
}

const char *hp_diff_status(const struct hp_pair *pair) {
  if (!pair->old_point)
    return "added";
  if (!pair->new_point)
    return "removed";
  for (int i = 0; i < HP_DIFF_METRIC_COUNT; i++)
    if (distance((enum hp_diff_metric)i, pair))
      return "changed";
  return "same";
}
