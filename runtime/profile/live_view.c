/* live_view.c - see live_view.h: the records of chunks that live, and the ends
   that wait in rings.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/live_view.h"

#include "chunk/live_chunks.h"
#include "system/clock.h"
#include "thread/thread_state.h"

/* Whoever is given a reference may ask for the chunk later, when its record may
   be another's.  One whose end is in a ring has that slot's address, odd. */
static const void *mark_event(const struct hp_chunk_log *event) {
  return (const char *)event + 1;
}

static const struct hp_chunk_log *marked_event(const void *chunk) {
  return (uintptr_t)chunk & 1 ? (const void *)((const char *)chunk - 1) : NULL;
}

/* Calls EACH for every end that was not taken. */
static void each_end(bool (*each)(const struct hp_chunk_log *event, void *arg),
                     void *arg) {
  for (struct hp_thread *t = hp_threads_all(); t; t = t->next) {
    const struct hp_events *events = &t->events;
    uint32_t end = __atomic_load_n(&events->ends_reserved, __ATOMIC_ACQUIRE);
    for (uint32_t i = events->ends_taken; i != end; i++) {
      const struct hp_chunk_log *event = &events->ends[i % HP_ENDS];
      if (__atomic_load_n(&event->t1, __ATOMIC_ACQUIRE) && each(event, arg))
        return;
    }
  }
}

struct live_search {
  uint64_t end;
  void (*each)(const struct hp_chunk_reference *live, void *arg);
  void *arg;
  const struct hp_chunk_reference *wanted;
  const struct hp_chunk_log *found;
};

static bool give_ended(const struct hp_chunk_log *event, void *arg) {
  const struct live_search *search = arg;
  if (event->t0 <= search->end)
    search->each(&(struct hp_chunk_reference){.t0 = event->t0,
                                              .point = event->point,
                                              .thread = event->thread,
                                              .chunk = mark_event(event)},
                 search->arg);
  return false;
}

static bool is_wanted(const struct hp_chunk_log *event, void *arg) {
  struct live_search *search = arg;
  if (event->t0 == search->wanted->t0 &&
      event->thread == search->wanted->thread)
    search->found = event;
  return search->found != NULL;
}

/* What is live by the events taken so far: the records, and what ended since.
   In this order, so that no chunk is missed that ends meanwhile. */
static void each_live(uint64_t end,
                      void (*each)(const struct hp_chunk_reference *live,
                                   void *arg),
                      void *arg) {
  struct live_search search = {.end = end, .each = each, .arg = arg};
  hp_allocator_each_live(end, each, arg);
  each_end(give_ended, &search);
}

static void describe_live(const struct hp_chunk_reference *live, uint64_t end,
                          struct hp_chunk_log *chunk) {
  struct live_search search = {.wanted = live,
                               .found = marked_event(live->chunk)};
  if (!search.found && !hp_allocator_describe(live, chunk))
    each_end(is_wanted, &search);
  if (search.found)
    *chunk = *search.found;
  chunk->t1 = end;
  chunk->free_pc = 0;
  chunk->free_thread = 0;
  chunk->step = hp_clock_chunk_step(end);
  chunk->flags =
      (chunk->flags & ~((uint32_t)HP_CHUNK_REALLOC | HP_ENDED_BY_DELETE)) |
      HP_CHUNK_LIVE;
  hp_chunk_put_in_window(chunk);
}

const struct hp_live_chunks hp_live_view = {each_live, describe_live,
                                            hp_allocator_each_region};
