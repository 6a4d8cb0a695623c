/* answers.c - what heapprof.h asks of an open profile.
   Reads only, but for where the last chunks were read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/profile_inside.h"

#include "measure/metric.h"

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

static struct hp_chunk_view chunk_view(const struct hp_chunk_log *c,
                                       uint64_t rate) {
  return (struct hp_chunk_view){
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

static const struct hp_profile_point *
profile_point_of(const hp_profile *profile, const struct hp_point *point) {
  return point->id == 0 || point->id > profile->point_count ||
                 point != &profile->points[point->id - 1].view
             ? NULL
             : &profile->points[point->id - 1];
}

const struct hp_members *hp_point_members(const hp_profile *profile,
                                          const struct hp_point *point) {
  const struct hp_profile_point *of = profile_point_of(profile, point);
  const bool is_of_log = profile->set && profile->set->view.is_of_log;
  return of && !is_of_log && of->members.chunks_counted ? &of->members : NULL;
}

const uint64_t *hp_point_content_bits(const hp_profile *profile,
                                      const struct hp_point *point) {
  const struct hp_profile_point *of = profile_point_of(profile, point);
  const struct hp_summary *s = of ? of->raw->summary : NULL;
  const bool is_of_log = profile->set && profile->set->view.is_of_log;
  return s && !s->next && !is_of_log ? s->content_bits : NULL;
}

size_t hp_point_chunks(const hp_profile *profile, const struct hp_point *point,
                       size_t begin, struct hp_chunk_view *chunks,
                       size_t count) {
  const struct hp_profile_point *of = profile_point_of(profile, point);
  if (!of)
    return 0;
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
