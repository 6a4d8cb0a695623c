/* profile.c - opens dumps and works out every point and the whole.
   The order is that of the data: read, tally, peaks, symbols, scores.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/open.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/failure.h"
#include "measure/inference.h"
#include "measure/score.h"
#include "profile/escape.h"
#include "profile/misuse.h"
#include "profile/unseen_modules.h"
#include "resolve/lent_function.h"
#include "resolve/stack.h"
#include "resolve/type_symbol.h"

#define HP_SHORT_NS 1000000u
#define TOLD_EACH 1000u /* points */

/* ---- options ------------------------------------------------------------- */

static hp_status known_options(const struct hp_open_options *given,
                               struct hp_open_options *known,
                               struct hp_error *error) {
  *known = (struct hp_open_options){0};
  if (given) {
    if (given->sz < sizeof given->sz)
      return hp_fail(error, HP_E_ARGUMENT,
                     "hp_open_options.sz is %zu; set it to the struct's size",
                     given->sz);
    memcpy(known, given, given->sz < sizeof *known ? given->sz : sizeof *known);
  }
  known->sz = sizeof *known;
  if (!(known->group_gap >= 0 && known->group_gap <= 1))
    return hp_fail(error, HP_E_ARGUMENT,
                   "group gap of %g; give a share of the window, 0 to 1",
                   known->group_gap);
  if (known->group_gap <= 0)
    known->group_gap = known->memoro_compat ? 0.01 : HP_GROUP_P;
  if (known->short_ns == 0)
    known->short_ns = HP_SHORT_NS;
  return HP_OK;
}

/* ---- processes ----------------------------------------------------------- */

hp_status hp_profile_note(struct hp_profile *profile, struct hp_error *error,
                          const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  const char **notes =
      reallocarray(profile->notes, profile->note_count + 1, sizeof *notes);
  if (notes)
    profile->notes = notes;
  char *kept =
      length < 0 ? NULL : hp_store_text(&profile->store, text, (size_t)length);
  if (length >= 0)
    free(text);
  if (!notes || !kept)
    return hp_fail_memory(error);
  notes[profile->note_count++] = kept;
  return HP_OK;
}

static hp_status note_killed(struct hp_profile *profile,
                             const struct hp_process *p,
                             struct hp_error *error) {
  if (p->complete)
    return HP_OK;
  if (p->has_aggregates)
    return hp_profile_note(
        profile, error,
        "%s: the dump is incomplete, its process was killed or "
        "could not write all of it; the numbers are those of the "
        "last checkpoint, %.3f s after the start",
        p->dump, (double)p->window_ns / 1e9);
  return hp_profile_note(
      profile, error,
      "%s: the dump is incomplete, its process was killed or "
      "could not write all of it; %" PRIu64 " chunks were read",
      p->dump, p->chunks_kept);
}

static hp_status note_sampling(struct hp_profile *profile,
                               const struct hp_process *p,
                               struct hp_error *error) {
  return hp_profile_note(
      profile, error,
      "%s: estimates (~) from %" PRIu64 " of %" PRIu64
      " chunks, one for every %" PRIu64
      " %s; lifetime scores and growth cannot be told from them",
      p->dump, p->samples, p->requests,
      p->sample_every ? p->sample_every : p->sample_bytes,
      p->sample_every ? "allocations" : "bytes");
}

static hp_status note_losses(struct hp_profile *profile,
                             const struct hp_process *p, bool merged,
                             struct hp_error *error) {
  HP_TRY(note_killed(profile, p, error));
  const char *because = p->log_failure ? ", because the log stopped: " : "";
  const char *reason = p->log_failure ? p->log_failure : "";
  if (!p->log_failure && p->dropped_chunks && p->back_pressure)
    because = ", because the disk was too slow";
  uint64_t profiled = p->sampled ? p->samples : p->allocations;
  if (p->sampled)
    HP_TRY(note_sampling(profile, p, error));
  if (p->has_aggregates && p->chunks_kept < profiled && !merged)
    HP_TRY(hp_profile_note(profile, error,
                           "%s: %" PRIu64 " of %" PRIu64
                           " chunks logged%s%s; the numbers are of all of them",
                           p->dump, p->chunks_kept, profiled, because, reason));
  else if (p->dropped_chunks)
    HP_TRY(
        hp_profile_note(profile, error,
                        "%s: %" PRIu64 " of %" PRIu64
                        " chunks could not be kept and are missing below%s%s",
                        p->dump, p->dropped_chunks, profiled, because, reason));
  if (p->lost_marks)
    HP_TRY(hp_profile_note(profile, error,
                           "%s: %" PRIu64
                           " marks beyond the first %zu are missing",
                           p->dump, p->lost_marks, p->mark_count));
  if (p->late_events)
    HP_TRY(hp_profile_note(
        profile, error,
        "%s: %" PRIu64 " beginnings and ends came too late to be put in order: "
        "peaks may be off by these",
        p->dump, p->late_events));
  if (p->unsettled_chunks)
    HP_TRY(hp_profile_note(
        profile, error,
        "%s: %" PRIu64
        " chunks have unknown accesses: what was live contradicts what began "
        "and ended, as where a signal handler jumped out of malloc or free",
        p->dump, p->unsettled_chunks));
  if (p->dropped_points)
    HP_TRY(hp_profile_note(
        profile, error,
        "%s: %" PRIu64
        " chunks have lost their call stack and are shown as one "
        "point without a stack",
        p->dump, p->dropped_points));
  return HP_OK;
}

/* The timeline in nanoseconds. */
static hp_status describe_intervals(struct hp_profile *profile,
                                    struct hp_profile_process *process,
                                    struct hp_error *error) {
  const struct hp_dump_process *of = process->of;
  struct hp_interval *intervals =
      hp_store_take(&profile->store, of->interval_count, sizeof *intervals);
  if (!intervals)
    return hp_fail_memory(error);
  for (size_t i = 0; i < of->interval_count; i++) {
    uint64_t rate = process->rules.ticks_per_second;
    intervals[i] = of->intervals[i];
    intervals[i].begin_ns = hp_ticks_to_ns(intervals[i].begin_ns, rate);
    intervals[i].end_ns = hp_ticks_to_ns(intervals[i].end_ns, rate);
  }
  process->view.intervals = intervals;
  process->view.interval_count = of->interval_count;
  return HP_OK;
}

static void describe_process(struct hp_profile_process *process,
                             const struct hp_open_options *o) {
  const struct hp_dump *dump = process->dump;
  const struct hp_dump_header *h = &process->of->header;
  const struct hp_dump_end *e = &process->of->end;
  bool complete = process->of->complete;
  struct hp_process *p = &process->view;
  struct hp_rules *r = &process->rules;
  r->window = e->end;
  r->tau = hp_rules_tau(o->group_gap, e->end);
  r->ticks_per_second = h->ticks_per_second;
  /* The runtime's own bound, lest a rounding tells them apart. */
  r->short_ticks = o->short_ns == HP_SHORT_NS && e->short_ticks
                       ? e->short_ticks
                       : hp_rules_short_ticks(o->short_ns, h->ticks_per_second);
  r->memoro_compat = o->memoro_compat;
  r->exclude_live = o->exclude_live;
  r->sampled = h->sample_every || h->sample_bytes;
  r->sample_bytes = h->sample_bytes;

  p->dump = dump->path;
  p->program = h->program ? h->program : "unknown";
  p->args = (const char *const *)h->args;
  p->arg_count = h->arg_count;
  p->pid = h->pid;
  p->parent = h->parent;
  p->host = h->host;
  p->rank = h->rank;
  p->window_ns = hp_ticks_to_ns(e->end, h->ticks_per_second);
  p->complete = complete;
  p->ended = !complete ? "killed" : e->reason ? e->reason : "unknown";
  p->has_exit_status = e->has_exit_status;
  p->exit_status = e->exit_status;
  p->allocations = e->allocations;
  p->frees = e->frees;
  p->failed_requests = e->failed_requests;
  p->failed_bytes = e->failed_bytes;
  p->inherited_frees = e->inherited_frees;
  p->invalid_frees = e->invalid_frees;
  p->threads = e->threads;
  p->peak_bytes = e->peak_bytes;
  p->peak_ns = hp_ticks_to_ns(e->peak_time, h->ticks_per_second);
  p->chunks_kept = dump->chunk_count;
  p->dropped_points = e->dropped_points;
  p->dropped_chunks = e->dropped_chunks;
  p->ticks_per_ns = (double)h->ticks_per_second / 1e9;
  p->tick_max = h->exact_time ? 0 : complete ? e->tick_max : UINT64_MAX;
  p->has_aggregates = dump->has_checkpoint;
  p->thinned_chunks = e->thinned_chunks;
  p->log_failure = e->log_failure;
  p->back_pressure = e->back_pressure;
  p->late_events = e->late_events;
  p->lost_marks = e->lost_marks;
  p->sampled = r->sampled;
  p->sample_every = h->sample_every;
  p->sample_bytes = h->sample_bytes;
  p->sample_seed = h->sample_seed;
  p->samples = e->samples;
  p->requests = e->requests;
  p->request_bytes = e->request_bytes;
  p->heap = e->heap;
  p->unsettled_chunks = e->unsettled_chunks;
  p->leak_check = e->leak_check;
  p->suppressions = e->suppressions;
  p->allocator_ticks = e->allocator_ticks;
}

static hp_status describe_marks(struct hp_profile *profile,
                                struct hp_profile_process *process,
                                struct hp_error *error) {
  const struct hp_dump_end *e = &process->of->end;
  if (!e->mark_count)
    return HP_OK;
  struct hp_mark *marks =
      hp_store_take(&profile->store, e->mark_count, sizeof *marks);
  if (!marks)
    return hp_fail_memory(error);
  for (size_t i = 0; i < e->mark_count; i++)
    marks[i] = (struct hp_mark){
        hp_ticks_to_ns(e->marks[i].ticks, process->rules.ticks_per_second),
        e->marks[i].name};
  process->view.marks = marks;
  process->view.mark_count = e->mark_count;
  return HP_OK;
}

/* What the end record would have said, from the chunks that are there. */
static hp_status recount_process(struct hp_profile *profile,
                                 struct hp_profile_process *process,
                                 struct hp_error *error) {
  struct hp_process *p = &process->view;
  if (hp_is_merged(process))
    return HP_OK; /* its points are those of others, too */
  size_t count = process->point_count;
  const struct hp_profile_point **own =
      reallocarray(NULL, count + 1, sizeof *own);
  if (!own)
    return hp_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    const struct hp_profile_point *point =
        &profile->points[process->first_point + i];
    own[i] = point;
    p->live_bytes_at_end = hp_add(p->live_bytes_at_end, point->view.live_bytes);
    if (!p->complete && !p->has_aggregates) {
      p->allocations += point->view.chunks;
      p->frees += point->view.chunks - point->view.live_chunks;
    }
  }
  hp_status status = HP_OK;
  if (!p->complete && !p->has_aggregates) {
    struct hp_peak peak;
    status = hp_profile_peak(own, count, &peak, error);
    p->peak_bytes = peak.bytes;
    p->peak_ns = hp_ticks_to_ns(peak.time, process->rules.ticks_per_second);
  }
  free(own);
  return status;
}

/* ---- points -------------------------------------------------------------- */

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

/* The aggregates of RAW answer what RULES ask, though groups may be of a greater
   gap where there were too many. */
static bool answers(const struct hp_profile_process *process,
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

/* There were so many groups that they were joined across greater gaps. */
static bool is_coarse(const struct hp_profile_process *process,
                      const struct hp_summary *s) {
  return s->chunks && s->tau > process->rules.tau;
}

/* From the first allocation to the last end, in ticks. */
static void find_span(struct hp_point *view, const struct hp_summary *s,
                      uint64_t ticks_per_second) {
  uint64_t end = 0;
  for (size_t i = 0; i < s->group_count; i++)
    end = s->groups[i].end > end ? s->groups[i].end : end;
  uint64_t first = s->group_count ? s->groups[0].first : 0;
  view->first_ns = hp_ticks_to_ns(first, ticks_per_second);
  view->last_ns = hp_ticks_to_ns(end, ticks_per_second);
}

static bool ended_by_exit(const struct hp_profile_process *process) {
  return process->view.complete && strcmp(process->view.ended, "exit") == 0;
}

static struct hp_histogram histogram_of(const struct hp_digit_counts *counts) {
  return (struct hp_histogram){counts->lowest, counts->count, counts->counts};
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
    point->view.peak_bytes = counted->peak_bytes;
    point->view.bytes_at_global_peak = counted->at_peak_bytes;
  }
  point->chunks = &raw->chunks;
  point->summary = counted;
  point->is_logged = are_all(&raw->chunks, raw->summary);
  struct hp_point *view = &point->view;
  view->logged_chunks = raw->chunks.count;
  struct hp_summary logged, joined;
  const struct hp_summary *used = counted, *span = counted;
  bool unknown = !counted || (counted->chunks && !answers(process, counted));
  bool coarse = !unknown && is_coarse(process, counted) && raw->chunks.count;
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
  hp_tally_summary(&point->tally, used, &process->rules);
  hp_tally_finish(&point->tally, view);
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

static hp_status measure_part(struct hp_profile *profile,
                              struct hp_profile_process *process,
                              const struct hp_summary *s,
                              struct hp_profile_point *point,
                              struct hp_error *error) {
  struct hp_point *view = &point->view;
  struct hp_tally tally;
  if (!answers(process, s))
    return hp_fail(error, HP_E_ARGUMENT,
                   "%s: these options need chunk logs, which a merged dump has "
                   "not; leave them out, or give the dumps it was merged of",
                   process->view.dump);
  hp_tally_summary(&tally, s, &process->rules);
  if (s == point->summary)
    point->tally = tally;
  else
    hp_tally_add(&point->tally, &tally);
  view->window_ns = process->view.window_ns > view->window_ns
                        ? process->view.window_ns
                        : view->window_ns;
  view->ended_by_exit = view->ended_by_exit && ended_by_exit(process);
  process->view.live_bytes_at_end =
      hp_add(process->view.live_bytes_at_end, tally.live_bytes);
  view->peak_bytes = hp_add(view->peak_bytes, s->peak_bytes);
  view->bytes_at_global_peak =
      hp_add(view->bytes_at_global_peak, s->at_peak_bytes);
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
  hp_tally_finish(&point->tally, view);
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
  view->estimated = view->estimated || point->tally.samples > 0;
  return HP_OK;
}

static hp_status add_point(struct hp_profile *profile,
                           struct hp_profile_process *process,
                           const struct hp_dump_point *raw, bool from_log,
                           struct hp_error *error) {
  struct hp_profile_point *point = &profile->points[profile->point_count];
  struct hp_point *view = &point->view;
  profile->views[profile->point_count] = view;
  view->id = ++profile->point_count;
  view->type = raw->type;
  view->type_provenance =
      raw->type ? provenance_text(raw->type_provenance) : NULL;
  view->process = &process->view;
  view->window_ns = process->view.window_ns;
  view->ended_by_exit = ended_by_exit(process);
  view->element_size = raw->type ? raw->element_size : 0;
  point->process = process;
  if (hp_is_merged(process))
    HP_TRY(measure_merged(profile, process, point, raw, from_log, error));
  else
    HP_TRY(measure_point(profile, point, raw, from_log, error));
  HP_TRY(hp_stack_resolve(&profile->store, profile->symbolizer, process->dump,
                          raw, view, &point->handed_to, error));
  hp_infer_name_growth(&point->tally, hp_enlarging_of(view));
  hp_infer_finish(&point->tally, view);
  if (!view->accesses_known) {
    hp_tally_forget_accesses(&point->tally);
    hp_tally_finish(&point->tally, view);
  }
  HP_TRY(hp_misuse_find(profile, process, raw, point, error));
  if (view->type)
    return HP_OK;
  enum hp_provenance how;
  HP_TRY(hp_type_by_symbol(&profile->store, view->stack, view->stack_count,
                           &view->type, &how, error));
  if (view->type)
    view->type_provenance = provenance_text(how);
  return HP_OK;
}

static hp_status add_points(struct hp_profile *profile,
                            const struct hp_open_options *o,
                            struct hp_error *error) {
  size_t most = 0;
  for (size_t i = 0; i < profile->dump_count; i++)
    most += profile->dumps[i]->point_count;
  profile->points = calloc(most + 1, sizeof *profile->points);
  profile->views = calloc(most + 1, sizeof *profile->views);
  if (!profile->points || !profile->views)
    return hp_fail_memory(error);
  for (size_t i = 0; i < profile->process_count; i++) {
    struct hp_profile_process *process = &profile->processes[i];
    const struct hp_dump *dump = process->dump;
    if (process->of != dump->processes)
      continue; /* its dump was seen */
    process->first_point = profile->point_count;
    for (size_t k = 1; k < dump->point_count; k++) {
      if (o->progress && k % TOLD_EACH == 1)
        o->progress("measuring points", profile->point_count, most);
      HP_TRY(add_point(profile, process, &dump->points[k], o->from_log, error));
    }
    /* Last, so that the ids of the others are those of the dump. */
    if (dump->points[0].chunks.count || dump->points[0].summary)
      HP_TRY(add_point(profile, process, &dump->points[0], o->from_log, error));
    process->point_count = profile->point_count - process->first_point;
  }
  return HP_OK;
}

/* A log that is thinned to nothing says nothing. */
static hp_status note_estimates(struct hp_profile *profile,
                                const struct hp_profile_process *process,
                                struct hp_error *error) {
  uint64_t logged = 0, of = 0;
  bool asked = false;
  if (hp_is_merged(process))
    return HP_OK;
  for (size_t i = 0; i < process->point_count; i++) {
    const struct hp_profile_point *point =
        &profile->points[process->first_point + i];
    if (!point->is_thinned)
      continue;
    logged += point->view.logged_chunks;
    of += point->summary ? point->summary->chunks : point->view.chunks;
    asked |= !point->summary || !answers(process, point->summary);
    if (!point->view.logged_chunks)
      return hp_fail(error, HP_E_ARGUMENT,
                     "%s: these options need the chunk log, which has none of "
                     "the chunks of point %" PRIu64
                     "; leave them out, or profile with chunk_log=all",
                     process->view.dump, point->view.id);
  }
  if (of == 0)
    return HP_OK;
  return hp_profile_note(
      profile, error,
      "%s: estimate from %" PRIu64 " of %" PRIu64 " chunks logged, because %s",
      process->view.dump, logged, of,
      !process->view.has_aggregates ? "the sums of all were not written"
      : asked ? "the options ask for what is known of logged chunks only"
              : "there were too many lifetime groups to keep them all");
}

static hp_status note_coarse_groups(struct hp_profile *profile,
                                    const struct hp_profile_process *process,
                                    struct hp_error *error) {
  uint64_t points = 0;
  double widest = 0;
  for (size_t i = 0; i < process->point_count; i++) {
    const struct hp_profile_point *point =
        &profile->points[process->first_point + i];
    const struct hp_summary *first = point->summary;
    for (const struct hp_summary *s = first; s; s = s->next) {
      const struct hp_profile_process *of =
          point->process + s->process - first->process;
      if (!is_coarse(of, s) || point->view.logged_chunks)
        continue;
      double gap = (double)s->tau / (double)of->rules.window;
      widest = gap > widest ? gap : widest;
      points += s == first;
    }
  }
  if (points == 0)
    return HP_OK;
  return hp_profile_note(profile, error,
                         "%s: points with too many lifetime groups: %" PRIu64
                         ", whose gap is up to %.3g instead of %.3g",
                         process->view.dump, points, widest,
                         (double)process->rules.tau /
                             (double)process->rules.window);
}

static hp_status sum_up(struct hp_profile *profile,
                        const struct hp_open_options *o,
                        struct hp_error *error) {
  struct hp_global *global = &profile->global;
  HP_TRY(hp_lent_find(profile, error));
  HP_TRY(hp_profile_find_peaks(profile, error));
  HP_TRY(hp_score_tops(profile->views, profile->point_count, error));
  HP_TRY(hp_score_global(profile->views, profile->point_count,
                         o->weight_by_bytes, global, error));
  global->points = profile->point_count;
  for (size_t i = 0; i < profile->point_count; i++) {
    global->chunks += profile->points[i].view.chunks;
    global->bytes = hp_add(global->bytes, profile->points[i].view.bytes);
  }
  HP_TRY(hp_unseen_find(profile, error));
  HP_TRY(hp_escape_find(profile, o, error));
  for (size_t i = 0; i < profile->process_count; i++) {
    struct hp_profile_process *process = &profile->processes[i];
    global->sampled = global->sampled || process->rules.sampled;
    HP_TRY(recount_process(profile, process, error));
    HP_TRY(note_losses(profile, &process->view, hp_is_merged(process), error));
    HP_TRY(note_estimates(profile, process, error));
    HP_TRY(note_coarse_groups(profile, process, error));
    global->time_in_allocator_ns =
        hp_add(global->time_in_allocator_ns,
               hp_ticks_to_ns(process->view.allocator_ticks,
                              process->rules.ticks_per_second));
  }
  return HP_OK;
}

/* ---- opening ------------------------------------------------------------- */

/* The same directory twice would count everything twice. */
static bool is_open_already(const struct hp_profile *profile,
                            const struct hp_profile_place *place) {
  for (size_t i = 0; i < profile->dump_count; i++)
    if (profile->places[i].number == place->number &&
        profile->places[i].device == place->device)
      return true;
  return false;
}

static hp_status add_processes(struct hp_profile *profile,
                               const struct hp_dump *dump,
                               const struct hp_open_options *o,
                               struct hp_error *error) {
  struct hp_profile_process *all =
      reallocarray(profile->processes,
                   profile->process_count + dump->process_count, sizeof *all);
  if (!all)
    return hp_fail_memory(error);
  profile->processes = all;
  for (size_t i = 0; i < dump->process_count; i++) {
    struct hp_profile_process *process = &all[profile->process_count++];
    *process =
        (struct hp_profile_process){.dump = dump, .of = &dump->processes[i]};
    describe_process(process, o);
    HP_TRY(describe_marks(profile, process, error));
    HP_TRY(describe_intervals(profile, process, error));
  }
  return HP_OK;
}

static hp_status add_dump(struct hp_profile *profile, const char *path,
                          const struct hp_open_options *o,
                          hp_progress *progress, struct hp_error *error) {
  struct hp_profile_place place = {0};
  struct stat of;
  if (stat(path, &of) == 0) { /* else reading it says what is wrong */
    place = (struct hp_profile_place){of.st_dev, of.st_ino};
    if (is_open_already(profile, &place))
      return HP_OK;
  }
  size_t n = profile->dump_count;
  struct hp_dump **dumps =
      reallocarray(profile->dumps, n + 1, sizeof *profile->dumps);
  profile->dumps = dumps ? dumps : profile->dumps;
  struct hp_profile_place *places =
      reallocarray(profile->places, n + 1, sizeof *profile->places);
  profile->places = places ? places : profile->places;
  if (!dumps || !places)
    return hp_fail_memory(error);
  places[n] = place;
  HP_TRY(hp_dump_read_telling(&dumps[n], path, progress, error));
  profile->dump_count++;
  return add_processes(profile, dumps[n], o, error);
}

static hp_status read_path(struct hp_profile *profile, const char *path,
                           const struct hp_open_options *o,
                           struct hp_error *error) {
  const char **dumps;
  size_t count;
  HP_TRY(hp_dump_list(&profile->store, path, &dumps, &count, error));
  for (size_t i = 0; i < count; i++) {
    if (o->progress && count > 1)
      o->progress("reading dumps", i, count);
    HP_TRY(
        add_dump(profile, dumps[i], o, count > 1 ? NULL : o->progress, error));
  }
  return HP_OK;
}

/* What a window's earlier dumps hold would count again in its last.  In a
   merged dump it is inseparable from the rest. */
static hp_status leave_out_earlier(struct hp_profile *profile,
                                   struct hp_error *error) {
  struct hp_profile_process *all = profile->processes;
  size_t count = profile->process_count, kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool continued = false;
    for (size_t j = 0; j < count && !continued; j++) {
      if (i == j || !hp_dump_is_same_process(all[i].of, all[j].of))
        continue;
      if (hp_is_merged(&all[i]) || hp_is_merged(&all[j]))
        return hp_fail(error, HP_E_ARGUMENT,
                       "%s and %s both hold process %" PRIu64
                       "; put them together with heapprof-merge, which counts "
                       "it once",
                       all[i].view.dump, all[j].view.dump, all[i].view.pid);
      continued = hp_dump_is_continued_by(all[i].of, all[j].of);
    }
    all[i].left_out = continued;
  }
  for (size_t i = 0; i < count; i++)
    if (!all[i].left_out)
      all[kept++] = all[i];
  profile->process_count = kept;
  if (kept == count)
    return HP_OK;
  return hp_profile_note(profile, error,
                         "%zu earlier dump%s left out: a later one of the same "
                         "process holds what %s",
                         count - kept, count - kept == 1 ? " was" : "s were",
                         count - kept == 1 ? "it does" : "they do");
}

/* The cache is written into the first dump; the other dumps may have one from
   when they were the first. */
static hp_status open_symbolizer(struct hp_profile *profile,
                                 const struct hp_open_options *o,
                                 struct hp_error *error) {
  if (o->no_symbols || o->no_cache || profile->process_count == 0)
    return hp_symbolizer_open(&profile->symbolizer, NULL, o, error);
  hp_status status = HP_OK;
  for (size_t i = 0; i < profile->process_count && status == HP_OK; i++) {
    const struct hp_dump *dump = profile->processes[i].dump;
    char *cache = NULL;
    if (profile->processes[i].of != dump->processes)
      continue; /* its dump was seen */
    if (asprintf(&cache, "%s/symbols", dump->path) < 0)
      return hp_fail_memory(error);
    status = i == 0
                 ? hp_symbolizer_open(&profile->symbolizer, cache, o, error)
                 : hp_symbolizer_read_cache(profile->symbolizer, cache, error);
    free(cache);
  }
  return status;
}

static hp_status open_all(struct hp_profile *profile, const char *const *paths,
                          size_t count, const struct hp_open_options *given,
                          struct hp_error *error) {
  struct hp_open_options o;
  HP_TRY(known_options(given, &o, error));
  if (count == 0)
    return hp_fail(error, HP_E_ARGUMENT, "no dump given; name a directory");
  for (size_t i = 0; i < count; i++)
    HP_TRY(read_path(profile, paths[i], &o, error));
  HP_TRY(leave_out_earlier(profile, error));
  HP_TRY(open_symbolizer(profile, &o, error));
  HP_TRY(add_points(profile, &o, error));
  if (o.progress)
    o.progress("finding peaks", 0, 0);
  return sum_up(profile, &o, error);
}

hp_status hp_profile_open(hp_profile **out, const char *const *paths,
                          size_t count, const struct hp_open_options *o,
                          struct hp_error *error) {
  *out = NULL;
  struct hp_profile *profile = calloc(1, sizeof *profile);
  if (!profile)
    return hp_fail_memory(error);
  profile->reading = calloc(1, sizeof *profile->reading);
  hp_status status = profile->reading
                         ? open_all(profile, paths, count, o, error)
                         : hp_fail_memory(error);
  if (status != HP_OK) {
    hp_profile_close(profile);
    return status;
  }
  *out = profile;
  return HP_OK;
}

void hp_profile_close(hp_profile *profile) {
  if (!profile)
    return;
  hp_symbolizer_close(profile->symbolizer);
  for (size_t i = 0; i < profile->dump_count; i++)
    hp_dump_close(profile->dumps[i]);
  free(profile->dumps);
  free(profile->places);
  free(profile->processes);
  free(profile->points);
  free(profile->views);
  free(profile->notes);
  free(profile->unseen);
  hp_escape_free(profile);
  free(profile->reading);
  free(profile->answer);
  hp_store_free(&profile->answer_store);
  hp_store_free(&profile->scratch);
  hp_store_free(&profile->store);
  free(profile);
}

size_t hp_process_count(const hp_profile *profile) {
  return profile->process_count;
}

const struct hp_process *hp_process_at(const hp_profile *profile, size_t i) {
  return i < profile->process_count ? &profile->processes[i].view : NULL;
}

const struct hp_global *hp_profile_global(const hp_profile *profile) {
  return &profile->global;
}

size_t hp_profile_note_count(const hp_profile *profile) {
  size_t symbols =
      profile->symbolizer ? hp_symbolizer_note_count(profile->symbolizer) : 0;
  return profile->note_count + symbols;
}

const char *hp_profile_note_at(const hp_profile *profile, size_t i) {
  if (i < profile->note_count)
    return profile->notes[i];
  return i < hp_profile_note_count(profile)
             ? hp_symbolizer_note(profile->symbolizer, i - profile->note_count)
             : NULL;
}

static struct hp_chunk chunk_view(const struct hp_chunk_log *c, uint64_t rate) {
  return (struct hp_chunk){
      .t0_ns = hp_ticks_to_ns(c->t0, rate),
      .t1_ns = hp_ticks_to_ns(c->t1, rate),
      .first_ns = hp_ticks_to_ns(c->first, rate),
      .last_ns = hp_ticks_to_ns(c->last, rate),
      .size = c->size,
      .lo = c->lo,
      .hi = c->hi,
      .reads = c->reads,
      .writes = c->writes,
      .thread = c->thread,
      .free_thread = c->free_thread,
      .weight = c->weight,
      .live = c->flags & HP_CHUNK_LIVE,
      .zeroed = c->flags & HP_CHUNK_ZEROED,
      .multithread = c->flags & HP_CHUNK_MULTITHREAD,
      .overrun = c->flags & HP_CHUNK_OVERRUN,
      .reallocated = c->flags & HP_CHUNK_REALLOC,
      .exact = c->flags & HP_CHUNK_EXACT,
  };
}

size_t hp_point_chunks(const hp_profile *profile, const struct hp_point *point,
                       size_t begin, struct hp_chunk *chunks, size_t count) {
  if (point->id == 0 || point->id > profile->point_count ||
      point != &profile->points[point->id - 1].view)
    return 0;
  const struct hp_profile_point *of = &profile->points[point->id - 1];
  struct hp_profile_reading *reading = profile->reading;
  if (reading->point != of || reading->next > begin)
    *reading = (struct hp_profile_reading){of, 0, hp_chunks_read(of->chunks)};
  size_t n = 0;
  struct hp_chunk_log chunk;
  while (n < count && hp_chunks_next(&reading->reader, &chunk))
    if (reading->next++ >= begin)
      chunks[n++] = chunk_view(&chunk, of->process->rules.ticks_per_second);
  return n;
}
