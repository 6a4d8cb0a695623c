/* measure_point.c - sums up the chunks of a point and says what they are.
   Of a merged dump each process has sums of its own, which are added up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/measure_point.h"

#include <string.h>

#include "base/failure.h"
#include "measure/content_share.h"
#include "measure/inference.h"
#include "measure/metric.h"
#include "measure/paged_peak.h"
#include "profile/freed.h"
#include "profile/initialised.h"
#include "profile/member_rows.h"
#include "profile/misuse.h"
#include "profile/sampled_peak.h"
#include "profile/teardown.h"
#include "resolve/enlarging.h"
#include "resolve/stack.h"
#include "resolve/type_symbol.h"

static const char *provenance_text(uint64_t number) {
  switch (number) {
#define HP_PROVENANCE(value, name, text)                                       \
  case value:                                                                  \
    return text;
#include "heapprof_format.def"
  default:
    return "unknown";
  }
}

bool hp_sums_answer(const struct hp_profile_process *process,
                    const struct hp_summary *s) {
  const struct hp_rules *rules = &process->rules;
  if (rules->tau < hp_rules_tau(HP_GROUP_P, process->of->end.end) ||
      rules->short_ticks != process->of->end.short_ticks)
    return false;
  for (size_t i = 0; rules->exclude_live && i < s->class_count; i++)
    if (s->classes[i].classes & HP_CLASS_LIVE)
      return false;
  return true;
}

static bool are_all(const struct hp_chunks *chunks,
                    const struct hp_summary *summary) {
  return !chunks->is_thinned && (!summary || chunks->count == summary->chunks);
}

bool hp_sums_are_coarse(const struct hp_profile_process *process,
                        const struct hp_summary *s) {
  return s->chunks && s->tau > process->rules.tau;
}

/* Whether the groups of RAW are not known, since they take chunks that were not read
   (hp_open_options.point). */
static bool is_left_unread(const struct hp_profile_process *process,
                           const struct hp_dump_point *raw) {
  const uint64_t only = process->dump->only_point;
  return only && raw->id != only && raw->summary &&
         hp_sums_are_coarse(process, raw->summary);
}

/* From the first allocation to the last end, in ticks. */
static void find_span(struct hp_point *view, const struct hp_summary *s,
                      uint64_t ticks_per_second) {
  uint64_t end = 0, last = 0;
  long double lives = 0;
  for (size_t i = 0; i < s->group_count; i++) {
    end = s->groups[i].end > end ? s->groups[i].end : end;
    last = s->groups[i].last > last ? s->groups[i].last : last;
    lives += (long double)s->groups[i].lives;
  }
  view->last_begun_ns = hp_ticks_to_ns(last, ticks_per_second);
  if (s->chunks)
    view->lived_ns = (double)(lives / (long double)s->chunks * 1e9L /
                              (long double)ticks_per_second);
  uint64_t first = s->group_count ? s->groups[0].first : 0;
  view->first_ns = hp_ticks_to_ns(first, ticks_per_second);
  view->last_ns = hp_ticks_to_ns(end, ticks_per_second);
}

/* Behind what its dump tells: it was killed later, or went on. */
static bool goes_on(const struct hp_profile_process *process) {
  return !process->view.complete || process->of->header.dump_number;
}

static bool ended_by_exit(const struct hp_profile_process *process) {
  return process->view.complete && strcmp(process->view.ended, "exit") == 0;
}

static struct hp_histogram histogram_of(const struct hp_digit_counts *counts) {
  return (struct hp_histogram){counts->lowest, counts->count, counts->counts};
}

static uint64_t chunks_at_peak(const struct hp_profile_process *process,
                               const struct hp_summary *s) {
  return hp_paged_share(s->at_peak_chunks,
                        hp_bounded_part(process, s->at_peak_bytes),
                        s->at_peak_bytes);
}

/* Sums up the chunks of POINT: by the aggregates, or by the log where there are
   none or they cannot answer. */
static hp_status measure_point(struct hp_profile *profile,
                               struct hp_profile_point *point,
                               const struct hp_dump_point *raw, bool from_log,
                               struct hp_error *error) {
  static const struct hp_summary nothing;
  const struct hp_profile_process *process = point->process;
  const struct hp_summary *counted = raw->summary;
  /* What began after the last checkpoint is beyond the window. */
  if (!counted && process->dump->has_checkpoint)
    counted = &nothing;
  if (from_log)
    counted = NULL;
  if (counted) {
    point->view.peak_bytes = hp_bounded_peak(process, counted->peak_bytes);
    point->view.bytes_at_global_peak =
        hp_bounded_part(process, counted->at_peak_bytes);
    point->view.chunks_at_global_peak = chunks_at_peak(process, counted);
  }
  point->chunks = &raw->chunks;
  point->summary = counted;
  point->is_logged = are_all(&raw->chunks, raw->summary);
  struct hp_point *view = &point->view;
  view->logged_chunks = raw->chunks.count;
  struct hp_summary logged, joined;
  const struct hp_summary *used = counted, *span = counted;
  bool unknown =
      !counted || (counted->chunks && !hp_sums_answer(process, counted));
  bool coarse =
      !unknown && hp_sums_are_coarse(process, counted) && raw->chunks.count;
  if (unknown || coarse) {
    HP_TRY(hp_summary_of_chunks(&logged, &profile->store, &profile->scratch,
                                &raw->chunks, &process->rules,
                                raw->type ? raw->element_size : 0, error));
    point->is_thinned = !point->is_logged;
    used = &logged;
  }
  if (unknown)
    span = used;
  if (coarse) { /* only the groups are asked for */
    joined = *counted;
    joined.groups = logged.groups;
    joined.group_count = logged.group_count;
    used = &joined;
  }
  view->estimated = point->is_thinned || process->rules.sampled;
  hp_tally_summary(point->tally, used, &process->rules);
  if (is_left_unread(process, raw)) {
    point->tally->groups = point->tally->singletons = 0;
    point->tally->group_sum = 0;
  }
  if (raw->summary) { /* the log has none */
    point->tally->pages = raw->summary->pages;
    point->tally->sampled_pages = raw->summary->sampled_pages;
    point->tally->stale = raw->summary->stale;
    point->tally->resizes = raw->summary->resizes;
    point->tally->temporary_chunks = raw->summary->temporary;
    point->tally->has_unknown_temporary = !raw->summary->knows_temporary;
    point->tally->generations = raw->summary->generations;
    hp_contents_measure(point->tally, &raw->summary->contents);
    hp_blocks_measure(point->tally, &raw->summary->blocks);
  }
  hp_tally_finish(point->tally, view);
  find_span(view, span, process->rules.ticks_per_second);
  view->sizes = histogram_of(&used->sizes);
  view->lives = histogram_of(&used->lives);
  hp_store_clear(&profile->scratch);
  return HP_OK;
}

hp_status hp_histogram_add(struct hp_store *store, struct hp_histogram *sum,
                           const struct hp_histogram *part,
                           struct hp_error *error) {
  enum { DIGITS = 65 };
  if (part->count == 0)
    return HP_OK;
  uint64_t *counts = (uint64_t *)(uintptr_t)sum->counts;
  if (!counts) {
    counts = hp_store_take(store, DIGITS, sizeof *counts);
    if (!counts)
      return hp_fail_memory(error);
    *sum = (struct hp_histogram){0, DIGITS, counts};
  }
  for (unsigned i = 0; i < part->count; i++)
    counts[part->lowest + i] += part->counts[i];
  return HP_OK;
}

/* A child of PROCESS may have a copy of a chunk of S. */
static bool lived_at_fork(const struct hp_profile_process *process,
                          const struct hp_summary *s) {
  const uint64_t last = process->of->end.last_fork;
  return last && s->group_count && s->groups[0].first <= last;
}

static hp_status measure_part(struct hp_profile *profile,
                              struct hp_profile_process *process,
                              const struct hp_summary *s,
                              struct hp_profile_point *point,
                              struct hp_error *error) {
  struct hp_point *view = &point->view;
  struct hp_tally tally;
  if (!hp_sums_answer(process, s))
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: these options need chunk logs, which a merged dump has "
                   "not; leave them out, or give the dumps it was merged of",
                   process->view.dump);
  hp_tally_summary(&tally, s, &process->rules);
  if (s == point->summary)
    *point->tally = tally;
  else
    hp_tally_add(point->tally, &tally);
  view->window_ns = process->view.window_ns > view->window_ns
                        ? process->view.window_ns
                        : view->window_ns;
  view->ended_by_exit = view->ended_by_exit && ended_by_exit(process);
  view->goes_on = view->goes_on || goes_on(process);
  point->lived_at_fork = point->lived_at_fork || lived_at_fork(process, s);
  if (!view->pool)
    process->view.live_bytes_at_end =
        hp_add(process->view.live_bytes_at_end, tally.live_bytes);
  view->peak_bytes =
      hp_add(view->peak_bytes, hp_bounded_peak(process, s->peak_bytes));
  view->bytes_at_global_peak = hp_add(
      view->bytes_at_global_peak, hp_bounded_part(process, s->at_peak_bytes));
  view->chunks_at_global_peak =
      hp_add(view->chunks_at_global_peak, chunks_at_peak(process, s));
  const struct hp_histogram sizes = histogram_of(&s->sizes);
  return hp_histogram_add(&profile->store, &view->sizes, &sizes, error);
}

/* Sums up what each process of a merged dump knows of the point.  FIRST is the
   first of them. */
static hp_status measure_merged(struct hp_profile *profile,
                                struct hp_profile_process *first,
                                struct hp_profile_point *point,
                                const struct hp_dump_point *raw, bool from_log,
                                struct hp_error *error) {
  static const struct hp_summary nothing;
  struct hp_point *view = &point->view;
  if (from_log)
    return hp_fail(error, HP_E_ARGUMENT, "%s: a merged dump has no chunk log",
                   first->view.dump);
  point->summary = raw->summary ? raw->summary : &nothing;
  point->chunks = &raw->chunks;
  point->process = &first[point->summary->process];
  view->window_ns = 0;
  for (const struct hp_summary *s = raw->summary; s; s = s->next)
    HP_TRY(measure_part(profile, &first[s->process], s, point, error));
  hp_tally_finish(point->tally, view);
  /* Lives are in ticks, which are those of one process; so is a peak. */
  if (point->summary->next) {
    view->process = NULL;
    view->estimated = true;
    view->last_ns = view->window_ns; /* each has a clock of its own */
  } else {
    view->process = &point->process->view;
    find_span(view, point->summary, point->process->rules.ticks_per_second);
    view->lives = histogram_of(&point->summary->lives);
  }
  view->estimated = view->estimated || point->tally->samples > 0;
  return HP_OK;
}

hp_status hp_point_measure(struct hp_profile *profile,
                           struct hp_profile_process *process,
                           const struct hp_dump_point *raw, bool from_log,
                           struct hp_error *error) {
  bool is_text = false;
  struct hp_profile_point *point = &profile->points[profile->point_count];
  struct hp_point *view = &point->view;
  profile->views[profile->point_count] = view;
  view->id = ++profile->point_count;
  point->tally = hp_store_take(&profile->tallies, 1, sizeof *point->tally);
  if (!point->tally)
    return hp_fail_memory(error);
  view->type = raw->type;
  view->pool = raw->pool;
  view->type_provenance =
      raw->type ? provenance_text(raw->type_provenance) : NULL;
  view->process = &process->view;
  view->window_ns = process->view.window_ns;
  view->ended_by_exit = ended_by_exit(process);
  view->goes_on = goes_on(process);
  view->element_size = raw->type ? raw->element_size : 0;
  point->process = process;
  point->raw = raw;
  if (hp_is_merged(process))
    HP_TRY(measure_merged(profile, process, point, raw, from_log, error));
  else
    HP_TRY(measure_point(profile, point, raw, from_log, error));
  HP_TRY(hp_stack_resolve(&profile->store, profile->symbolizer, process->dump,
                          raw, view, &point->handed_to, &is_text, error));
  hp_infer_name_growth(point->tally, hp_enlarging_of(view));
  hp_infer_finish(point->tally, view);
  /* What nobody wrote libc only works with: the buffer that it fills first. */
  if (is_text && view->writes) {
    view->accesses_known = true;
    view->unseen = NULL;
  }
  /* What was done to objects is theirs, and what to the rest nobody knows. */
  view->accesses_known = view->accesses_known && !view->blocks.chunks;
  if (!view->accesses_known) {
    hp_tally_forget_accesses(point->tally);
    hp_tally_finish(point->tally, view);
  }
  HP_TRY(hp_freed_find(profile, process, raw, point, error));
  HP_TRY(hp_misuse_find(profile, process, raw, point, error));
  HP_TRY(hp_teardown_find(profile, process, raw, view, error));
  HP_TRY(hp_initialised_find(profile, process, raw, view, error));
  HP_TRY(hp_member_rows_find(profile, process, raw, point, error));
  if (view->type)
    return HP_OK;
  enum hp_provenance how;
  HP_TRY(hp_type_by_symbol(&profile->store, view->stack, view->stack_count,
                           &view->type, &how, error));
  if (view->type)
    view->type_provenance = provenance_text(how);
  return HP_OK;
}

static void forget_last_uses(struct hp_point *view) {
  view->teardown = (struct hp_teardown){.useful_lifetime = HP_NULL_SCORE,
                                        .settled_lifetime = HP_NULL_SCORE};
  view->initialised = (struct hp_initialised){0};
}

void hp_point_forget_accesses(struct hp_profile_point *point) {
  hp_tally_forget_accesses(point->tally);
  hp_tally_finish(point->tally, &point->view);
  forget_last_uses(&point->view);
}

/* ---- parts --------------------------------------------------------------- */

/* All that is no number of the chunks stays as it is. */
static void forget_numbers(struct hp_point *view) {
  view->freed = NULL;
  view->freed_count = 0;
  view->freed_chunks = 0;
  view->overrun = (struct hp_overrun){0};
  forget_last_uses(view);
}

hp_status hp_point_measure_part(struct hp_profile *profile,
                                struct hp_profile_point *point,
                                const struct hp_chunks *chunks,
                                struct hp_error *error) {
  const struct hp_profile_process *process = point->process;
  struct hp_point *view = &point->view;
  struct hp_tally *tally = point->tally;
  const bool known = view->accesses_known, shared = view->accesses_shared;
  struct hp_summary s;
  HP_TRY(hp_summary_of_chunks(&s, &profile->store, &profile->scratch, chunks,
                              &process->rules, view->element_size, error));
  point->chunks = chunks;
  point->summary = NULL;
  point->freed = NULL;
  view->is_part = true;
  point->is_thinned = !point->is_logged;
  hp_tally_summary(tally, &s, &process->rules);
  hp_infer_name_growth(tally, hp_enlarging_of(view));
  tally->shared = shared;
  if (!known)
    hp_tally_forget_accesses(tally);
  if (view->leak_suppressed)
    tally->inferences[HP_INF_lost] = (struct hp_inference_value){0};
  forget_numbers(view);
  hp_tally_finish(tally, view);
  view->logged_chunks = chunks->count;
  view->estimated = point->is_thinned || process->rules.sampled;
  find_span(view, &s, process->rules.ticks_per_second);
  view->sizes = histogram_of(&s.sizes);
  view->lives = histogram_of(&s.lives);
  hp_store_clear(&profile->scratch);
  return HP_OK;
}
