/* notes.c - words what is missing from the numbers of a process.
   One function for each kind of note; the dump's name comes first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/notes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "profile/measure_point.h"
#include "read/hooked_ranges.h"

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

#define INCOMPLETE                                                             \
  "%s: the dump is incomplete, its process was killed, ended by a system "     \
  "call of its own or could not write all of it; "

static hp_status note_killed(struct hp_profile *profile,
                             const struct hp_process *p,
                             struct hp_error *error) {
  if (p->complete)
    return HP_OK;
  if (p->has_aggregates)
    return hp_profile_note(
        profile, error,
        INCOMPLETE
        "the numbers are those of the last checkpoint, %.3f s after the start",
        p->dump, (double)p->window_ns / 1e9);
  return hp_profile_note(profile, error,
                         INCOMPLETE "%" PRIu64 " chunks were read", p->dump,
                         p->chunks_kept);
}

static bool waits_for_start(const struct hp_dump_header *header) {
  for (size_t i = 0; i < header->option_count; i++)
    if (strcmp(header->options[i], "start=0") == 0)
      return true;
  return false;
}

static hp_status note_nothing(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              struct hp_error *error) {
  const struct hp_dump_end *end = &process->of->end;
  return !end->allocations && !end->requests &&
                 waits_for_start(&process->of->header)
             ? hp_profile_note(profile, error,
                               "%s: nothing was profiled: with start=0 that "
                               "begins when the program calls "
                               "__heapprof_start(), and it allocated nothing "
                               "after that, if it called it at all",
                               process->view.dump)
             : HP_OK;
}

static hp_status note_modules(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              struct hp_error *error) {
  return hp_lacks_modules(process->dump)
             ? hp_profile_note(profile, error,
                               "%s: which modules it had was not written, so "
                               "that no function has a name, and of no chunk "
                               "it is known what accessed it",
                               process->view.dump)
             : HP_OK;
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

static hp_status note_late(struct hp_profile *profile,
                           const struct hp_profile_process *process,
                           struct hp_error *error) {
  const struct hp_dump_end *end = &process->of->end;
  char by[64] = "these";
  if (!end->late_events)
    return HP_OK;
  if (end->late_bytes)
    snprintf(by, sizeof by, "up to %" PRIu64 " bytes", end->late_bytes);
  return hp_profile_note(
      profile, error,
      "%s: %" PRIu64 " beginnings and ends came too late to be put in order: "
      "peaks may be off by %s",
      process->view.dump, end->late_events, by);
}

static hp_status note_unrecorded(struct hp_profile *profile,
                                 const struct hp_profile_process *process,
                                 struct hp_error *error) {
  const uint64_t frees = process->of->end.unrecorded_frees;
  if (!frees)
    return HP_OK;
  return hp_profile_note(profile, error,
                         "%s: %" PRIu64
                         " frees found no memory for what is kept of their "
                         "threads: so many chunks count as live that are not",
                         process->view.dump, frees);
}

/* What the program said wrongly of its pools: in one note. */
static hp_status note_pools(struct hp_profile *profile,
                            const struct hp_profile_process *process,
                            struct hp_error *error) {
  const struct hp_dump_end *end = &process->of->end;
  const struct {
    uint64_t count;
    const char *what;
  } of[] = {{end->pool_unknown_frees, "frees of what is no live object"},
            {end->pool_outside, "objects in no one chunk of the heap"},
            {end->pool_overlaps, "objects that began where others lived"},
            {end->pool_lost, "objects that there was no memory for"}};
  char text[256];
  size_t used = 0;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (of[i].count && used < sizeof text)
      used +=
          (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 " %s",
                           used ? ", " : "", of[i].count, of[i].what);
  return used ? hp_profile_note(profile, error,
                                "%s: what the program says of its pools is "
                                "not all right: %s",
                                process->view.dump, text)
              : HP_OK;
}

static hp_status note_stale(struct hp_profile *profile,
                            const struct hp_profile_process *process,
                            struct hp_error *error) {
  return process->of->end.stale_missing
             ? hp_profile_note(profile, error,
                               "%s: stale pages are not known: the kernel does "
                               "not tell which pages are written (Linux 6.7 "
                               "does), or not of a forked process",
                               process->view.dump)
             : HP_OK;
}

/* Where nothing lived then, or no accesses are known, it would say nothing. */
static bool is_shared(const struct hp_profile *profile,
                      const struct hp_dump *dump) {
  if (profile->global.shared_points == 0)
    return false;
  for (size_t i = 0; i < profile->point_count; i++)
    if (profile->points[i].process->dump == dump &&
        profile->points[i].view.accesses_shared)
      return true;
  return false;
}

/* A merged dump has several processes, and one note of all. */
static bool was_noted(const struct hp_profile *profile,
                      const struct hp_profile_process *process) {
  while (process > profile->processes && process[-1].dump == process->dump)
    if ((--process)->of->end.last_fork)
      return true;
  return false;
}

static hp_status note_children(struct hp_profile *profile,
                               const struct hp_profile_process *process,
                               struct hp_error *error) {
  return process->of->end.last_fork && !was_noted(profile, process) &&
                 is_shared(profile, process->dump)
             ? hp_profile_note(profile, error,
                               "%s: what is said of accesses to chunks that "
                               "lived when it forked is likely, not certain: "
                               "the child may have accessed its copy of them",
                               process->view.dump)
             : HP_OK;
}

/* What memory was too little for, where it is limited. */
static hp_status note_limits(struct hp_profile *profile,
                             const struct hp_profile_process *process,
                             struct hp_error *error) {
  const struct hp_dump_end *end = &process->of->end;
  if (end->unprofiled_chunks)
    HP_TRY(hp_profile_note(
        profile, error,
        "%s: %" PRIu64 " chunks of %" PRIu64
        " bytes were given out without a profile, since the limit of memory "
        "was near; they are in no other number, raise the limit to profile all",
        process->view.dump, end->unprofiled_chunks, end->unprofiled_bytes));
  if (end->undescribed_chunks)
    HP_TRY(hp_profile_note(
        profile, error,
        "%s: %" PRIu64 " chunks that live at the end have unknown accesses: "
        "the limit of memory left too little to look at each",
        process->view.dump, end->undescribed_chunks));
  return HP_OK;
}

static hp_status note_allocator(struct hp_profile *profile,
                                const struct hp_process *p,
                                struct hp_error *error) {
  if (!p->allocator)
    return HP_OK;
  return hp_profile_note(profile, error,
                         "%s: chunks are those of the program's own allocator, "
                         "%s; what heapprof keeps of them lies elsewhere, and "
                         "is in no number but heapprof's own memory",
                         p->dump, p->allocator);
}

hp_status hp_note_losses(struct hp_profile *profile,
                         const struct hp_profile_process *process,
                         struct hp_error *error) {
  const struct hp_process *p = &process->view;
  HP_TRY(note_killed(profile, p, error));
  HP_TRY(note_nothing(profile, process, error));
  HP_TRY(note_modules(profile, process, error));
  HP_TRY(note_allocator(profile, p, error));
  const char *because = p->log_failure ? ", because the log stopped: " : "";
  const char *reason = p->log_failure ? p->log_failure : "";
  if (!p->log_failure && p->dropped_chunks && p->back_pressure)
    because = ", because the log was not written as fast as they ended";
  uint64_t profiled = p->sampled ? p->samples : p->allocations;
  if (p->sampled)
    HP_TRY(note_sampling(profile, p, error));
  if (p->has_aggregates && p->chunks_kept < profiled && !hp_is_merged(process))
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
  HP_TRY(note_late(profile, process, error));
  HP_TRY(note_unrecorded(profile, process, error));
  HP_TRY(note_limits(profile, process, error));
  HP_TRY(note_pools(profile, process, error));
  HP_TRY(note_stale(profile, process, error));
  HP_TRY(note_children(profile, process, error));
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

/* A log that is thinned to nothing says nothing. */
hp_status hp_note_estimates(struct hp_profile *profile,
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
    hp_dump_use_one(process->dump);
    logged += point->view.logged_chunks;
    of += point->summary ? point->summary->chunks : point->view.chunks;
    asked |= !point->summary || !hp_sums_answer(process, point->summary);
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

hp_status hp_note_coarse_groups(struct hp_profile *profile,
                                const struct hp_profile_process *process,
                                struct hp_error *error) {
  uint64_t points = 0;
  double widest = 0;
  for (size_t i = 0; i < process->point_count; i++) {
    const struct hp_profile_point *point =
        &profile->points[process->first_point + i];
    const struct hp_summary *first = point->summary;
    hp_dump_use_one(process->dump);
    for (const struct hp_summary *s = first; s; s = s->next) {
      const struct hp_profile_process *of =
          point->process + s->process - first->process;
      if (!hp_sums_are_coarse(of, s) || point->view.logged_chunks)
        continue;
      double gap = (double)s->tau / (double)of->rules.window;
      widest = gap > widest ? gap : widest;
      points += s == first;
    }
  }
  if (points == 0)
    return HP_OK;
  if (process->dump->only_point)
    return hp_profile_note(
        profile, error,
        "%s: only chunks of point %" PRIu64 " were read: %" PRIu64
        " others have no lifetime score here",
        process->view.dump, process->dump->only_point, points);
  return hp_profile_note(profile, error,
                         "%s: points with too many lifetime groups: %" PRIu64
                         ", whose gap is up to %.3g instead of %.3g",
                         process->view.dump, points, widest,
                         (double)process->rules.tau /
                             (double)process->rules.window);
}
