/* excess.c - which allocation objects are excessive: outliers, or one cluster of k-means.
   Deterministic: the same objects give the same clusters on every machine.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/object.h"

#include <math.h>
#include <stdlib.h>

#include "base/failure.h"

#define RESTARTS 10u
#define ROUNDS 100u
#define LEAST_OBJECTS 4u /* of which quartiles say something */

/* ---- outliers ------------------------------------------------------------ */

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Linear between neighbours: type 7. */
static double quartile(const double *ascending, size_t count, double share) {
  const double at = share * (double)(count - 1);
  const size_t below = (size_t)at;
  const size_t above = below + 1 < count ? below + 1 : below;
  return ascending[below] +
         (at - (double)below) * (ascending[above] - ascending[below]);
}

static void judge_ratios(struct hp_made_object **items, size_t count, double mu,
                         double *sorted, struct hp_excess_verdict *v) {
  if (count < LEAST_OBJECTS)
    return;
  for (size_t i = 0; i < count; i++)
    sorted[i] = items[i]->ratio;
  qsort(sorted, count, sizeof *sorted, by_value);
  v->q1 = quartile(sorted, count, 0.25);
  v->q3 = quartile(sorted, count, 0.75);
  v->bound = v->q3 + mu * (v->q3 - v->q1);
  for (size_t i = 0; i < count; i++)
    v->members += items[i]->excessive = items[i]->ratio > v->bound;
  v->verdict = v->members ? HP_VERDICT_FOUND : HP_VERDICT_NOT_FOUND;
}

/* ---- clusters ------------------------------------------------------------ */

struct place {
  double x, y;
  int cluster, best; /* of this attempt, and of the best one */
};

struct attempt {
  struct place *places;
  size_t count;
  struct place *centres;
  unsigned k;
  uint64_t random;
};

/* xorshift64 */
static double next_random(struct attempt *a) {
  a->random ^= a->random << 13;
  a->random ^= a->random >> 7;
  a->random ^= a->random << 17;
  return (double)(a->random >> 11) * 0x1p-53;
}

static double distance(const struct place *a, const struct place *b) {
  const double x = a->x - b->x, y = a->y - b->y;
  return x * x + y * y;
}

static double nearest(const struct attempt *a, unsigned centres,
                      const struct place *p, int *which) {
  double least = INFINITY;
  for (unsigned i = 0; i < centres; i++) {
    const double d = distance(p, &a->centres[i]);
    if (d < least) {
      least = d;
      *which = (int)i;
    }
  }
  return least;
}

/* k-means++: each further one far from those there are. */
static void choose_centres(struct attempt *a) {
  int which = 0;
  size_t first = (size_t)(next_random(a) * (double)a->count);
  a->centres[0] = a->places[first];
  for (unsigned n = 1; n < a->k; n++) {
    double sum = 0;
    for (size_t i = 0; i < a->count; i++)
      sum += nearest(a, n, &a->places[i], &which);
    double wanted = next_random(a) * sum;
    size_t chosen = 0;
    for (size_t i = 0; i < a->count; i++) {
      const double d = nearest(a, n, &a->places[i], &which);
      if (d > 0)
        chosen = i;
      wanted -= d;
      if (wanted < 0 && d > 0)
        break;
    }
    a->centres[n] = a->places[chosen];
  }
}

static bool assign(struct attempt *a, double *sum) {
  bool changed = false;
  *sum = 0;
  for (size_t i = 0; i < a->count; i++) {
    int which = 0;
    *sum += nearest(a, a->k, &a->places[i], &which);
    changed = changed || which != a->places[i].cluster;
    a->places[i].cluster = which;
  }
  return changed;
}

static void move_centres(struct attempt *a) {
  for (unsigned n = 0; n < a->k; n++) {
    double x = 0, y = 0;
    size_t members = 0;
    for (size_t i = 0; i < a->count; i++)
      if (a->places[i].cluster == (int)n) {
        x += a->places[i].x;
        y += a->places[i].y;
        members++;
      }
    if (members)
      a->centres[n] =
          (struct place){.x = x / (double)members, .y = y / (double)members};
  }
}

static void find_clusters(struct attempt *a) {
  double least = INFINITY;
  for (unsigned n = 0; n < RESTARTS; n++) {
    double sum;
    for (size_t i = 0; i < a->count; i++)
      a->places[i].cluster = -1;
    choose_centres(a);
    for (unsigned round = 0; assign(a, &sum) && round < ROUNDS; round++)
      move_centres(a);
    if (sum < least) {
      least = sum;
      for (size_t i = 0; i < a->count; i++)
        a->places[i].best = a->places[i].cluster;
    }
  }
}

/* To mean 0 and variance 1; all alike: to 0. */
static void standardise(struct place *places, size_t count, size_t offset) {
  double sum = 0, squares = 0;
#define VALUE(i) (*(double *)(void *)((char *)&places[i] + offset))
  for (size_t i = 0; i < count; i++)
    sum += VALUE(i);
  const double mean = sum / (double)count;
  for (size_t i = 0; i < count; i++)
    squares += (VALUE(i) - mean) * (VALUE(i) - mean);
  const double deviation = sqrt(squares / (double)count);
  for (size_t i = 0; i < count; i++)
    VALUE(i) = deviation > 0 ? (VALUE(i) - mean) / deviation : 0;
#undef VALUE
}

static unsigned distinct(const struct place *places, size_t count,
                         unsigned enough) {
  unsigned n = 0;
  for (size_t i = 0; i < count && n < enough; i++) {
    bool seen = false;
    for (size_t k = 0; k < i && !seen; k++)
      seen = distance(&places[i], &places[k]) <= 0;
    n += !seen;
  }
  return n;
}

struct mean {
  double frequency, lifetime;
  size_t members;
};

/* The cluster with both the highest mean frequency and the lowest mean
   lifetime: -1 if no cluster has both; a tie is no answer. */
static int extreme(const struct mean *means, unsigned k, bool *tie) {
  unsigned most = 0, least = 0;
  for (unsigned i = 1; i < k; i++) {
    most = means[i].frequency > means[most].frequency ? i : most;
    least = means[i].lifetime < means[least].lifetime ? i : least;
  }
  *tie = false;
  for (unsigned i = 0; i < k; i++)
    *tie = *tie ||
           (i != most && !(means[i].frequency < means[most].frequency)) ||
           (i != least && !(means[i].lifetime > means[least].lifetime));
  return most == least ? (int)most : -1;
}

static void judge_clusters(struct hp_made_object **items, size_t count,
                           struct attempt *a, struct mean *means,
                           struct hp_excess_verdict *v) {
  for (size_t i = 0; i < count; i++)
    a->places[i] =
        (struct place){.x = log10(1 + (double)items[i]->frequency),
                       .y = log10(1 + items[i]->mean_lifetime_ns / 1e6)};
  standardise(a->places, count, offsetof(struct place, x));
  standardise(a->places, count, offsetof(struct place, y));
  a->k = distinct(a->places, count, a->k);
  v->clusters = a->k;
  if (a->k < 2)
    return;
  find_clusters(a);
  for (size_t i = 0; i < count; i++) {
    struct mean *m = &means[a->places[i].best];
    items[i]->cluster = a->places[i].best;
    m->frequency += (double)items[i]->frequency;
    m->lifetime += items[i]->mean_lifetime_ns;
    m->members++;
  }
  for (unsigned i = 0; i < a->k; i++) {
    const double members = means[i].members ? (double)means[i].members : 1;
    means[i].frequency /= members;
    means[i].lifetime /= members;
  }
  bool tie;
  v->cluster = extreme(means, a->k, &tie);
  if (tie)
    v->cluster = -1;
  for (size_t i = 0; i < count && v->cluster >= 0; i++)
    v->members += items[i]->excessive = items[i]->cluster == v->cluster;
  v->verdict = tie              ? HP_VERDICT_UNDETERMINED
               : v->cluster < 0 ? HP_VERDICT_NOT_FOUND
                                : HP_VERDICT_FOUND;
}

/* ---- the whole ----------------------------------------------------------- */

hp_status hp_objects_judge(hp_objects *objects,
                           const struct hp_excess_rules *rules,
                           struct hp_excess_verdict *verdict,
                           struct hp_error *error) {
  const size_t all = objects->count + 1;
  struct hp_made_object **items = calloc(all, sizeof *items);
  double *sorted = calloc(all, sizeof *sorted);
  struct attempt a = {.places = calloc(all, sizeof *a.places),
                      .centres =
                          calloc((size_t)rules->k + 1, sizeof *a.centres),
                      .k = rules->k,
                      .random = 0x2545f4914f6cdd1du};
  struct mean *means = calloc((size_t)rules->k + 1, sizeof *means);
  const bool good = items && sorted && a.places && a.centres && means;
  *verdict = (struct hp_excess_verdict){.cluster = -1};
  for (size_t i = 0; good && i < objects->count; i++) {
    struct hp_made_object *o = &objects->items[i];
    o->excessive = false;
    o->cluster = -1;
    if (o->frequency >= rules->min_frequency)
      items[verdict->objects++] = o;
  }
  a.count = (size_t)verdict->objects;
  if (good && rules->method == HP_EXCESS_IQR)
    judge_ratios(items, a.count, rules->mu, sorted, verdict);
  else if (good && a.count)
    judge_clusters(items, a.count, &a, means, verdict);
  free(items);
  free(sorted);
  free(a.places);
  free(a.centres);
  free(means);
  return good ? HP_OK : hp_fail_memory(error);
}

const char *hp_verdict_of_excess_name(enum hp_verdict_of_excess verdict) {
  static const char *const names[] = {"undetermined", "not found", "found"};
  return names[verdict];
}
