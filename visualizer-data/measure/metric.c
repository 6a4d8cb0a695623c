/* metric.c - scores of one allocation point and the sums they are made of.
   Follows docs/metrics.md line by line; undefined is HP_NULL_SCORE, never NaN.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/metric.h"

#include <math.h>
#include <string.h>

#include "measure/content_share.h"
#include "measure/inference.h"
#include "measure/paged_peak.h"

#define HP_SCORE_FLOOR 0.01

uint64_t hp_rules_tau(double p, uint64_t window) {
  if (p == HP_GROUP_P)
    return window / 1000; /* as the runtime has it */
  double tau = p * (double)window;
  /* P is meant in decimal: 0.29 * 100 is 29 although its double is less. */
  tau = floor(tau + tau * 0x1p-51);
  return tau >= 0x1p63 ? UINT64_MAX : (uint64_t)tau;
}

uint64_t hp_rules_short_ticks(uint64_t short_ns, uint64_t ticks_per_second) {
  hp_u128 ticks = (hp_u128)short_ns * ticks_per_second;
  return hp_clamp128((ticks + 999999999u) / 1000000000u);
}

uint64_t hp_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second) {
  return hp_clamp128((hp_u128)ticks * 1000000000u / ticks_per_second);
}

/* ---- additive parts ------------------------------------------------------ */

static void range_add(struct hp_value_range *sum,
                      const struct hp_value_range *range) {
  if (range->count == 0)
    return;
  if (sum->count == 0 || range->min < sum->min)
    sum->min = range->min;
  if (sum->count == 0 || range->max > sum->max)
    sum->max = range->max;
  sum->count += range->count;
  sum->sum += range->sum;
}

static struct hp_min_mean_max range_finish(const struct hp_value_range *range) {
  struct hp_min_mean_max result = {.defined = range->count > 0};
  if (result.defined) {
    result.min = range->min;
    result.max = range->max;
    result.mean = (double)range->sum / (double)range->count;
    if (result.mean < (double)range->min)
      result.mean = (double)range->min; /* the sum has saturated */
  }
  return result;
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

static bool takes_part(const struct hp_class_sum *class,
                       const struct hp_rules *rules) {
  return !(rules->exclude_live && class->classes & HP_CLASS_LIVE);
}

/* Groups made by a smaller tau than the rules' are joined where the gap
   between them allows it. */
static void lifetime_score(struct hp_tally *tally, const struct hp_summary *s,
                           const struct hp_rules *rules) {
  for (size_t i = 0, end; i < s->group_count; i = end) {
    struct hp_group_sum group = s->groups[i];
    for (end = i + 1; end < s->group_count &&
                      s->groups[end].first - group.last <= rules->tau;
         end++) {
      const struct hp_group_sum *next = &s->groups[end];
      group.last = next->last;
      group.end = next->end > group.end ? next->end : group.end;
      group.chunks += next->chunks;
      group.lives += next->lives;
    }
    tally->groups++;
    tally->singletons += group.chunks == 1;
    tally->group_sum +=
        (double)group.lives /
        ((double)group.chunks * (double)hp_dur(group.first, group.end));
  }
}

static void usage_score(struct hp_tally *tally,
                        const struct hp_class_sum *class,
                        const struct hp_rules *rules) {
  bool counts = class->classes & HP_CLASS_READ &&
                class->classes & (HP_CLASS_WRITTEN | HP_CLASS_ZEROED);
  if (rules->memoro_compat) {
    if (!hp_is_accessed(class))
      return;
    counts = true;
  }
  tally->usable = hp_add(tally->usable, class->bytes);
  if (counts)
    tally->used = hp_add(tally->used, class->span);
}

static double from_share(hp_wide sum) { return (double)sum * 0x1p-32; }

static struct hp_spread spread_of(const struct hp_sample *sample) {
  struct hp_spread spread = {.count = sample->count};
  if (sample->count == 0)
    return spread;
  long double n = (long double)sample->count;
  long double mean = (long double)sample->active * 0x1p-32L / n;
  long double squares =
      (long double)sample->square * 0x1p-64L - mean * mean * n;
  spread.mean = (double)mean;
  spread.squares = squares > 0 ? (double)squares : 0;
  return spread;
}

/* What is stated as the error of the mean of SAMPLE for one unknown chunk: two
   standard errors, which never are 0, since N chunks that are all alike may
   have missed what one in N is. */
static double sample_error(const struct hp_summary *s,
                           const struct hp_sample *sample,
                           const struct hp_spread *spread) {
  double n = (double)sample->count;
  if (s->samples) /* that many stand for all of the point's chunks */
    n *= (double)s->samples / (double)s->chunks;
  if (n < 2)
    return 1;
  double variance = spread->squares / (double)sample->count * n / (n - 1);
  double error = 2 * sqrt(variance / n + 1 / (n * n)) +
                 from_share(sample->error) / (double)sample->count;
  return error < 1 ? error : 1;
}

/* The score and its bound, as "Coarse clock" in docs/metrics.md has them: the
   first chunks of a point were not chosen at random. */
static void useful_lifetime_score(struct hp_tally *tally,
                                  const struct hp_summary *s,
                                  uint64_t unknown) {
  tally->active_sum = from_share(s->active);
  tally->active_error = from_share(s->active_error);
  if (unknown == 0)
    return;
  const struct hp_sample *sample = s->later.count > 0 ? &s->later : &s->first;
  tally->sample = spread_of(sample);
  if (tally->sample.count == 0) {
    tally->orphans = unknown;
    return;
  }
  tally->active_sum += (double)unknown * tally->sample.mean;
  tally->active_error +=
      (double)unknown * sample_error(s, sample, &tally->sample);
}

static void sampling_sums(struct hp_tally *tally, const struct hp_summary *s,
                          const struct hp_rules *rules) {
  const struct hp_sampling *from = &s->sampling;
  tally->samples = s->samples;
  tally->v = (double)from->v;
  tally->vss = (double)from->vss;
  tally->vsy = (double)from->vsy;
  tally->vyy = (double)from->vyy;
  tally->known_v = (double)from->known_v;
  tally->va = (double)from->va * 0x1p-16;
  tally->vaa = (double)from->vaa * 0x1p-32;
  /* w - 1 chunks of the largest size stand behind a sample, or N bytes. */
  if (tally->v > 0)
    tally->v_byte = rules->sample_bytes
                        ? (double)rules->sample_bytes
                        : tally->v / (double)s->chunks * (double)s->size_max;
  if (s->samples)
    tally->unseen = (double)rules->sample_bytes * (double)rules->sample_bytes;
}

/* ---- tally --------------------------------------------------------------- */

/* Loses less than a second where the product would not fit 128 bits. */
static hp_u128 sum_to_ns(hp_u128 ticks, uint64_t ticks_per_second) {
  if (ticks >> 96)
    return ticks / ticks_per_second * 1000000000u;
  return ticks * 1000000000u / ticks_per_second;
}

void hp_tally_summary(struct hp_tally *tally, const struct hp_summary *s,
                      const struct hp_rules *rules) {
  uint64_t unknown = 0, unseen = 0;
  *tally = (struct hp_tally){.chunks = s->chunks,
                             .bytes = s->bytes,
                             .reads = s->reads,
                             .writes = s->writes,
                             .elements = s->elements,
                             .held_chunks = s->held_chunks,
                             .held_bytes = s->held_bytes,
                             .temporary_chunks = s->temporary,
                             .has_unknown_temporary = !s->knows_temporary,
                             .generations = s->generations,
                             .pages = s->pages,
                             .sampled_pages = s->sampled_pages,
                             .stale = s->stale,
                             .resizes = s->resizes};
  for (size_t i = 0; i < s->class_count; i++) {
    const struct hp_class_sum *class = &s->classes[i];
    if (class->classes & HP_CLASS_LIVE) {
      tally->live_chunks += class->chunks;
      tally->live_bytes = hp_add(tally->live_bytes, class->bytes);
    }
    if (hp_is_unseen(class)) {
      unseen += class->chunks;
      tally->touched = hp_add(tally->touched, class->bytes);
      hp_infer_unseen(tally, class);
      continue;
    }
    tally->bytes_accessed = hp_add(tally->bytes_accessed, class->span);
    tally->touched = hp_add(tally->touched, hp_paged_class(class));
    hp_infer_class(tally, class);
    if (!takes_part(class, rules))
      continue;
    tally->scored += class->chunks;
    if (class->classes & HP_CLASS_UNKNOWN)
      unknown += class->chunks;
    usage_score(tally, class, rules);
  }
  if (s->chunks)
    tally->size =
        (struct hp_value_range){s->chunks, s->size_min, s->size_max, s->bytes};
  if (s->life_max)
    tally->lifetime_ns = (struct hp_value_range){
        s->chunks - tally->live_chunks,
        hp_ticks_to_ns(s->life_min, rules->ticks_per_second),
        hp_ticks_to_ns(s->life_max, rules->ticks_per_second),
        sum_to_ns(s->life_sum, rules->ticks_per_second)};
  tally->counts_saturated =
      tally->reads == UINT64_MAX || tally->writes == UINT64_MAX;
  for (int kind = 0; kind < HP_CHAIN_COUNT; kind++)
    hp_infer_add_growth(&tally->growth[kind], &s->growth[kind]);
  hp_contents_measure(tally, &s->contents);
  hp_blocks_measure(tally, &s->blocks);
  sampling_sums(tally, s, rules);
  if (tally->v > 0) /* what lies between samples is not known */
    memset(tally->growth, 0, sizeof tally->growth);
  else
    lifetime_score(tally, s, rules);
  useful_lifetime_score(tally, s, unknown);
  tally->unknown_chunks = unseen;
  if (unseen && unseen >= s->chunks)
    hp_tally_forget_accesses(tally);
}

void hp_tally_forget_accesses(struct hp_tally *tally) {
  tally->unknown_points = 1;
  tally->unknown_chunks = tally->chunks;
  tally->scored = tally->used = tally->usable = 0;
  tally->active_sum = tally->active_error = 0;
  tally->orphans = 0;
  tally->sample = (struct hp_spread){0};
  tally->vsy = tally->vyy = tally->known_v = tally->va = tally->vaa = 0;
  hp_infer_no_accesses(tally);
}

double hp_recycling(const struct hp_point *p) {
  return p->peak_bytes ? (double)p->bytes / (double)p->peak_bytes
                       : HP_NULL_SCORE;
}

static void pages_add(struct hp_page_sum *sum, const struct hp_page_sum *more) {
#define ADD(name) sum->name = hp_add(sum->name, more->name);
  HP_PAGE_SUMS(ADD)
#undef ADD
}

void hp_blocks_measure(struct hp_tally *tally, const struct hp_block_sum *sum) {
#define COPY(name) tally->blocks.name = sum->name;
  HP_BLOCK_SUMS(COPY)
#undef COPY
}

static void blocks_add(struct hp_blocks *sum, const struct hp_blocks *more) {
#define ADD(name) sum->name = hp_add(sum->name, more->name);
  HP_BLOCK_SUMS(ADD)
#undef ADD
}

/* The largest jump is that of one of both. */
static void resizes_add(struct hp_resize_sum *sum,
                        const struct hp_resize_sum *more) {
  const struct hp_resize_sum before = *sum;
  const bool is_larger =
      more->jump_to - more->jump_from > before.jump_to - before.jump_from;
#define ADD(name) sum->name = hp_add(sum->name, more->name);
  HP_RESIZE_SUMS(ADD)
#undef ADD
  sum->jump_from = is_larger ? more->jump_from : before.jump_from;
  sum->jump_to = is_larger ? more->jump_to : before.jump_to;
}

static struct hp_pages pages_finish(const struct hp_page_sum *sum) {
  struct hp_pages pages;
#define COPY(name) pages.name = sum->name;
  HP_PAGE_SUMS(COPY)
#undef COPY
  return pages;
}

void hp_tally_add(struct hp_tally *sum, const struct hp_tally *tally) {
  sum->unknown_points += tally->unknown_points;
  sum->unknown_chunks += tally->unknown_chunks;
  sum->shared = sum->shared || tally->shared;
  sum->chunks += tally->chunks;
  sum->bytes = hp_add(sum->bytes, tally->bytes);
  sum->live_chunks += tally->live_chunks;
  sum->live_bytes = hp_add(sum->live_bytes, tally->live_bytes);
  range_add(&sum->size, &tally->size);
  range_add(&sum->lifetime_ns, &tally->lifetime_ns);
  sum->reads = hp_add(sum->reads, tally->reads);
  sum->writes = hp_add(sum->writes, tally->writes);
  sum->elements = hp_add(sum->elements, tally->elements);
  sum->held_chunks = hp_add(sum->held_chunks, tally->held_chunks);
  sum->held_bytes = hp_add(sum->held_bytes, tally->held_bytes);
  sum->temporary_chunks += tally->temporary_chunks;
  sum->has_unknown_temporary |= tally->has_unknown_temporary;
  /* Of points together nobody knows when none was live. */
  sum->generations = 0;
  pages_add(&sum->pages, &tally->pages);
  pages_add(&sum->sampled_pages, &tally->sampled_pages);
#define ADD(name) sum->stale.name = hp_add(sum->stale.name, tally->stale.name);
  HP_STALE_SUMS(ADD)
#undef ADD
  resizes_add(&sum->resizes, &tally->resizes);
  hp_contents_add(&sum->contents, &tally->contents);
  blocks_add(&sum->blocks, &tally->blocks);
  sum->bytes_accessed = hp_add(sum->bytes_accessed, tally->bytes_accessed);
  sum->touched = hp_add(sum->touched, tally->touched);
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
  sum->samples += tally->samples;
  sum->v += tally->v;
  sum->vss += tally->vss;
  sum->vsy += tally->vsy;
  sum->vyy += tally->vyy;
  sum->known_v += tally->known_v;
  sum->va += tally->va;
  sum->vaa += tally->vaa;
  sum->unseen += tally->unseen;
  sum->v_byte = fmax(sum->v_byte, tally->v_byte);
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

/* The standard error of a share: that of its residuals' sum, SQUARES, over
   WHOLE, and 1 / n for what none of n samples shows. */
static double share_error(const struct hp_tally *tally, double squares,
                          double whole) {
  double rare = sqrt(tally->v / (double)tally->samples) / (double)tally->chunks;
  double error =
      sqrt((squares > 0 ? squares : 0) / (whole * whole) + rare * rare);
  return error < 1 ? error : 1;
}

static struct hp_sampling_errors errors_of(const struct hp_tally *t,
                                           const struct hp_scores *scores) {
  struct hp_sampling_errors errors = {sqrt(t->v), sqrt(t->vss + t->unseen), 0,
                                      0, 0};
  if (t->v <= 0)
    return errors;
  double u = scores->usage, l = scores->useful_lifetime;
  if (u >= 0)
    errors.usage = share_error(t, t->vyy - 2 * u * t->vsy + u * u * t->vss,
                               (double)t->usable);
  if (l >= 0 && t->known_v > 0)
    errors.useful_lifetime = share_error(
        t, (t->vaa - 2 * l * t->va + l * l * t->known_v) * t->v / t->known_v,
        (double)t->scored);
  else if (l >= 0)
    errors.useful_lifetime = 1;
  return errors;
}

void hp_tally_finish(const struct hp_tally *tally, struct hp_point *point) {
  point->unknown_points = tally->unknown_points;
  point->unknown_chunks = tally->unknown_chunks;
  point->accesses_known =
      tally->unknown_points == 0 || tally->unknown_chunks < tally->chunks;
  point->accesses_shared = tally->shared;
  point->chunks = tally->chunks;
  point->bytes = tally->bytes;
  point->live_chunks = tally->live_chunks;
  point->live_bytes = tally->live_bytes;
  point->size = range_finish(&tally->size);
  point->lifetime_ns = range_finish(&tally->lifetime_ns);
  point->reads = tally->reads;
  point->writes = tally->writes;
  point->elements = tally->elements;
  point->held_chunks = tally->held_chunks;
  point->held_bytes = tally->held_bytes;
  point->temporary_chunks = tally->temporary_chunks;
  point->temporary_known = !tally->has_unknown_temporary;
  point->generations = tally->generations;
  point->pages = pages_finish(&tally->pages);
  point->sampled_pages = pages_finish(&tally->sampled_pages);
#define COPY(name) point->stale.name = tally->stale.name;
  HP_STALE_SUMS(COPY)
#undef COPY
#define COPY(name) point->resizes.name = tally->resizes.name;
  HP_RESIZE_SUMS(COPY)
#undef COPY
  point->contents = tally->contents;
  point->blocks = tally->blocks;
  point->bytes_accessed = tally->bytes_accessed;
  point->counts_saturated = tally->counts_saturated;
  finish_scores(tally, &point->scores);
  point->samples = tally->samples;
  point->errors = errors_of(tally, &point->scores);
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
