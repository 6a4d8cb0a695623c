/* collector.c - see collector.h: a merge of rings, up to a moment before which
   no thread can have anything left to say.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/collector.h"

#include "chunk/allocator_totals.h"
#include "chunk/free_stack.h"
#include "chunk/sample.h"
#include "encode/encode.h"
#include "heap/heap.h"
#include "options/options.h"
#include "profile/aggregate.h"
#include "profile/free_site.h"
#include "profile/live_view.h"
#include "profile/log.h"
#include "profile/thread_sums.h"
#include "system/check.h"
#include "system/signal_mask.h"
#include "system/spare.h"
#include "system/waiting.h"
#include "thread/thread_state.h"

/* A thread whose ring is full waits for another one that is in the allocator and
   gets no processor: PAUSES times PAUSE_NS, then it goes on without that one. */
#define PAUSE_NS 50000u
#define PAUSES 2000u

/* A ring while rings are merged. */
struct ring {
  uint64_t time; /* of its next event, never falls; UINT64_MAX: none is left */
  uint64_t *stamp;    /* of it */
  uint32_t next, end; /* indices */
};

/* A thread's two rings, which mostly take turns: what comes next of both. */
struct source {
  uint64_t time;   /* of that event */
  uint32_t thread; /* of it; 0 if that is an end */
  bool force;      /* slots that were never filled are passed over */
  struct hp_events *events;
  struct ring ends, begins;
};

static struct {
  struct hp_lock lock;
  uint64_t begins, ends; /* chunks that the events passed on stand for */
  uint64_t samples;      /* beginnings passed on */
  uint64_t no_point;     /* of these, without a point */
  uint64_t pauses;       /* slept because a ring was full */
  uint64_t drains;
  uint64_t until;          /* ticks; all events up to here were passed on, */
  uint64_t late;           /* but for so many, which came after that */
  uint64_t late_bytes;     /* what these allocate or free */
  struct hp_bytes sources; /* struct source [] */
  /* u32 []: numbers of sources, as a heap whose first is the earliest.  Sources
     stay where they are: to copy what was just written in parts is slow. */
  struct hp_bytes heap;
} collector;

/* ---- order --------------------------------------------------------------- */

static uint32_t *heap(void) { return (uint32_t *)(void *)collector.heap.data; }

static size_t heap_count(void) {
  return collector.heap.size / sizeof(uint32_t);
}

static struct source *heap_source(size_t at) {
  return (struct source *)(void *)collector.sources.data + heap()[at];
}

/* At equal times an end comes before a beginning, and the lower thread's beginning
   before another's.  Equal times are usual, since clocks step by some ticks. */
static bool is_before(const struct source *a, const struct source *b) {
  return a->time != b->time ? a->time < b->time : a->thread < b->thread;
}

static void sift_down(size_t at) {
  size_t count = heap_count();
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= count)
      return;
    if (child + 1 < count &&
        is_before(heap_source(child + 1), heap_source(child)))
      child++;
    if (!is_before(heap_source(child), heap_source(at)))
      return;
    uint32_t swap = heap()[at];
    heap()[at] = heap()[child];
    heap()[child] = swap;
    at = child;
  }
}

/* The functions with a parameter IS_BEGINS are compiled twice, once for rings of
   beginnings and once for rings of ends. */
HP_INLINE uint64_t *stamp_at(struct hp_events *events, uint32_t index,
                             bool is_begins) {
  return is_begins ? &events->begins[index % HP_BEGINS].t0
                   : &events->ends[index % HP_ENDS].t1;
}

/* The first slot from NEXT to END that is filled, of a ring where others may never be;
   END: none. */
static HP_COLD uint32_t first_filled(struct hp_events *events, uint32_t next,
                                     uint32_t end, bool is_begins) {
  while (next != end &&
         !__atomic_load_n(stamp_at(events, next, is_begins), __ATOMIC_ACQUIRE))
    next++;
  return next;
}

/* Looks for the next event of RING, one of EVENTS' two, up to UNTIL.  Slots are passed
   over only for one behind them: the last ones may still be filled. */
HP_INLINE void look_next(struct ring *ring, struct hp_events *events,
                         uint64_t until, bool force, bool is_begins) {
  ring->stamp = stamp_at(events, ring->next, is_begins);
  if (HP_LIKELY(ring->next != ring->end)) {
    uint64_t time = __atomic_load_n(ring->stamp, __ATOMIC_ACQUIRE);
    if (HP_UNLIKELY(!time) && force) {
      const uint32_t next =
          first_filled(events, ring->next, ring->end, is_begins);
      if (next != ring->end) {
        ring->next = next;
        ring->stamp = stamp_at(events, next, is_begins);
        time = __atomic_load_n(ring->stamp, __ATOMIC_ACQUIRE);
      }
    }
    if (HP_LIKELY(time && time <= until)) {
      ring->time = time > ring->time ? time : ring->time;
      return;
    }
  }
  ring->time = UINT64_MAX;
}

static HP_COLD void look_once(struct ring *ring, struct hp_events *events,
                              uint64_t until, bool force, bool is_begins) {
  look_next(ring, events, until, force, is_begins);
}

/* The earlier one of its two rings: an end, if both have one of that time. */
HP_INLINE void look_first(struct source *source, const struct ring *ends,
                          const struct ring *begins) {
  const bool is_end = ends->time <= begins->time;
  source->time = is_end ? ends->time : begins->time;
  source->thread =
      is_end ? 0 : source->events->begins[begins->next % HP_BEGINS].thread;
}

/* Gives the slots that were emptied back to their thread. */
static void give_back(const struct source *source) {
  struct hp_events *events = source->events;
  const struct ring *ends = &source->ends, *begins = &source->begins;
  /* Not further than the thread came, nor more than a ring has. */
  HP_CHECK(ends->next - events->ends_taken <= HP_ENDS);
  HP_CHECK(begins->next - events->begins_taken <= HP_BEGINS);
  HP_CHECK(ends->end - ends->next <= HP_ENDS);
  HP_CHECK(begins->end - begins->next <= HP_BEGINS);
  __atomic_store_n(&events->ends_taken, ends->next, __ATOMIC_RELEASE);
  __atomic_store_n(&events->begins_taken, begins->next, __ATOMIC_RELEASE);
}

/* ---- what becomes of an event -------------------------------------------- */

HP_INLINE void take_begin(const struct hp_begin_event *event) {
  uint32_t weight = hp_sample_weight(event->size);
  collector.begins += weight;
  collector.samples++;
  if (HP_UNLIKELY(event->point == 0))
    collector.no_point++;
  const bool is_pooled = HP_UNLIKELY(event->size & HP_BEGIN_POOLED);
  const uint64_t size = event->size & HP_SIZE_MAX,
                 t0 = hp_clock_in_window(event->t0);
  hp_thread_sums_begin(event->thread, t0, size, weight, is_pooled);
  if (HP_UNLIKELY(is_pooled))
    hp_aggregate_begin_pooled(event->point, t0, size);
  else
    hp_aggregate_begin(event->point, t0, size, weight);
}

HP_INLINE void take_end(struct hp_chunk_log *chunk) {
  hp_chunk_put_in_window(chunk);
  hp_thread_sums_end(chunk);
  collector.ends += chunk->weight;
  if (HP_LIKELY(hp_aggregate_end(chunk)))
    hp_free_site_add(chunk);
  hp_log_append(chunk);
}

/* Where the aggregates of points do not fit into the cache, they are fetched ahead
   of the event that needs them, by so many events: first the entries, then the
   records that these name, then the blocks that the records name. */
#define FAR_AHEAD 28u
#define MIDDLE_AHEAD 16u
#define NEAR_AHEAD 8u

/* The point of the event in a slot.  A slot that is not filled holds that of an
   earlier event, which costs a useless prefetch and no more. */
HP_INLINE uint32_t point_at(const struct hp_events *events, uint32_t index,
                            bool is_begins) {
  return is_begins ? events->begins[index % HP_BEGINS].point
                   : events->ends[index % HP_ENDS].point;
}

HP_INLINE void look_ahead(const struct hp_events *events, uint32_t next,
                          bool is_begins) {
  uint32_t far = point_at(events, next + FAR_AHEAD, is_begins);
  uint32_t middle = point_at(events, next + MIDDLE_AHEAD, is_begins);
  uint32_t near = point_at(events, next + NEAR_AHEAD, is_begins);
  if (is_begins) {
    hp_aggregate_prefetch_begin(far, middle, near);
  } else {
    hp_aggregate_prefetch_end(far, middle, near);
    hp_free_site_prefetch(&events->ends[(next + MIDDLE_AHEAD) % HP_ENDS],
                          &events->ends[(next + NEAR_AHEAD) % HP_ENDS]);
  }
}

static HP_COLD void note_late(uint64_t size, uint64_t weight) {
  uint64_t bytes;
  if (__builtin_mul_overflow(size, weight, &bytes))
    bytes = UINT64_MAX;
  collector.late++;
  collector.late_bytes = hp_add_saturated(collector.late_bytes, bytes);
}

/* The event whose stamp this is. */
HP_INLINE void take(uint64_t *stamp, bool is_begins) {
  const bool is_late = HP_UNLIKELY(*stamp < collector.until);
  if (is_begins) {
    const struct hp_begin_event *event =
        (const void *)((const char *)stamp -
                       offsetof(struct hp_begin_event, t0));
    if (is_late)
      note_late(event->size & HP_SIZE_MAX, hp_sample_weight(event->size));
    take_begin(event);
  } else {
    struct hp_chunk_log *chunk =
        (void *)((char *)stamp - offsetof(struct hp_chunk_log, t1));
    if (is_late)
      note_late(chunk->size, chunk->weight);
    take_end(chunk);
  }
}

/* The source that comes after the first; NULL if there is none. */
static struct source *runner_up(void) {
  size_t count = heap_count();
  if (count < 2)
    return NULL;
  struct source *next = heap_source(1);
  return count > 2 && is_before(heap_source(2), next) ? heap_source(2) : next;
}

/* The next event of RING, one of EVENTS' two.  AHEAD: it is worth to look there. */
HP_INLINE void pass_on(struct ring *ring, const struct hp_events *events,
                       bool ahead, bool is_begins) {
  if (ahead)
    look_ahead(events, ring->next, is_begins);
  if (HP_LIKELY(hp_events_wanted))
    take(ring->stamp, is_begins);
  __atomic_store_n(ring->stamp, 0, __ATOMIC_RELAXED);
  ring->next++;
}

/* Takes events of SOURCE, the first one, until it is another's TURN, or none up to
   UNTIL is left. */
static void take_events(struct source *source, uint64_t turn, uint64_t until,
                        bool ahead) {
  struct hp_events *events = source->events;
  struct ring ends = source->ends, begins = source->begins;
  const bool force = source->force;
  do {
    if (ends.time <= begins.time) {
      pass_on(&ends, events, ahead, false);
      look_next(&ends, events, until, force, false);
    } else {
      pass_on(&begins, events, ahead, true);
      look_next(&begins, events, until, force, true);
    }
  } while (ends.time < turn || begins.time < turn);
  look_first(source, &ends, &begins);
  source->ends = ends;
  source->begins = begins;
}

/* Takes the first source, which is exhausted, off the heap. */
static void leave_first(void) {
  give_back(heap_source(0));
  heap()[0] = heap()[heap_count() - 1];
  collector.heap.size -= sizeof *heap();
}

/* Passes on all events up to UNTIL. */
static void merge(uint64_t until) {
  const bool ahead = hp_aggregate_is_large();
  uint64_t last = 0;
  while (heap_count()) {
    struct source *first = heap_source(0);
    const struct source *next = runner_up();
    HP_CHECK(first->time >= last && first->time <= until);
    /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): HP_CHECK reads it */
    last = first->time;
    take_events(first, next ? next->time : UINT64_MAX, until, ahead);
    if (first->time == UINT64_MAX)
      leave_first();
    sift_down(0);
  }
}

/* ---- draining ------------------------------------------------------------ */

/* A moment before which every event is in its ring.  A thread that is seen outside
   the allocator after the barrier will read the clock later than this function
   did; one that is seen inside will stamp no event with less than its mark.  MINE
   are the rings of the caller, which appends nothing meanwhile; NULL: the caller
   has none, so that even a single thread is another one. */
static uint64_t settled_until(const struct hp_events *mine, bool force) {
  uint64_t until = hp_clock_now();
  struct hp_thread *threads = hp_threads_all();
  if (force || !threads)
    return until;
  if ((threads->next || !mine) && !hp_sys_barrier())
    until -= hp_clock_period; /* a store is seen by all long before that */
  for (struct hp_thread *t = threads; t; t = t->next) {
    uint64_t entered = __atomic_load_n(&t->events.entered, __ATOMIC_ACQUIRE);
    if (entered && &t->events != mine && entered != t->events.stuck &&
        entered - 1 < until)
      until = entered - 1;
  }
  return until;
}

/* Makes the rings of EVENTS a source if there is an event up to UNTIL.  Without memory
   for one more source they wait for the next time. */
static void add_source(struct hp_events *events, uint64_t until, bool force) {
  struct source source = {
      .force = force,
      .events = events,
      .ends = {.next = events->ends_taken,
               .end =
                   __atomic_load_n(&events->ends_reserved, __ATOMIC_ACQUIRE)},
      .begins = {
          .next = events->begins_taken,
          .end = __atomic_load_n(&events->begins_reserved, __ATOMIC_ACQUIRE)}};
  const uint32_t number = (uint32_t)(collector.sources.size / sizeof source);
  look_once(&source.ends, events, until, force, false);
  look_once(&source.begins, events, until, force, true);
  look_first(&source, &source.ends, &source.begins);
  if (source.time != UINT64_MAX &&
      hp_bytes_reserve(&collector.heap, sizeof number) &&
      hp_bytes_reserve(&collector.sources, sizeof source)) {
    hp_put_bytes(&collector.heap, &number, sizeof number);
    hp_put_bytes(&collector.sources, &source, sizeof source);
  }
}

/* Passes on the events that are settled, or with FORCE all that there are.  MINE are
   the caller's rings, or NULL.  PASS: a slot of MINE that was reserved and never
   filled is passed over, and its event is lost; else its ring ends there. */
static void drain(struct hp_events *mine, bool pass, bool force) {
  uint64_t until = settled_until(mine, force);
  hp_free_sites_look();
  if (HP_UNLIKELY(!hp_free_sites_want_stacks()))
    hp_free_stacks_end();
  if (until < collector.until) /* that was forced: what comes now is late */
    until = collector.until;
  if (mine)
    add_source(mine, until, force || pass);
  for (struct hp_thread *t = hp_threads_all(); t; t = t->next) {
    if (&t->events != mine)
      add_source(&t->events, until, force);
    if (force)
      t->events.stuck = __atomic_load_n(&t->events.entered, __ATOMIC_RELAXED);
  }
  for (size_t i = heap_count() / 2; i-- > 0;)
    sift_down(i);
  merge(until);
  collector.sources.size = 0;
  collector.until = until;
  collector.drains++;
}

/* ---- types --------------------------------------------------------------- */

/* The beginning of the chunk if it was not taken yet, else NULL. */
static struct hp_begin_event *find_begin(struct hp_events *events, uint64_t t0,
                                         uint32_t point) {
  for (uint32_t i = events->begins_reserved; i != events->begins_taken; i--) {
    struct hp_begin_event *event = &events->begins[(i - 1) % HP_BEGINS];
    if (__atomic_load_n(&event->t0, __ATOMIC_ACQUIRE) == t0 &&
        event->point == point)
      return event;
  }
  return NULL;
}

static void move_counts(uint32_t from, uint32_t to, uint64_t t0,
                        uint64_t word) {
  struct hp_begin_event *event = NULL;
  for (struct hp_thread *t = hp_threads_all(); t && !event; t = t->next)
    event = find_begin(&t->events, t0, from);
  if (event)
    event->point = to;
  else if (hp_events_wanted)
    hp_aggregate_move(from, to, hp_clock_in_window(t0), word & HP_SIZE_MAX,
                      hp_sample_weight(word));
}

static void move(uint64_t t0, uint64_t word, uint32_t point, uint32_t to) {
  if (t0 >= hp_clock_window_start)
    move_counts(point, to, t0, word);
}

static void move_bare(struct hp_bare *bare, uint32_t to) {
  const uint64_t word = bare->word;
  const uint32_t point = hp_bare_point_of(word);
  move(hp_bare_t0(bare), (word & HP_RECORD_FLAGS) | hp_bare_size_of(word),
       point, to);
  /* A libc function of another thread may set a flag. */
  __atomic_fetch_xor(&bare->word, (uint64_t)(point ^ to) << HP_BARE_SIZE_BITS,
                     __ATOMIC_RELAXED);
}

void hp_collector_move(struct hp_chunk *chunk, struct hp_bare *bare,
                       uint32_t to) {
  uint64_t saved;
  hp_sys_block_signals(&saved);
  hp_lock_take(&collector.lock);
  if (bare) {
    move_bare(bare, to);
  } else {
    struct hp_cold *cold = hp_cold_of(chunk);
    move(cold->t0, cold->word, cold->point, to);
    cold->point = to;
    chunk->guard = hp_guard_of(to);
  }
  hp_lock_release(&collector.lock);
  hp_sys_restore_signals(&saved);
}

/* ---- who drains ---------------------------------------------------------- */

void hp_collector_totals(struct hp_dump_totals *totals) {
  totals->end = collector.until;
  totals->allocations = collector.begins;
  totals->frees = collector.ends;
  totals->samples = collector.samples;
  totals->dropped_points = collector.no_point;
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  totals->peak_bytes = aggregates.peak_bytes;
  totals->peak_chunks = aggregates.peak_chunks;
  totals->peak_time = aggregates.peak_time;
  totals->back_pressure = collector.pauses;
  totals->late_events = collector.late;
  totals->late_bytes = collector.late_bytes;
  totals->drains = collector.drains;
}

void hp_collector_empty(struct hp_events *mine) {
  const uint32_t spare = mine->entered ? HP_EVENTS_LEAST : HP_EVENTS_SPARE;
  for (unsigned pauses = 0;; pauses++) {
    hp_lock_take(&collector.lock);
    if (hp_events_full(mine, spare)) /* else another thread has done it */
      drain(mine, false, pauses >= PAUSES);
    /* What a handler interrupted may never go on, and fill its slot. */
    if (mine->entered && hp_events_full(mine, spare))
      drain(mine, true, false);
    bool full = hp_events_full(mine, spare);
    collector.pauses += full;
    hp_lock_release(&collector.lock);
    if (!full)
      return;
    hp_sys_sleep_ns(PAUSE_NS);
  }
}

void hp_collector_drain(bool all) { drain(NULL, false, all); }

uint64_t hp_collector_events(void) { return collector.begins + collector.ends; }

void hp_collect_all(void) {
  hp_lock_take(&collector.lock);
  drain(NULL, false, true);
  hp_lock_release(&collector.lock);
}

void hp_collect_counts(uint64_t *peak_bytes, uint64_t *allocations) {
  hp_lock_take(&collector.lock);
  drain(NULL, false, false);
  struct hp_aggregate_totals aggregates;
  hp_aggregate_totals(&aggregates);
  *peak_bytes = aggregates.peak_bytes;
  *allocations = hp_sampling ? hp_allocator_requests() : collector.begins;
  hp_lock_release(&collector.lock);
}

/* ---- window -------------------------------------------------------------- */

bool hp_collector_start(bool wanted) {
  collector.begins = collector.ends = collector.no_point = 0;
  collector.samples = 0;
  collector.until = collector.late = collector.late_bytes = 0;
  collector.pauses = collector.drains = 0;
  hp_thread_sums_start();
  hp_events_wanted = wanted;
  return hp_bytes_reserve(&collector.sources, sizeof(struct source)) &&
         hp_bytes_reserve(&collector.heap, sizeof(uint32_t)) &&
         hp_free_sites_start(hp_options.free_stacks) &&
         hp_aggregate_start(hp_clock_ticks_per_second() / 1000, hp_sampling);
}

void hp_collector_lock(void) { hp_lock_take(&collector.lock); }
void hp_collector_unlock(void) { hp_lock_release(&collector.lock); }
