/* finding.c - judges each point by the rules of docs/findings.md, then merges.
   A point gets one verdict of each family, so that no byte is counted twice.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "finding/container.h"
#include "finding/finding_cost.h"
#include "finding/finding_rule.h"
#include "finding/finding_text.h"
#include "finding/generation.h"
#include "finding/handed_over.h"
#include "finding/joining.h"
#include "finding/library_object.h"
#include "finding/regrown.h"
#include "finding/relay.h"
#include "finding/short_name.h"
#include "finding/shrinking.h"
#include "finding/unseen_members.h"
#include "measure/paged_peak.h"
#include "profile/profile_inside.h"

#define WORTH_BYTES 4096u
#define WORTH_CHUNKS 100u

struct hp_findings {
  struct hp_store store;
  struct hp_verdict *verdicts;
  struct hp_originals originals;
  struct hp_handovers handovers;
  struct hp_families families;
  struct hp_relays relays;
  struct hp_object_uses objects;
  struct hp_shrinkers shrinkers;
  struct hp_regrown regrown;
  struct known *known;
  size_t count, room, large; /* the first LARGE are worth a change */
  const hp_profile *profile;
  hp_member_types *members;
  const struct hp_global *global;
  const char *without_members;
};

/* ---- merging ------------------------------------------------------------- */

/* Of each verdict, by rule, subject and place. */
struct known {
  UT_hash_handle hh;
  size_t index;
  char key[];
};

static struct known *make_key(struct hp_findings *all,
                              const struct hp_verdict *verdict) {
  const struct hp_finding *f = &verdict->finding;
  const struct hp_frame *place = f->place;
  const char *texts[] = {f->subject, place->function, place->file,
                         place->module};
  size_t size = 64;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    size += texts[i] ? strlen(texts[i]) : 0;
  struct known *known = hp_store_take(&all->store, sizeof *known + size, 1);
  if (!known)
    return NULL;
  /* Lines of one function are told by number, code without by its address. */
  uint64_t where = place->line ? place->line : place->address;
  int used =
      snprintf(known->key, size, "%s %d %d %d %" PRIu64, f->rule, f->certain,
               f->by_pages, verdict->sharing.line != NULL, where);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    used += snprintf(known->key + used, size - (size_t)used, "\n%s",
                     texts[i] ? texts[i] : "");
  return known;
}

static hp_status add(struct hp_findings *all, const struct hp_verdict *verdict,
                     const struct hp_point *point, struct hp_error *error) {
  struct known *known = make_key(all, verdict), *old = NULL;
  struct hp_verdict *to;
  if (!known)
    return hp_fail_memory(error);
  HASH_FIND_STR(all->known, known->key, old);
  if (old) {
    to = &all->verdicts[old->index];
    hp_verdict_add(to, verdict);
  } else {
    if (!hp_room_for_one((void **)&all->verdicts, all->count, &all->room,
                         sizeof *all->verdicts))
      return hp_fail_memory(error);
    bool failed = false;
    HASH_ADD_STR(all->known, key, known);
    if (failed)
      return hp_fail_memory(error);
    known->index = all->count;
    to = &all->verdicts[all->count++];
    *to = *verdict;
  }
  return hp_verdict_add_point(to, point->id) ? HP_OK : hp_fail_memory(error);
}

/* ---- judging -------------------------------------------------------------- */

static const struct hp_finding_rule *const families[] = {
    hp_rules_bugs,    hp_rules_not_needed, hp_rules_contents,
    hp_rules_members, hp_rules_made_again, hp_rules_held_too_much,
    hp_rules_threads, hp_rules_pools};
enum { FAMILIES = sizeof families / sizeof *families };

static bool is_made_again(const struct hp_finding_rule *rule) {
  const struct hp_finding_rule *of = hp_rules_made_again;
  while (of->name && of != rule)
    of++;
  return of == rule;
}

/* *HOLDS: RULE does, and its verdict is among ALL. */
static hp_status ask(struct hp_findings *all,
                     const struct hp_finding_rule *rule,
                     const struct hp_suspect *s, bool *holds,
                     struct hp_error *error) {
  struct hp_verdict v;
  *holds = rule->judge(s, &v);
  if (!*holds)
    return HP_OK;
  v.rule = rule;
  v.finding.rule = rule->name;
  v.finding.action = rule->verb;
  v.finding.saved_peak_memory =
      rule->memory ? rule->memory(s, &v)
                   : hp_memory_of(s->point, v.finding.saved_peak_bytes);
  /* Who makes a container anew makes all that it holds; else each is its own. */
  if (!(rule->is_of_lives && is_made_again(rule)) && !rule->is_of_copies &&
      s->origin.container && v.finding.subject == s->origin.container)
    v.finding.subject = s->origin.holder;
  if (!rule->is_of_lives)
    v.finding.freed_by = NULL;
  if (rule->turn == HP_TURN_MEMBERS) /* and is most of what nobody uses */
    *holds = v.finding.saved_peak_bytes >= hp_unused_at_peak(s->point) / 2;
  return add(all, &v, s->point, error);
}

/* All rules of this turn; *HOLDS: one of them does. */
static hp_status ask_all(struct hp_findings *all, enum hp_rule_turn turn,
                         const struct hp_suspect *s, bool *holds,
                         struct hp_error *error) {
  *holds = false;
  for (size_t i = 0; i < FAMILIES; i++)
    for (const struct hp_finding_rule *rule = families[i]; rule->name; rule++) {
      bool one;
      if (rule->turn != turn)
        continue;
      HP_TRY(ask(all, rule, s, &one, error));
      *holds = *holds || one;
    }
  return HP_OK;
}

/* The rules of a family, up to the first that holds. */
static hp_status ask_family(struct hp_findings *all,
                            const struct hp_finding_rule *family,
                            const struct hp_suspect *s, bool *holds,
                            struct hp_error *error) {
  *holds = false;
  for (const struct hp_finding_rule *rule = family; rule->name && !*holds;
       rule++)
    if (rule->turn == HP_TURN_FAMILY)
      HP_TRY(ask(all, rule, s, holds, error));
  return HP_OK;
}

/* Whom POINT makes a suspect of; no place: nobody could change anything. */
static hp_status describe(struct hp_findings *all, struct hp_suspect *s,
                          const struct hp_point *point,
                          struct hp_error *error) {
  *s = (struct hp_suspect){.point = point};
  HP_TRY(hp_origin_find(&s->origin, point, &all->store, error));
  if (!s->origin.place)
    return HP_OK;
  s->chunks = point->chunks - point->inferences[HP_INF_zero_size].chunks;
  if (point->type && hp_point_fits_type(point)) {
    const struct hp_text_part type = {point->type, strlen(point->type)};
    HP_TRY(hp_short_name(&s->type, type, &all->store, error));
  }
  s->members = hp_member_types_of(all->members, point);
  s->content_bits = hp_point_content_bits(all->profile, point);
  s->lines = hp_member_types_lines(all->members, point, &s->line_count);
  HP_TRY(hp_deep_copy_find(&s->copy, point, &all->store, error));
  s->handed = hp_handovers_find(&all->handovers, point, &all->store);
  s->is_handed = hp_handovers_have(&all->handovers, point, &all->store);
  s->object = hp_object_of(point);
  s->object_use = hp_object_uses_find(&all->objects, point);
  s->original_is_gone =
      s->copy.place && hp_originals_are_gone(&all->originals, &s->copy);
  s->others_are_short = s->copy.place && hp_originals_are_copied_for_short(
                                             &all->originals, &s->copy);
  s->turn = hp_families_place(&all->families, point);
  s->turns = hp_families_turns(&all->families, point);
  s->turn_is_inside = hp_families_are_inside(&all->families, point);
  s->shrinker = hp_shrinkers_find(&all->shrinkers, point);
  s->regrown = hp_regrown_find(&all->regrown, point);
  s->relay = hp_relays_find(&all->relays, point);
  s->longest = hp_relays_longest(&all->relays, point);
  s->has_sisters = hp_relays_has_sisters(&all->relays, point);
  s->takes_over = hp_relays_takes_over(&all->relays, point);
  return hp_sort_find(&s->sorter, &s->sorted, &s->compares, point, &all->store,
                      error);
}

/* Of a part of a point's chunks nobody says how the point goes about it: that
   they are made one after the other, or kept for long, may be how they were
   chosen.  What the program did to them is so all the same. */
static hp_status judge_part(struct hp_findings *all, const struct hp_suspect *s,
                            struct hp_error *error) {
  bool holds;
  for (size_t i = 0; i < 2; i++)
    for (const struct hp_finding_rule *rule = i ? hp_rules_not_needed
                                                : hp_rules_bugs;
         rule->name; rule++)
      if (rule->turn == HP_TURN_ALWAYS)
        HP_TRY(ask(all, rule, s, &holds, error));
  if (hp_shows(s->point, HP_INF_lost) && hp_is_mostly(s->point, HP_INF_lost))
    return HP_OK;
  return ask_family(all, hp_rules_not_needed, s, &holds, error);
}

static hp_status judge(struct hp_findings *all, const struct hp_point *point,
                       struct hp_error *error) {
  struct hp_suspect s;
  bool holds;
  if (point->chunks == 0)
    return HP_OK;
  HP_TRY(describe(all, &s, point, error));
  if (!s.origin.place)
    return HP_OK;
  if (point->is_part)
    return judge_part(all, &s, error);
  const bool is_lost = hp_shows(point, HP_INF_lost);
  HP_TRY(ask_all(all, HP_TURN_ALWAYS, &s, &holds, error));
  HP_TRY(ask_family(all, hp_rules_threads, &s, &holds, error));
  HP_TRY(ask_all(all, HP_TURN_FIRST, &s, &holds, error));
  if (holds || hp_is_inside_object(&s) ||
      (is_lost && hp_is_mostly(point, HP_INF_lost)))
    return HP_OK;
  /* Of a pool's objects an allocation is cheap, and where they live is a matter of
     the pool: what is asked is whether they are for nothing. */
  if (point->pool)
    return ask_family(all, hp_rules_not_needed, &s, &holds, error);
  /* Who need not allocate at all need not hear how to do it better. */
  HP_TRY(ask_family(all, hp_rules_not_needed, &s, &holds, error));
  if (holds)
    return HP_OK;
  bool is_told, has_members; /* of the peak */
  HP_TRY(ask_all(all, HP_TURN_LAYOUT, &s, &holds, error));
  HP_TRY(ask_all(all, HP_TURN_MEMBERS, &s, &has_members, error));
  HP_TRY(ask_family(all, hp_rules_contents, &s, &is_told, error));
  if (!is_told)
    HP_TRY(ask_family(all, hp_rules_pools, &s, &is_told, error));
  /* What is moved is made all the same, and kept. */
  if (s.is_handed)
    holds = false;
  else
    HP_TRY(ask_family(all, hp_rules_made_again, &s, &holds, error));
  return is_lost || is_told || has_members
             ? HP_OK
             : ask_family(all, hp_rules_held_too_much, &s, &holds, error);
}

/* What is copied, and what lives for a short time, of each class; and points of
   which one turn makes and frees the chunks. */
static hp_status find_kin(struct hp_findings *all,
                          const struct hp_point *const *points, size_t count,
                          struct hp_error *error) {
  for (size_t i = 0; i < count; i++) {
    struct hp_deep_copy copy;
    if (points[i]->is_part)
      continue;
    HP_TRY(hp_deep_copy_find(&copy, points[i], &all->store, error));
    if (!hp_originals_add(&all->originals, points[i], &copy,
                          hp_point_follows_itself(points[i]), &all->store))
      return hp_fail_memory(error);
    if (!points[i]->pool && !hp_families_add(&all->families, points[i]))
      return hp_fail_memory(error);
    if (!hp_relays_add(&all->relays, points[i]) ||
        !hp_shrinkers_add(&all->shrinkers, points[i]) ||
        !hp_regrown_add(&all->regrown, points[i]) ||
        !hp_object_uses_add(&all->objects, points[i], &all->store) ||
        !hp_handovers_add_copy(&all->handovers, points[i], &all->store))
      return hp_fail_memory(error);
  }
  for (size_t i = 0; i < count; i++)
    if (!points[i]->is_part &&
        !hp_handovers_add_dropped(&all->handovers, points[i], &all->store))
      return hp_fail_memory(error);
  if (!hp_families_sort(&all->families) ||
      !hp_regrown_go_on(&all->regrown, points, count))
    return hp_fail_memory(error);
  hp_relays_sort(&all->relays);
  return HP_OK;
}

/* Of all points, whatever was asked for: a type has them all.  Layouts are looked up of
   those alone of which a part could be worth a change. */
static hp_status find_members(struct hp_findings *all, struct hp_error *error) {
  const hp_profile *profile = all->profile;
  const uint64_t least = all->global->peak_bytes / 100 + 1;
  return hp_member_types_make(&all->members, profile,
                              (const struct hp_point *const *)profile->views,
                              profile->point_count, least, error);
}

/* ---- ranking ------------------------------------------------------------- */

static double share(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : HP_NULL_SCORE;
}

static bool is_worth(const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  if (f->chunks < v->rule->least)
    return false;
  if (v->rule->is_worth)
    return v->rule->is_worth(v);
  if (v->is_too_cheap)
    return false;
  return (f->share_of_allocations >= HP_WORTH_SHARE &&
          f->saved_chunks >= WORTH_CHUNKS) ||
         (f->share_of_memory >= HP_WORTH_SHARE &&
          f->saved_peak_memory >= WORTH_BYTES) ||
         (f->share_of_bytes >= HP_WORTH_SHARE &&
          hp_add(f->saved_copied_bytes, f->wasted_bytes) >= WORTH_BYTES);
}

static int urgency(const struct hp_verdict *v) {
  return v->rule->urgency ? v->rule->urgency(v) : 0;
}

static int compare(const void *left, const void *right) {
  const struct hp_verdict *a = left, *b = right;
  bool a_worth = is_worth(a), b_worth = is_worth(b);
  double a_rank = hp_finding_rank(&a->finding),
         b_rank = hp_finding_rank(&b->finding);
  if (a_worth != b_worth)
    return a_worth ? -1 : 1;
  if (urgency(a) != urgency(b))
    return urgency(a) > urgency(b) ? -1 : 1;
  if (a_rank < b_rank || a_rank > b_rank)
    return a_rank > b_rank ? -1 : 1;
  /* Any order will do, as long as it is always the same. */
  return a->ids[0] < b->ids[0] ? -1 : a->ids[0] > b->ids[0];
}

static int compare_ids(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static hp_status finish(struct hp_findings *all, struct hp_error *error) {
  const struct hp_global *g = all->global;
  const struct hp_run_cost run = hp_run_cost_of(all->profile);
  if (!hp_join_lines(all->verdicts, &all->count))
    return hp_fail_memory(error);
  for (size_t i = 0; i < all->count; i++) {
    struct hp_verdict *v = &all->verdicts[i];
    struct hp_finding *f = &v->finding;
    if (v->peak_most && f->saved_peak_bytes > v->peak_most) {
      f->saved_peak_memory = hp_paged_share(f->saved_peak_memory, v->peak_most,
                                            f->saved_peak_bytes);
      f->saved_peak_bytes = v->peak_most;
    }
    if (v->family.live_most > g->peak_bytes)
      v->family.live_most = g->peak_bytes;
    if (f->saved_peak_memory > g->peak_memory_bytes)
      f->saved_peak_memory = g->peak_memory_bytes;
    uint64_t chunks = v->rule->saves_nothing ? f->chunks : f->saved_chunks;
    f->share_of_allocations = share(chunks, g->chunks);
    f->share_of_peak = share(f->saved_peak_bytes, g->peak_touched_bytes);
    f->share_of_memory = share(f->saved_peak_memory, g->peak_memory_bytes);
    f->share_of_bytes =
        share(hp_add(f->saved_copied_bytes, f->wasted_bytes), g->bytes);
    hp_finding_measure(v, &run);
    qsort(v->ids, f->point_count, sizeof *v->ids, compare_ids);
  }
  if (all->count)
    qsort(all->verdicts, all->count, sizeof *all->verdicts, compare);
  while (all->large < all->count && is_worth(&all->verdicts[all->large]))
    if (!hp_finding_describe(&all->verdicts[all->large++], &all->store))
      return hp_fail_memory(error);
  return hp_join_rules(all->verdicts, &all->count, &all->large, &all->store)
             ? HP_OK
             : hp_fail_memory(error);
}

hp_status hp_findings_make(hp_findings **out, const hp_profile *profile,
                           const struct hp_point *const *points, size_t count,
                           struct hp_error *error) {
  *out = NULL;
  struct hp_findings *all = calloc(1, sizeof *all);
  if (!all)
    return hp_fail_memory(error);
  all->profile = profile;
  all->global = hp_profile_global(profile);
  hp_status status = find_members(all, error);
  if (status == HP_OK)
    status = find_kin(all, points, count, error);
  for (size_t i = 0; i < count && status == HP_OK; i++)
    status = judge(all, points[i], error);
  if (status == HP_OK)
    status = finish(all, error);
  if (status == HP_OK)
    status = hp_unseen_members_tell(&all->without_members, profile, points,
                                    count, &all->store, error);
  if (status != HP_OK) {
    hp_findings_free(all);
    return status;
  }
  *out = all;
  return HP_OK;
}

void hp_findings_free(hp_findings *findings) {
  if (!findings)
    return;
  for (size_t i = 0; i < findings->count; i++)
    free(findings->verdicts[i].ids);
  free(findings->verdicts);
  HASH_CLEAR(hh, findings->known);
  hp_member_types_free(findings->members);
  hp_originals_free(&findings->originals);
  hp_handovers_free(&findings->handovers);
  hp_families_free(&findings->families);
  hp_relays_free(&findings->relays);
  hp_object_uses_free(&findings->objects);
  hp_shrinkers_free(&findings->shrinkers);
  hp_regrown_free(&findings->regrown);
  hp_store_free(&findings->store);
  free(findings);
}

const hp_member_types *hp_findings_members(const hp_findings *findings) {
  return findings->members;
}

const char *hp_findings_without_members(const hp_findings *findings) {
  return findings->without_members;
}

size_t hp_finding_count(const hp_findings *findings) { return findings->large; }

const struct hp_finding *hp_finding_at(const hp_findings *findings, size_t i) {
  return i < findings->large ? &findings->verdicts[i].finding : NULL;
}

size_t hp_finding_small_count(const hp_findings *findings) {
  return findings->count - findings->large;
}

#define SMALL_LEAST 1000u /* allocations: fewer are too few together, too */

double hp_finding_small_share(const hp_findings *findings) {
  double share = 0;
  uint64_t saved = 0;
  for (size_t i = findings->large; i < findings->count; i++) {
    const struct hp_finding *f = &findings->verdicts[i].finding;
    share += f->share_of_allocations;
    saved = hp_add(saved, f->saved_chunks);
  }
  return saved < SMALL_LEAST ? 0 : share < 1 ? share : 1;
}
