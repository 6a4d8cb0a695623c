/* finding_verdict.c - two verdicts of one cause are one: numbers add up, and what holds
   of one alone is no longer said, or that some are so.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/finding_verdict.h"

#include <string.h>

#include "base/growing_array.h"
#include "base/same_text.h"
#include "base/saturate.h"
#include "resolve/frame_role.h"

bool hp_is_same_place(const struct hp_frame *a, const struct hp_frame *b) {
  return a == b || (a && b && a->function && a->function == b->function &&
                    a->line == b->line && hp_is_same_text(a->file, b->file));
}

bool hp_verdict_is_of_system(const struct hp_verdict *v) {
  return hp_frame_roles(v->finding.place) & HP_ROLE_INSTALLED;
}

bool hp_verdict_add_point(struct hp_verdict *to, uint64_t id) {
  if (!hp_room_for_one((void **)&to->ids, to->finding.point_count, &to->id_room,
                       sizeof *to->ids))
    return false;
  to->ids[to->finding.point_count++] = id;
  to->finding.points = to->ids;
  return true;
}

static void sum(uint64_t *to, uint64_t more) { *to = hp_add(*to, more); }

static void most(uint64_t *to, uint64_t more) {
  if (*to < more)
    *to = more;
}

static bool is_same_way(const struct hp_finding *a,
                        const struct hp_finding *b) {
  bool same = a->caller_count == b->caller_count;
  for (size_t i = 0; i < a->caller_count && same; i++)
    same = hp_is_same_place(a->callers[i], b->callers[i]);
  return same;
}

static void add_callers(struct hp_verdict *to, const struct hp_verdict *more) {
  struct hp_finding *a = &to->finding;
  const struct hp_finding *b = &more->finding;
  a->callers_vary = a->callers_vary || b->callers_vary || !is_same_way(a, b);
  if (more->caller_chunks <= to->caller_chunks)
    return;
  memcpy(a->callers, b->callers, sizeof a->callers);
  a->caller_count = b->caller_count;
  to->caller_chunks = more->caller_chunks;
}

static void add_through(struct hp_verdict *to, const struct hp_verdict *more) {
  struct hp_finding *a = &to->finding;
  const struct hp_finding *b = &more->finding;
  a->through_varies = a->through_varies || b->through_varies ||
                      !hp_is_same_place(a->through, b->through);
  if (more->through_chunks <= to->through_chunks)
    return;
  a->through = b->through;
  to->through_chunks = more->through_chunks;
}

static void add_freer(struct hp_verdict *to, const struct hp_verdict *more) {
  struct hp_finding *a = &to->finding;
  const struct hp_finding *b = &more->finding;
  const bool is_same = hp_is_same_place(to->freer, more->freer);
  a->freed_by_others = a->freed_by_others || b->freed_by_others || !is_same;
  if (is_same && !a->freed_by)
    a->freed_by = b->freed_by;
  to->is_freer_of_some = to->is_freer_of_some || more->is_freer_of_some;
  if (more->freed_chunks <= to->freed_chunks)
    return;
  if (!is_same)
    a->freed_by = b->freed_by;
  to->freer = more->freer;
  to->freed_chunks = more->freed_chunks;
}

static void add_costs(struct hp_finding *to, const struct hp_finding *more) {
  to->estimated = to->estimated || more->estimated;
  to->at_least = to->at_least || more->at_least;
  sum(&to->chunks, more->chunks);
  sum(&to->bytes, more->bytes);
  sum(&to->saved_chunks, more->saved_chunks);
  sum(&to->saved_peak_bytes, more->saved_peak_bytes);
  sum(&to->saved_peak_memory, more->saved_peak_memory);
  sum(&to->saved_copied_bytes, more->saved_copied_bytes);
  sum(&to->wasted_bytes, more->wasted_bytes);
}

static void add_origin(struct hp_origin *to, const struct hp_origin *more) {
  to->by_header = to->by_header && more->by_header;
  to->of_chars = to->of_chars && more->of_chars;
  to->of_part = to->of_part && more->of_part;
  to->of_view = to->of_view && more->of_view;
  to->is_argument = to->is_argument && more->is_argument;
  to->joins_texts = to->joins_texts && more->joins_texts;
  if (!hp_is_same_text(to->container, more->container))
    to->container = NULL;
}

static void add_whole(struct hp_whole *to, const struct hp_whole *more) {
  if (to->size_min > more->size_min)
    to->size_min = more->size_min;
  most(&to->size_max, more->size_max);
  sum(&to->chunks, more->chunks);
  sum(&to->bytes, more->bytes);
  sum(&to->writes, more->writes);
  sum(&to->accessed, more->accessed);
}

static void add_lives(struct hp_lives *to, const struct hp_lives *more) {
  to->lived_ns += more->lived_ns;
  sum(&to->lived_chunks, more->lived_chunks);
  to->overlapping_ns += more->overlapping_ns;
  sum(&to->staying_chunks, more->staying_chunks);
  hp_life_spans_add(&to->spans, &more->spans);
}

static void add_growing(struct hp_growing *to, const struct hp_growing *more) {
  const struct hp_growth *a = &to->longest, *b = &more->longest;
  if (b->length > a->length ||
      (b->length == a->length && b->last_size > a->last_size))
    to->longest = more->longest;
  most(&to->largest, more->largest);
  sum(&to->chains, more->chains);
  to->begun = to->begun ? to->begun : more->begun;
  to->by_realloc = to->by_realloc || more->by_realloc;
  to->has_shorter = to->has_shorter || more->has_shorter;
  to->is_made_anew = to->is_made_anew && more->is_made_anew;
  most(&to->element, more->element);
}

static void add_family(struct hp_family *to, const struct hp_family *more) {
  if (!to->mostly && !more->collector) /* not all of them are garbage */
    to->collector = NULL;
  if (more->mostly_chunks > to->mostly_chunks ||
      (more->mostly_chunks == to->mostly_chunks &&
       more->mostly_id < to->mostly_id)) {
    to->mostly = more->mostly;
    to->mostly_chunks = more->mostly_chunks;
    to->mostly_id = more->mostly_id;
    to->collector = more->collector;
  }
  most(&to->generations, more->generations);
  sum(&to->turns.adds, more->turns.adds);
  most(&to->turns.own, more->turns.own);
  sum(&to->live_most, more->live_most);
}

static void add_teardown(struct hp_torn *to, const struct hp_torn *more) {
  to->takers_vary = to->takers_vary || more->takers_vary ||
                    (to->watched && more->watched &&
                     !hp_is_same_place(to->taker, more->taker));
  to->taker = to->taker ? to->taker : more->taker;
  to->some_are_torn = to->some_are_torn || more->some_are_torn ||
                      (to->watched != 0) != (more->watched != 0);
  sum(&to->torn, more->torn);
  sum(&to->watched, more->watched);
}

static void add_some(struct hp_some_of *to, const struct hp_some_of *more) {
  sum(&to->some, more->some);
  sum(&to->of, more->of);
}

bool hp_is_by_operator(const struct hp_verdict *v) {
  return v->copied.by_operator && v->copied.by_operator == v->finding.chunks;
}

void hp_verdict_add(struct hp_verdict *to, const struct hp_verdict *more) {
  add_costs(&to->finding, &more->finding);
  add_callers(to, more);
  add_through(to, more);
  add_freer(to, more);
  add_origin(&to->origin, &more->origin);
  to->is_record = to->is_record && more->is_record;
  if (!hp_part_equals(to->owner, more->owner))
    to->owner.length = 0;
  to->use.is_copy = to->use.is_copy && more->use.is_copy;
  to->use.in_vain = to->use.in_vain && more->use.in_vain;
  to->copied.some_stay = to->copied.some_stay || more->copied.some_stay;
  to->copied.is_regrown = to->copied.is_regrown && more->copied.is_regrown;
  sum(&to->copied.compared, more->copied.compared);
  sum(&to->copied.grown, more->copied.grown);
  sum(&to->copied.by_operator, more->copied.by_operator);
  add_whole(&to->whole, &more->whole);
  add_lives(&to->lives, &more->lives);
  add_growing(&to->growing, &more->growing);
  add_family(&to->family, &more->family);
  add_teardown(&to->teardown, &more->teardown);
  sum(&to->sharing.writes, more->sharing.writes);
  if (more->overrun.beyond > to->overrun.beyond)
    to->overrun = more->overrun;
  add_some(&to->looked, &more->looked);
  add_some(&to->initialised, &more->initialised);
  sum(&to->contents, more->contents);
  sum(&to->zero_bytes, more->zero_bytes);
  to->holds_unseen = to->holds_unseen || more->holds_unseen;
  sum(&to->held_chunks, more->held_chunks);
  sum(&to->held_bytes, more->held_bytes);
  sum(&to->written_for_nobody, more->written_for_nobody);
  most(&to->objects, more->objects);
  most(&to->peak_most, more->peak_most);
  to->peak_at_most = to->peak_at_most || more->peak_at_most;
}
