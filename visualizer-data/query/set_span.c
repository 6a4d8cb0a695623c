/* set_span.c - see set_span.h: two walks over the lives, for the peak and for the spans.
   A chunk's life then overlaps a span or does not.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_span.h"

#include <inttypes.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "measure/peak.h"
#include "profile/profile_peak.h"
#include "query/set_lives.h"

static hp_status add_span(struct hp_set_node *term, struct hp_time_span **spans,
                          uint64_t begin, uint64_t end, struct hp_store *store,
                          struct hp_error *error) {
  if (begin >= end)
    return HP_OK;
  if (term->span_count && (*spans)[term->span_count - 1].end == begin) {
    (*spans)[term->span_count - 1].end = end;
    return HP_OK;
  }
  if (!hp_store_room_for_one(store, (void **)spans, term->span_count,
                             sizeof **spans))
    return hp_fail_memory(error);
  (*spans)[term->span_count++] = (struct hp_time_span){begin, end};
  return HP_OK;
}

/* What is live at a time is known once all events of that time are past. */
static hp_status collect(hp_life_walk *walk, struct hp_set_node *term,
                         hp_u128 least, struct hp_store *store,
                         struct hp_error *error) {
  struct hp_time_span *spans = NULL;
  struct hp_life_event event;
  hp_u128 live = 0;
  uint64_t since = 0;
  while (hp_life_walk_next(walk, &event)) {
    if (live >= least && live)
      HP_TRY(add_span(term, &spans, since, event.time, store, error));
    live = event.begins ? live + event.bytes : live - event.bytes;
    since = event.time;
  }
  if (live >= least && live)
    HP_TRY(add_span(term, &spans, since, HP_NEVER, store, error));
  term->spans = spans;
  return hp_life_walk_failed(walk) ? hp_fail_memory(error) : HP_OK;
}

static hp_status find(struct hp_set_lives *lives, struct hp_set_node *term,
                      struct hp_store *store, struct hp_error *error) {
  struct hp_peak peak;
  for (size_t i = 0; i < lives->count; i++)
    if (lives->points[i]->view.chunks && !lives->points[i]->chunks->count)
      return hp_fail(error, HP_E_ARGUMENT,
                     "filter: peak() needs the chunk log of the whole process, "
                     "which has none of the chunks of point %" PRIu64
                     "; profile with HEAPPROF_OPTIONS=chunk_log=all",
                     lives->points[i]->view.id);
  HP_TRY(hp_profile_peak(lives->points, lives->count, &peak, error));
  /* The bytes that are near enough, rounded up. */
  const long double share = (100 - term->number) / 100;
  const long double bytes = (long double)peak.bytes * share;
  const hp_u128 floor = (hp_u128)bytes;
  const hp_u128 least = (long double)floor < bytes ? floor + 1 : floor;
  hp_life_walk *walk = hp_set_lives_walk(lives);
  if (!walk)
    return hp_fail_memory(error);
  const hp_status status = collect(walk, term, least, store, error);
  hp_life_walk_free(walk);
  return status;
}

hp_status hp_set_find_spans(const hp_profile *profile,
                            const struct hp_profile_process *process,
                            struct hp_set_node *term, struct hp_store *store,
                            struct hp_error *error) {
  struct hp_set_lives lives;
  term->spans = NULL;
  term->span_count = 0;
  const hp_status status = hp_set_lives_begin(&lives, profile, process, true)
                               ? find(&lives, term, store, error)
                               : hp_fail_memory(error);
  hp_set_lives_end(&lives);
  return status;
}
