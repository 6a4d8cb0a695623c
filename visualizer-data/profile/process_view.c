/* process_view.c - a process's header and end in the units that users see.
   Ticks become nanoseconds here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/process_view.h"

#include <stdlib.h>

#include "base/failure.h"
#include "measure/metric.h"
#include "profile/caller_view.h"
#include "profile/profile_peak.h"
#include "profile/sampled_peak.h"
#include "read/record.h"

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
    intervals[i].bytes_min = hp_bounded_peak(process, intervals[i].bytes_min);
    intervals[i].bytes_max = hp_bounded_peak(process, intervals[i].bytes_max);
    intervals[i].begin_ns = hp_ticks_to_ns(intervals[i].begin_ns, rate);
    intervals[i].end_ns = hp_ticks_to_ns(intervals[i].end_ns, rate);
  }
  process->view.intervals = intervals;
  process->view.interval_count = of->interval_count;
  return HP_OK;
}

_Static_assert(HP_MEMORY_COUNT ==
                       (int)HP_MEMORY_live_bytes + (int)HP_PART_COUNT &&
                   HP_MEMORY_other_bytes ==
                       (int)HP_MEMORY_live_bytes + (int)HP_PART_other,
               "the dump has them in the same order");

static struct hp_memory_use memory_use(const uint8_t *list, size_t size,
                                       uint64_t rate) {
  uint64_t numbers[HP_MEMORY_COUNT] = {0};
  const struct hp_cursor at = {list, list + size};
  hp_take_numbers(at, numbers, HP_MEMORY_COUNT);
  struct hp_memory_use use = {.at_ns =
                                  hp_ticks_to_ns(numbers[HP_MEMORY_time], rate),
                              .rss = numbers[HP_MEMORY_rss_bytes]};
  for (int i = 0; i < HP_PART_COUNT; i++)
    use.parts[i] = numbers[HP_MEMORY_live_bytes + i];
  return use;
}

static uint64_t resident_without_own(const struct hp_memory_use *use) {
  const uint64_t own = use->parts[HP_PART_own];
  return use->rss > own ? use->rss - own : 0;
}

const char *hp_memory_part_name(enum hp_memory_part part) {
  static const char *const names[] = {
#define X(name, text) #name,
      HP_MEMORY_PARTS(X)
#undef X
  };
  return names[part];
}

const char *hp_memory_part_text(enum hp_memory_part part) {
  static const char *const texts[] = {
#define X(name, text) text,
      HP_MEMORY_PARTS(X)
#undef X
  };
  return texts[part];
}

static void describe_totals(struct hp_profile_process *process,
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
  p->cpu_ns = e->cpu_ns;
  p->stale_ms = e->stale_ms;
  p->complete = complete;
  /* A checkpoint before the end knows no status. */
  p->ended = !complete && !e->has_exit_status ? "killed"
             : e->reason                      ? e->reason
                                              : "unknown";
  p->has_exit_status = e->has_exit_status;
  p->exit_status = e->exit_status;
  p->allocations = e->allocations;
  p->frees = e->frees;
  p->failed_requests = e->failed_requests;
  p->failed_bytes = e->failed_bytes;
  p->inherited_frees = e->inherited_frees;
  p->invalid_frees = e->invalid_frees;
  p->threads = e->threads;
  p->peak_bytes = hp_bounded_peak(process, e->peak_bytes);
  p->peak_ns = hp_ticks_to_ns(e->peak_time, h->ticks_per_second);
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
  p->heap =
      (struct hp_counted_heap){e->heap_bytes, e->heap_peak, e->heap_peak_error};
  p->unsettled_chunks = e->unsettled_chunks;
  p->unprofiled_chunks = e->unprofiled_chunks;
  p->unprofiled_bytes = e->unprofiled_bytes;
  p->allocator = e->allocator;
  p->leak_check = e->leak_check;
  p->suppressions = e->suppressions;
  p->allocator_ticks = e->allocator_ticks;
  p->memory_at_end = memory_use(
      e->memory_at_end_list, e->memory_at_end_list_size, h->ticks_per_second);
  p->memory_at_peak = memory_use(
      e->memory_at_peak_list, e->memory_at_peak_list_size, h->ticks_per_second);
  p->peak_resident_bytes = resident_without_own(&p->memory_at_peak);
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

hp_status hp_process_describe(struct hp_profile *profile,
                              struct hp_profile_process *process,
                              const struct hp_open_options *o,
                              struct hp_error *error) {
  describe_totals(process, o);
  HP_TRY(hp_process_describe_callers(profile, process, error));
  HP_TRY(describe_marks(profile, process, error));
  return describe_intervals(profile, process, error);
}

hp_status hp_process_recount(struct hp_profile *profile,
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
    if (!point->view.pool)
      p->live_bytes_at_end =
          hp_add(p->live_bytes_at_end, point->view.live_bytes);
    if (!p->complete && !p->has_aggregates) {
      p->allocations += point->view.chunks;
      p->frees += point->view.chunks - point->view.live_chunks;
    }
  }
  hp_status status = HP_OK;
  p->live_bytes_at_end = hp_bounded_peak(process, p->live_bytes_at_end);
  if (!p->complete && !p->has_aggregates) {
    struct hp_peak peak;
    status = hp_profile_peak(own, count, &peak, error);
    p->peak_bytes = hp_bounded_peak(process, peak.bytes);
    p->peak_ns = hp_ticks_to_ns(peak.time, process->rules.ticks_per_second);
  }
  free(own);
  return status;
}
