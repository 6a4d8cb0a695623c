/* profile_peak.c - when most was live, of a point and of all processes.
   What a process counted itself is taken as it is; the rest is in the log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile.h"

#include <stdlib.h>

#include "failure.h"

static uint64_t wall_ns(const struct hp_profile_process *process,
                        uint64_t ticks) {
  return hp_add(process->of->header.start_unix_ns,
                hp_ticks_to_ns(ticks, process->rules.ticks_per_second));
}

static struct hp_life life_of(const struct hp_profile_point *point, size_t i,
                              bool wall) {
  const struct hp_profile_process *process = point->process;
  struct hp_life life =
      hp_chunk_life(&point->chunks->items[i], process->rules.window);
  life.bytes = hp_multiply(life.bytes, point->chunks->items[i].weight);
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

static struct hp_life life_in_ticks(const void *members, size_t run, size_t i) {
  return life_of(((const struct hp_profile_point *const *)members)[run], i,
                 false);
}

static struct hp_life life_by_wall(const void *members, size_t run, size_t i) {
  return life_of(((const struct hp_profile_point *const *)members)[run], i,
                 true);
}

hp_status hp_profile_peak(const struct hp_profile_point *const *members,
                          size_t count, struct hp_peak *peak,
                          struct hp_error *error) {
  bool wall = several_processes(members, count);
  size_t *counts = reallocarray(NULL, count + 1, sizeof *counts);
  if (!counts)
    return hp_fail_memory(error);
  for (size_t i = 0; i < count; i++)
    counts[i] = members[i]->chunks->count;
  hp_status status = hp_peak_of(
      count, counts, wall ? life_by_wall : life_in_ticks, members, peak, error);
  free(counts);
  return status;
}

static hp_status find_local_peak(struct hp_profile_point *point,
                                 struct hp_error *error) {
  struct hp_peak local = {0};
  const struct hp_profile_point *own = point;
  if (point->summary)
    return HP_OK;
  HP_TRY(hp_profile_peak(&own, 1, &local, error));
  point->view.peak_bytes = local.bytes;
  return HP_OK;
}

/* One process counted its own peak.  That of several is in none of them, and a
   merged dump has no chunks to find it by: there the sum bounds it. */
static bool has_counted_peak(const struct hp_profile *profile) {
  bool counted = profile->process_count == 1;
  for (size_t i = 0; i < profile->process_count; i++)
    counted = counted || hp_is_merged(&profile->processes[i]);
  for (size_t i = 0; i < profile->point_count; i++)
    counted = counted && profile->points[i].summary;
  return counted && profile->point_count > 0;
}

static hp_status add_up_peaks(struct hp_profile *profile,
                              struct hp_error *error) {
  for (size_t i = 0; i < profile->process_count; i++)
    profile->global.peak_bytes = hp_add(profile->global.peak_bytes,
                                        profile->processes[i].view.peak_bytes);
  if (profile->process_count == 1)
    return HP_OK;
  return hp_profile_note(
      profile, error,
      "peaks are the sums of the peaks of %zu processes: no more "
      "was ever live at once, but it may have been less",
      profile->process_count);
}

static hp_status find_global_peak(struct hp_profile *profile,
                                  const struct hp_profile_point **all,
                                  struct hp_error *error) {
  size_t count = profile->point_count;
  struct hp_peak peak;
  HP_TRY(hp_profile_peak(all, count, &peak, error));
  bool wall = several_processes(all, count);
  profile->global.peak_bytes = peak.bytes;
  for (size_t i = 0; i < count; i++) {
    hp_u128 bytes = 0;
    for (size_t k = 0; k < all[i]->chunks->count; k++) {
      struct hp_life life = life_of(all[i], k, wall);
      if (hp_life_covers(&life, peak.time))
        bytes += life.bytes;
    }
    profile->points[i].view.bytes_at_global_peak = hp_clamp128(bytes);
  }
  return HP_OK;
}

hp_status hp_profile_find_peaks(struct hp_profile *profile,
                                struct hp_error *error) {
  size_t count = profile->point_count;
  for (size_t i = 0; i < count; i++)
    HP_TRY(find_local_peak(&profile->points[i], error));
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
