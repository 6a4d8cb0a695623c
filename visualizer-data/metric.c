/* metric.c - scores of one allocation point and the sums they are made of.
   Follows docs/metrics.md line by line; undefined is HP_NULL_SCORE, never NaN.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "metric.h"

#include <math.h>

#include "inference.h"

/* A chunk that lives this many times tick_max is known well enough. */
#define HP_KNOWN_TICKS 20u
#define HP_SCORE_FLOOR 0.01

uint64_t hp_rules_tau(double p, uint64_t window) {
  double tau = p * (double)window;
  /* P is meant in decimal: 0.29 * 100 is 29 although its double is less. */
  tau = floor(tau + tau * 0x1p-51);
  return tau >= 0x1p63 ? UINT64_MAX : (uint64_t)tau;
}

uint64_t hp_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second) {
  return hp_clamp128((hp_u128)ticks * 1000000000u / ticks_per_second);
}

/* ---- additive parts ------------------------------------------------------ */

static void range_put(struct hp_range *range, uint64_t value) {
  if (range->count == 0 || value < range->min)
    range->min = value;
  if (range->count == 0 || value > range->max)
    range->max = value;
  range->count++;
  range->sum += value;
}

static void range_add(struct hp_range *sum, const struct hp_range *range) {
  if (range->count == 0)
    return;
  if (sum->count == 0 || range->min < sum->min)
    sum->min = range->min;
  if (sum->count == 0 || range->max > sum->max)
    sum->max = range->max;
  sum->count += range->count;
  sum->sum += range->sum;
}

static struct hp_min_mean_max range_finish(const struct hp_range *range) {
  struct hp_min_mean_max result = {.defined = range->count > 0};
  if (result.defined) {
    result.min = range->min;
    result.max = range->max;
    result.mean = (double)range->sum / (double)range->count;
  }
  return result;
}

static void spread_put(struct hp_spread *spread, double value) {
  spread->count++;
  double distance = value - spread->mean;
  spread->mean += distance / (double)spread->count;
  spread->squares += distance * (value - spread->mean);
}

static void spread_add(struct hp_spread *sum, const struct hp_spread *spread) {
  if (spread->count == 0)
    return;
  double a = (double)sum->count, b = (double)spread->count;
  double distance = spread->mean - sum->mean;
  sum->mean += distance * b / (a + b);
  sum->squares += spread->squares + distance * distance * a * b / (a + b);
  sum->count += spread->count;
}

/* ---- scores -------------------------------------------------------------- */

static bool takes_part(const struct hp_chunk_log *chunk,
                       const struct hp_rules *rules) {
  return !(rules->exclude_live && chunk->flags & HP_CHUNK_LIVE);
}

static bool is_accessed(const struct hp_chunk_log *chunk) {
  return chunk->reads > 0 || chunk->writes > 0;
}

static void end_group(struct hp_tally *tally, uint64_t n, uint64_t first_t0,
                      uint64_t last_t1, double lives) {
  if (n == 0)
    return;
  tally->groups++;
  tally->singletons += n == 1;
  tally->group_sum += lives / ((double)n * (double)hp_dur(first_t0, last_t1));
}

static void lifetime_score(struct hp_tally *tally,
                           const struct hp_chunk_log *chunks, size_t count,
                           const struct hp_rules *rules) {
  uint64_t n = 0, first_t0 = 0, previous_t0 = 0, last_t1 = 0;
  double lives = 0;
  for (size_t i = 0; i < count; i++) {
    const struct hp_chunk_log *c = &chunks[i];
    if (!takes_part(c, rules))
      continue;
    if (n > 0 && c->t0 - previous_t0 > rules->tau) {
      end_group(tally, n, first_t0, last_t1, lives);
      n = 0;
      lives = 0;
    }
    if (n == 0) {
      first_t0 = c->t0;
      last_t1 = c->t1;
    }
    n++;
    previous_t0 = c->t0;
    last_t1 = c->t1 > last_t1 ? c->t1 : last_t1;
    lives += (double)hp_dur(c->t0, c->t1);
  }
  end_group(tally, n, first_t0, last_t1, lives);
}

static void usage_score(struct hp_tally *tally,
                        const struct hp_chunk_log *chunk,
                        const struct hp_rules *rules) {
  bool counts =
      chunk->reads > 0 && (chunk->writes > 0 || chunk->flags & HP_CHUNK_ZEROED);
  if (rules->memoro_compat) {
    if (!is_accessed(chunk))
      return;
    counts = true;
  }
  tally->usable = hp_add(tally->usable, chunk->size);
  if (counts)
    tally->used = hp_add(tally->used, hp_chunk_span(chunk));
}

static double active_share(const struct hp_chunk_log *chunk) {
  if (!is_accessed(chunk))
    return 0;
  double share = (double)hp_dur(chunk->first, chunk->last) /
                 (double)hp_dur(chunk->t0, chunk->t1);
  return share < 1 ? share : 1;
}

static bool is_exact(const struct hp_chunk_log *chunk,
                     const struct hp_rules *rules) {
  return rules->exact_time || chunk->flags & HP_CHUNK_EXACT;
}

static bool is_short_lived_for_clock(const struct hp_chunk_log *chunk,
                                     const struct hp_rules *rules) {
  return hp_dur(chunk->t0, chunk->t1) <
         hp_multiply(HP_KNOWN_TICKS, rules->tick_max);
}

bool hp_last_is_known(const struct hp_chunk_log *chunk,
                      const struct hp_rules *rules) {
  return is_exact(chunk, rules) || !is_short_lived_for_clock(chunk, rules);
}

/* Chosen for exact times, so that it may speak for chunks that were not.  One
   ended by realloc is exact whether chosen or not: realloc's own read makes all
   of those look used to the end. */
static bool is_sample(const struct hp_chunk_log *chunk,
                      const struct hp_rules *rules) {
  return (is_exact(chunk, rules) || chunk->flags & HP_CHUNK_AGED) &&
         !(chunk->flags & HP_CHUNK_REALLOC) &&
         is_short_lived_for_clock(chunk, rules);
}

/* How far active_share() can be off. */
static double share_error(const struct hp_chunk_log *chunk,
                          const struct hp_rules *rules) {
  if (is_exact(chunk, rules))
    return 0;
  double error = (double)rules->tick_max / (double)hp_dur(chunk->t0, chunk->t1);
  return error < 1 ? error : 1;
}

struct sample {
  struct hp_spread shares;
  double error; /* sum of share_error() */
};

static void sample_put(struct sample *sample, double share, double error) {
  spread_put(&sample->shares, share);
  sample->error += error;
}

/* What is stated as the error of the mean of SAMPLE for one unknown chunk. */
static double sample_error(const struct sample *sample) {
  double n = (double)sample->shares.count;
  if (sample->shares.count < 2)
    return 1;
  double error =
      2 * sqrt(sample->shares.squares / (n - 1)) / sqrt(n) + sample->error / n;
  return error < 1 ? error : 1;
}

/* The score and its bound, as "Coarse clock" in docs/metrics.md has them.  The
   sample is taken twice: behind the first unknown chunk, where the chosen
   chunks are a random choice, and over all, in case there is none behind it. */
static void useful_lifetime_score(struct hp_tally *tally,
                                  const struct hp_chunk_log *chunks,
                                  size_t count, const struct hp_rules *rules) {
  uint64_t unknown = 0;
  struct sample behind = {0}, all = {0};
  for (size_t i = 0; i < count; i++) {
    const struct hp_chunk_log *c = &chunks[i];
    if (!takes_part(c, rules))
      continue;
    tally->scored++;
    if (!is_accessed(c))
      continue;
    bool chosen = is_sample(c, rules);
    if (!chosen && !hp_last_is_known(c, rules)) {
      unknown++;
      continue;
    }
    double share = active_share(c), error = share_error(c, rules);
    tally->active_sum += share;
    tally->active_error += error;
    if (chosen)
      sample_put(&all, share, error);
    if (chosen && unknown > 0)
      sample_put(&behind, share, error);
  }
  if (unknown == 0)
    return;
  const struct sample *sample = behind.shares.count > 0 ? &behind : &all;
  tally->sample = sample->shares;
  if (tally->sample.count == 0) {
    tally->orphans = unknown;
    return;
  }
  tally->active_sum += (double)unknown * tally->sample.mean;
  tally->active_error += (double)unknown * sample_error(sample);
}

/* ---- tally --------------------------------------------------------------- */

void hp_tally_chunks(struct hp_tally *tally, const struct hp_chunk_log *chunks,
                     size_t count, const struct hp_rules *rules) {
  *tally = (struct hp_tally){0};
  for (size_t i = 0; i < count; i++) {
    const struct hp_chunk_log *c = &chunks[i];
    tally->chunks++;
    tally->bytes = hp_add(tally->bytes, c->size);
    range_put(&tally->size, c->size);
    if (!(c->flags & HP_CHUNK_LIVE)) {
      uint64_t life = hp_dur(c->t0, c->t1);
      range_put(&tally->lifetime_ns,
                hp_ticks_to_ns(life, rules->ticks_per_second));
    } else {
      tally->live_chunks++;
      tally->live_bytes = hp_add(tally->live_bytes, c->size);
    }
    tally->reads = hp_add(tally->reads, c->reads);
    tally->writes = hp_add(tally->writes, c->writes);
    tally->bytes_accessed = hp_add(tally->bytes_accessed, hp_chunk_span(c));
    if (takes_part(c, rules))
      usage_score(tally, c, rules);
  }
  tally->counts_saturated =
      tally->reads == UINT64_MAX || tally->writes == UINT64_MAX;
  lifetime_score(tally, chunks, count, rules);
  useful_lifetime_score(tally, chunks, count, rules);
  hp_infer_chunks(tally, chunks, count, rules);
}

void hp_tally_add(struct hp_tally *sum, const struct hp_tally *tally) {
  sum->chunks += tally->chunks;
  sum->bytes = hp_add(sum->bytes, tally->bytes);
  sum->live_chunks += tally->live_chunks;
  sum->live_bytes = hp_add(sum->live_bytes, tally->live_bytes);
  range_add(&sum->size, &tally->size);
  range_add(&sum->lifetime_ns, &tally->lifetime_ns);
  sum->reads = hp_add(sum->reads, tally->reads);
  sum->writes = hp_add(sum->writes, tally->writes);
  sum->bytes_accessed = hp_add(sum->bytes_accessed, tally->bytes_accessed);
  sum->counts_saturated |= tally->counts_saturated ||
                           sum->reads == UINT64_MAX ||
                           sum->writes == UINT64_MAX;
  sum->scored += tally->scored;
  sum->groups += tally->groups;
  sum->singletons += tally->singletons;
  sum->group_sum += tally->group_sum;
  sum->used = hp_add(sum->used, tally->used);
  sum->usable = hp_add(sum->usable, tally->usable);
  sum->active_sum += tally->active_sum;
  sum->active_error += tally->active_error;
  sum->orphans += tally->orphans;
  spread_add(&sum->sample, &tally->sample);
  hp_infer_add(sum, tally);
}

static double share_of(double part, double whole) {
  double share = part / whole;
  return share < 1 ? share : 1;
}

static void finish_scores(const struct hp_tally *tally,
                          struct hp_scores *scores) {
  scores->lifetime = scores->usage = scores->useful_lifetime = HP_NULL_SCORE;
  scores->useful_lifetime_error = 0;
  if (tally->groups > 0)
    scores->lifetime = share_of(tally->group_sum, (double)tally->groups);
  if (tally->usable > 0)
    scores->usage = share_of((double)tally->used, (double)tally->usable);
  if (tally->scored == 0)
    return;
  if (tally->orphans > 0 && tally->sample.count == 0) {
    scores->useful_lifetime_error = 1;
    return;
  }
  double n = (double)tally->scored, orphans = (double)tally->orphans;
  scores->useful_lifetime =
      share_of(tally->active_sum + orphans * tally->sample.mean, n);
  scores->useful_lifetime_error = share_of(tally->active_error + orphans, n);
}

void hp_tally_finish(const struct hp_tally *tally, struct hp_point *point) {
  point->chunks = tally->chunks;
  point->bytes = tally->bytes;
  point->live_chunks = tally->live_chunks;
  point->live_bytes = tally->live_bytes;
  point->size = range_finish(&tally->size);
  point->lifetime_ns = range_finish(&tally->lifetime_ns);
  point->reads = tally->reads;
  point->writes = tally->writes;
  point->bytes_accessed = tally->bytes_accessed;
  point->counts_saturated = tally->counts_saturated;
  finish_scores(tally, &point->scores);
  point->groups = tally->groups;
  point->singleton_groups = tally->singletons;
  point->severity = hp_severity(&point->scores);
  point->colour = hp_colour(point->severity);
  hp_infer_finish(tally, point);
}

double hp_severity(const struct hp_scores *scores) {
  const double all[] = {scores->lifetime, scores->usage,
                        scores->useful_lifetime};
  double logs = 0;
  int n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] >= 0) {
      logs += log(all[i] > HP_SCORE_FLOOR ? all[i] : HP_SCORE_FLOOR);
      n++;
    }
  return n ? exp(logs / n) : HP_NULL_SCORE;
}

int hp_colour(double severity) {
  return severity < 0 ? -1 : (int)lround((1 - severity) * 11);
}
