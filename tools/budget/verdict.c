/* verdict.c - asks the profile for what the budget limits, and compares.
   Integers are compared as such; a score over nothing breaks no limit.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "verdict.h"

#include "utf8.h"

#include <string.h>

/* Budgets are UTF-8; in names of programs U+FFFD stands for what is not. */
static bool same_name(const char *name, const char *budgeted) {
  while (*name) {
    uint32_t c;
    size_t size = hp_utf8_decode(name, &c), length = size ? size : 3;
    if (strncmp(size ? name : "\xef\xbf\xbd", budgeted, length) != 0)
      return false;
    name += size ? size : 1;
    budgeted += length;
  }
  return !*budgeted;
}

static uint64_t add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t lost_chunks(const struct hp_point *p) {
  return add(p->inferences[HP_INF_lost].chunks, p->held_chunks);
}

static uint64_t lost_bytes(const struct hp_point *p) {
  return add(p->inferences[HP_INF_lost].bytes, p->held_bytes);
}

static struct hp_amount amount_of(enum hp_budget_metric metric,
                                  const struct hp_point *p) {
  const uint64_t counts[] = {p->chunks,      p->bytes,       p->peak_bytes,
                             p->live_chunks, p->live_bytes,  p->reads,
                             p->writes,      lost_chunks(p), lost_bytes(p)};
  const double scores[] = {p->scores.lifetime, p->scores.usage,
                           p->scores.useful_lifetime};
  if (!hp_is_score(metric))
    return (struct hp_amount){.defined = true, .count = counts[metric]};
  double score = scores[metric - HP_BUDGET_LIFETIME];
  return (struct hp_amount){.defined = score >= 0, .score = score};
}

/* The whole as if it were one point; scores are the global ones. */
static struct hp_point whole_of(const hp_profile *profile,
                                const struct hp_point *const *points,
                                size_t count) {
  const struct hp_global *g = hp_profile_global(profile);
  struct hp_point whole = {
      .chunks = g->chunks,
      .bytes = g->bytes,
      .peak_bytes = g->peak_bytes,
      .scores = {.lifetime = g->lifetime.geomean,
                 .usage = g->usage.geomean,
                 .useful_lifetime = g->useful_lifetime.geomean}};
  for (size_t i = 0; i < count; i++) {
    whole.live_chunks = add(whole.live_chunks, points[i]->live_chunks);
    whole.live_bytes = add(whole.live_bytes, points[i]->live_bytes);
    whole.reads = add(whole.reads, points[i]->reads);
    whole.writes = add(whole.writes, points[i]->writes);
    whole.samples = add(whole.samples, points[i]->samples);
    whole.held_chunks = add(whole.held_chunks, lost_chunks(points[i]));
    whole.held_bytes = add(whole.held_bytes, lost_bytes(points[i]));
  }
  return whole;
}

static bool is_exceeded(const struct hp_limit *l, const struct hp_amount *a) {
  if (!a->defined)
    return false;
  if (hp_is_score(l->metric))
    return l->is_min ? a->score < l->bound.score : a->score > l->bound.score;
  return l->is_min ? a->count < l->bound.count : a->count > l->bound.count;
}

static void judge(struct hp_verdict *v, const struct hp_point *p) {
  static const struct hp_point nothing = {
      .scores = {HP_NULL_SCORE, HP_NULL_SCORE, HP_NULL_SCORE, 0}};
  v->present = p != NULL;
  v->measured = amount_of(v->limit->metric, p ? p : &nothing);
  v->is_estimate =
      p && (p->samples ||
            (p->estimated && v->limit->metric == HP_BUDGET_PEAK_BYTES));
  if (hp_is_leak(v->limit->metric) && !v->leaks_known)
    v->measured = (struct hp_amount){.defined = false};
  v->exceeded = is_exceeded(v->limit, &v->measured) ||
                (hp_is_leak(v->limit->metric) && !v->measured.defined);
}

static const char *name_in(enum hp_scope scope, const struct hp_point *p) {
  const struct hp_frame *place = p->place ? p->place : p->site;
  const char *name = scope == HP_SCOPE_TYPE       ? p->type
                     : !p->site                   ? NULL
                     : scope == HP_SCOPE_PLACE    ? place->function
                     : scope == HP_SCOPE_FUNCTION ? p->site->function
                     : scope == HP_SCOPE_FILE     ? p->site->file
                                                  : p->site->module;
  return name ? name : "unknown";
}

static bool is_in(const struct hp_limit *l, const struct hp_point *p) {
  return l->scope == HP_SCOPE_WHOLE || same_name(name_in(l->scope, p), l->name);
}

/* Of what a function or file is held to, its own line. */
static const struct hp_frame *frame_of(enum hp_scope scope,
                                       const struct hp_point *p) {
  return scope == HP_SCOPE_FUNCTION || scope == HP_SCOPE_FILE || !p->place
             ? p->site
             : p->place;
}

/* Of POINTS, which come with the most bytes first, the first: if that has no
   lines, another one's would blame what has few. */
static void locate(struct hp_verdict *v, const struct hp_point *const *points,
                   size_t count) {
  const struct hp_limit *l = v->limit;
  size_t i = 0;
  while (i < count && !is_in(l, points[i]))
    i++;
  const struct hp_frame *frame =
      i < count ? frame_of(l->scope, points[i]) : NULL;
  if (!frame)
    return;
  v->file = frame->file;
  v->line = frame->line_is_near ? 0 : frame->line;
}

static hp_status judge_groups(hp_profile *profile, enum hp_scope scope,
                              struct hp_verdict *verdicts, size_t count,
                              struct hp_error *error) {
  const struct hp_query query = {.sz = sizeof query,
                                 .by = hp_scope_grouping(scope)};
  const struct hp_point *const *groups;
  size_t group_count;
  hp_status status =
      hp_profile_query(profile, &query, &groups, &group_count, error);
  for (size_t i = 0; status == HP_OK && i < count; i++) {
    const struct hp_limit *l = verdicts[i].limit;
    const struct hp_point *found = NULL;
    if (l->scope != scope)
      continue;
    for (size_t k = 0; k < group_count && !found; k++)
      if (same_name(groups[k]->key, l->name))
        found = groups[k];
    judge(&verdicts[i], found);
  }
  return status;
}

static bool are_leaks_known(const hp_profile *profile) {
  bool known = true;
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const char *check = hp_process_at(profile, i)->leak_check;
    known = known && check && strcmp(check, "done") == 0;
  }
  return known;
}

hp_status hp_judge(hp_profile *profile, const struct hp_budget *budget,
                   struct hp_verdict *verdicts, struct hp_error *error) {
  const struct hp_query query = {.sz = sizeof query, .sort = "bytes"};
  const struct hp_point *const *points;
  bool used[HP_SCOPE_COUNT] = {false};
  size_t count;
  for (size_t i = 0; i < budget->count; i++) {
    verdicts[i] = (struct hp_verdict){.limit = &budget->limits[i],
                                      .leaks_known = are_leaks_known(profile)};
    used[budget->limits[i].scope] = true;
  }
  for (int scope = HP_SCOPE_FUNCTION; scope < HP_SCOPE_COUNT; scope++) {
    hp_status status = used[scope]
                           ? judge_groups(profile, (enum hp_scope)scope,
                                          verdicts, budget->count, error)
                           : HP_OK;
    if (status != HP_OK)
      return status;
  }
  hp_status status = hp_profile_query(profile, &query, &points, &count, error);
  if (status != HP_OK)
    return status;
  const struct hp_point whole = whole_of(profile, points, count);
  for (size_t i = 0; i < budget->count; i++) {
    if (verdicts[i].limit->scope == HP_SCOPE_WHOLE)
      judge(&verdicts[i], &whole);
    locate(&verdicts[i], points, count);
  }
  return HP_OK;
}
