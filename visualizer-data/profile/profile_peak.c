/* profile_peak.c - when most was live, of a point and of all processes.
   What a process counted itself is taken as it is; the rest is in the log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/profile_peak.h"

#include <stdlib.h>

#include "base/failure.h"
#include "measure/malloc_memory.h"
#include "measure/metric.h"
#include "measure/paged_peak.h"
#include "profile/notes.h"
#include "profile/sampled_peak.h"

static uint64_t wall_ns(const struct hp_profile_process *process,
                        uint64_t ticks) {
  return hp_add(process->of->header.start_unix_ns,
                hp_ticks_to_ns(ticks, process->rules.ticks_per_second));
}

static struct hp_life life_of(const struct hp_profile_process *process,
                              const struct hp_chunk_log *chunk, bool wall) {
  struct hp_life life = hp_chunk_life(chunk, process->rules.window);
  life.bytes = hp_multiply(life.bytes, chunk->weight);
  if (wall) {
    life.begin = wall_ns(process, life.begin);
    life.end = wall_ns(process, life.end);
    if (life.end <= life.begin)
      life.end = hp_add(life.begin, 1);
  }
  return life;
}

static bool several_processes(const struct hp_profile_point *const *members,
                              size_t count) {
  for (size_t i = 1; i < count; i++)
    if (members[i]->process != members[0]->process)
      return true;
  return false;
}

struct member {
  struct hp_chunk_reader reader;
  const struct hp_profile_process *process;
};

struct lives {
  struct member *members;
  bool wall;
};

static bool next_life(void *context, size_t run, struct hp_life *life) {
  struct lives *lives = context;
  struct hp_chunk_log chunk;
  struct member *member = &lives->members[run];
  if (!hp_chunks_next_life(&member->reader, &chunk))
    return false;
  *life = life_of(member->process, &chunk, lives->wall);
  return true;
}

hp_status hp_profile_peak(const struct hp_profile_point *const *members,
                          size_t count, struct hp_peak *peak,
                          struct hp_error *error) {
  struct lives lives = {reallocarray(NULL, count + 1, sizeof *lives.members),
                        several_processes(members, count)};
  if (!lives.members)
    return hp_fail_memory(error);
  size_t chunks = 0;
  uint64_t last = 0;
  for (size_t i = 0; i < count; i++) {
    const struct hp_profile_process *process = members[i]->process;
    uint64_t end = lives.wall ? wall_ns(process, process->rules.window)
                              : process->rules.window;
    last = end > last ? end : last;
    chunks += members[i]->chunks->count;
    lives.members[i] =
        (struct member){hp_chunks_read(members[i]->chunks), process};
  }
  hp_status status =
      hp_peak_of(count, chunks, last, next_life, &lives, peak, error);
  free(lives.members);
  return status;
}

static hp_status find_local_peak(struct hp_profile_point *point,
                                 struct hp_error *error) {
  struct hp_peak local = {0};
  const struct hp_profile_point *own = point;
  if (point->summary)
    return HP_OK;
  HP_TRY(hp_profile_peak(&own, 1, &local, error));
  point->view.peak_bytes = hp_bounded_peak(point->process, local.bytes);
  return HP_OK;
}

/* Of a process that had chunks none are in the log: chunk_log=none, or merged. */
static bool has_no_log(const struct hp_profile_process *process) {
  const struct hp_process *p = &process->view;
  return !p->chunks_kept && (p->sampled ? p->samples : p->allocations);
}

/* One process counted its own peak.  That of several is in none of them, and where
   there are no chunks to find it by, the sum bounds it. */
static bool has_counted_peak(const struct hp_profile *profile) {
  bool counted = profile->process_count == 1;
  for (size_t i = 0; i < profile->process_count; i++)
    counted = counted || has_no_log(&profile->processes[i]);
  for (size_t i = 0; i < profile->point_count; i++)
    counted = counted && profile->points[i].summary;
  return counted && profile->point_count > 0;
}

static hp_status add_up_peaks(struct hp_profile *profile,
                              struct hp_error *error) {
  for (size_t i = 0; i < profile->process_count; i++)
    profile->global.peak_bytes = hp_add(profile->global.peak_bytes,
                                        profile->processes[i].view.peak_bytes);
  if (profile->process_count == 1) {
    const struct hp_profile_process *only = profile->processes;
    const uint64_t sum = only->of->end.peak_bytes;
    profile->peak_time = (struct hp_profile_peak_time){
        only->of->end.peak_time, hp_bounded_peak(only, sum), sum, false};
    return HP_OK;
  }
  return hp_profile_note(
      profile, error,
      "peaks are the sums of the peaks of %zu processes: no more "
      "was ever live at once, but it may have been less",
      profile->process_count);
}

/* What POINT had when the profile was at its peak. */
static void find_at_peak(const struct hp_profile *profile,
                         struct hp_profile_point *point) {
  const struct hp_profile_peak_time *peak = &profile->peak_time;
  struct hp_chunk_reader reader = hp_chunks_read(point->chunks);
  struct hp_chunk_log chunk;
  hp_u128 bytes = 0;
  uint64_t chunks = 0;
  while (hp_chunks_next_life(&reader, &chunk)) {
    const struct hp_life life = life_of(point->process, &chunk, peak->wall);
    if (!hp_life_covers(&life, peak->time))
      continue;
    bytes += life.bytes;
    chunks = hp_add(chunks, chunk.weight);
  }
  if (peak->most < peak->sum) {
    bytes = bytes * peak->most / peak->sum;
    chunks = hp_paged_share(chunks, peak->most, peak->sum);
  }
  point->view.bytes_at_global_peak = hp_clamp128(bytes);
  point->view.chunks_at_global_peak = chunks;
}

/* Objects of pools have no memory but that of their chunks. */
static hp_status peak_of_chunks(const struct hp_profile *profile,
                                struct hp_peak *peak, struct hp_error *error) {
  const struct hp_profile_point **own =
      reallocarray(NULL, profile->point_count + 1, sizeof *own);
  size_t count = 0;
  if (!own)
    return hp_fail_memory(error);
  for (size_t i = 0; i < profile->point_count; i++)
    if (!profile->points[i].view.pool)
      own[count++] = &profile->points[i];
  const hp_status status = hp_profile_peak(own, count, peak, error);
  free(own);
  return status;
}

static hp_status find_global_peak(struct hp_profile *profile,
                                  const struct hp_profile_point **all,
                                  struct hp_error *error) {
  size_t count = profile->point_count;
  struct hp_peak peak;
  HP_TRY(peak_of_chunks(profile, &peak, error));
  bool wall = several_processes(all, count);
  uint64_t most = hp_most_of_all(profile);
  bool bounded = most && most < peak.bytes;
  profile->peak_time = (struct hp_profile_peak_time){
      peak.time, bounded ? most : peak.bytes, peak.bytes, wall};
  profile->global.peak_bytes = bounded ? most : peak.bytes;
  for (size_t i = 0; i < count; i++)
    find_at_peak(profile, &profile->points[i]);
  return HP_OK;
}

/* What of POINT's bytes at the peak was touched, and the memory that took; the part
   of all its chunks that was touched is taken for that of those. */
static void find_touched(struct hp_profile_point *point) {
  const struct hp_tally *tally = point->tally;
  struct hp_point *view = &point->view;
  hp_dump_use_one(point->process->dump);
  view->peak_touched_bytes = hp_paged_share(
      view->bytes_at_global_peak, hp_paged_touched(tally), tally->bytes);
  const uint64_t memory = view->pool /* and not malloc's chunks */
                              ? view->bytes_at_global_peak
                              : hp_malloc_memory(view->chunks_at_global_peak,
                                                 view->bytes_at_global_peak,
                                                 &view->size, &view->sizes);
  view->peak_memory_bytes =
      view->bytes_at_global_peak
          ? hp_paged_share(memory, view->peak_touched_bytes,
                           view->bytes_at_global_peak)
          : memory;
}

static hp_status find_own_peak(struct hp_profile *profile,
                               struct hp_profile_point *point,
                               struct hp_error *error) {
  HP_TRY(find_local_peak(point, error));
  hp_dump_use_one(point->process->dump);
  hp_set_peak_error(&point->view, point->tally,
                    point->view.process ? point->process->of->end.heap_peak
                                        : hp_most_of_all(profile));
  return HP_OK;
}

hp_status hp_profile_find_part_peaks(struct hp_profile *profile,
                                     struct hp_profile_point *part,
                                     struct hp_error *error) {
  HP_TRY(find_own_peak(profile, part, error));
  find_at_peak(profile, part);
  find_touched(part);
  return HP_OK;
}

static hp_status find_peaks(struct hp_profile *profile,
                            struct hp_error *error) {
  size_t count = profile->point_count;
  for (size_t i = 0; i < count; i++)
    HP_TRY(find_own_peak(profile, &profile->points[i], error));
  if (has_counted_peak(profile))
    return add_up_peaks(profile, error);
  const struct hp_profile_point **all =
      reallocarray(NULL, count + 1, sizeof *all);
  if (!all)
    return hp_fail_memory(error);
  bool logged = true;
  for (size_t i = 0; i < count; i++) {
    all[i] = &profile->points[i];
    logged = logged && all[i]->is_logged;
  }
  hp_status status = find_global_peak(profile, all, error);
  if (status == HP_OK && !logged)
    status =
        hp_profile_note(profile, error,
                        "the peak of all processes together, and what was live "
                        "then, is estimated from the logged chunks");
  free(all);
  return status;
}

hp_status hp_profile_find_peaks(struct hp_profile *profile,
                                struct hp_error *error) {
  HP_TRY(find_peaks(profile, error));
  for (size_t i = 0; i < profile->point_count; i++) {
    const struct hp_point *view = &profile->points[i].view;
    find_touched(&profile->points[i]);
    struct hp_global *global = &profile->global;
    if (view->pool)
      continue;
    global->peak_touched_bytes =
        hp_add(global->peak_touched_bytes, view->peak_touched_bytes);
    global->peak_memory_bytes =
        hp_add(global->peak_memory_bytes, view->peak_memory_bytes);
  }
  return HP_OK;
}
