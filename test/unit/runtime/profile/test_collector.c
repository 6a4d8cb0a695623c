/* test_collector.c - events of many threads come out in one order of time.
   The peak is compared with that of the sorted log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/allocator.h"
#include "profile/collector.h"
#include "system/clock.h"
#include "system_double.h"
#include "thread/gate.h"
#include "thread/thread.h"
#include "thread/thread_state.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 4u
#define ROUNDS 6000u
#define HELD 40u

HP_NOINLINE static void *allocate(size_t size) {
  struct hp_request request = {
      .size = size, .entry = HP_ENTRY_MALLOC, .caller = HP_CALLER()};
  return hp_allocate(&request);
}

HP_NOINLINE static void deallocate(void *p) {
  struct hp_caller caller = HP_CALLER();
  hp_deallocate(p, &caller);
  __asm__ volatile("" ::: "memory");
}

static struct hp_dump_totals totals(void) {
  struct hp_dump_totals t = {0};
  hp_collect_all();
  hp_collector_totals(&t);
  return t;
}

static int begin_window(void **state) {
  (void)state;
  hp_collect_all();
  hp_clock_start_window(hp_options.tick_us, hp_options.exact_time);
  double_log_count = 0;
  double_log_disorder = false;
  return hp_collector_start(true) ? 0 : -1;
}

/* ---- one thread ---------------------------------------------------------- */

/* Who looks at its own rings needs no barrier; the runtime's thread does, though
   no other thread of the program is there. */
static void the_only_thread_is_looked_at(void **state) {
  (void)state;
  const size_t before = double_barriers;
  for (unsigned i = 0; i < HP_BEGINS; i++)
    deallocate(allocate(i));
  assert_int_equal(double_barriers, before);
  hp_collector_drain(false);
  assert_int_equal(double_barriers, before + 1);
}

/* ---- many threads -------------------------------------------------------- */

/* A chunk lies in one of these until some thread takes it and frees it. */
static void *held[HELD];

static void *work(void *seed_of) {
  uint64_t seed = (uintptr_t)seed_of;
  for (unsigned i = 0; i < ROUNDS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    void *mine = allocate((seed >> 33) % 2000);
    void *other =
        __atomic_exchange_n(&held[(seed >> 50) % HELD], mine, __ATOMIC_ACQ_REL);
    if (other)
      deallocate(other);
  }
  hp_thread_end();
  return NULL;
}

struct change {
  uint64_t time;
  int64_t bytes;
};

static int by_time(const void *a, const void *b) {
  const struct change *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->bytes > y->bytes) - (x->bytes < y->bytes); /* ends first */
}

/* The peak by the log, in which every chunk is. */
static uint64_t offline_peak(uint64_t *time) {
  struct change *changes = calloc(2 * double_log_count, sizeof *changes);
  int64_t bytes = 0, peak = 0;
  assert_non_null(changes);
  for (size_t i = 0; i < double_log_count; i++) {
    int64_t size = (int64_t)double_log[i].size;
    changes[2 * i] = (struct change){double_log[i].t0, size};
    changes[2 * i + 1] = (struct change){double_log[i].t1, -size};
  }
  qsort(changes, 2 * double_log_count, sizeof *changes, by_time);
  for (size_t i = 0; i < 2 * double_log_count; i++) {
    bytes += changes[i].bytes;
    if (bytes > peak) {
      peak = bytes;
      *time = changes[i].time;
    }
  }
  free(changes);
  return (uint64_t)peak;
}

static void many_threads(void **state) {
  pthread_t threads[THREADS];
  uint64_t time = 0;
  double_no_barrier = *state != NULL;
  for (uintptr_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)(i + 1)),
                     0);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (unsigned i = 0; i < HELD; i++) {
    if (held[i])
      deallocate(held[i]);
    held[i] = NULL;
  }
  struct hp_dump_totals t = totals();
  assert_int_equal(t.allocations, THREADS * ROUNDS);
  assert_int_equal(t.frees, THREADS * ROUNDS);
  assert_int_equal(double_log_count, THREADS * ROUNDS);
  assert_int_equal(t.late_events, 0);
  assert_int_equal(t.late_bytes, 0);
  assert_false(double_log_disorder);
  assert_true(t.drains > THREADS * ROUNDS / HP_ENDS / 2);
  assert_int_equal(t.peak_bytes, offline_peak(&time));
  assert_int_equal(t.peak_time, time);
  double_no_barrier = false;
}

/* ---- threads that do not come out ---------------------------------------- */

/* What a thread may still append is later than its last event, which says more
   than a clock that stands still. */
static void a_thread_that_comes_in(void **state) {
  (void)state;
  static struct hp_thread thread;
  const uint64_t future = hp_clock_now() << 1;
  thread.last_event = future;
  assert_true(hp_gate_enter(&thread) == 0);
  assert_true(thread.events.entered == future);
  thread.last_event = future + 1;
  assert_true(hp_gate_enter(&thread) == future); /* a handler */
  assert_true(thread.events.entered == future);
  thread.events.entered = 0;
  thread.last_event = 1;
  assert_true(hp_gate_enter(&thread) == 0);
  assert_true(thread.events.entered > 1 && thread.events.entered < future);
}

/* A handler left an allocation by longjmp: it is never over, and what the
   thread does from then on looks like a handler's. */
static void an_operation_that_is_never_over(void **state) {
  (void)state;
  struct hp_thread *self = hp_thread_get();
  struct hp_events *events = &self->events;
  uint64_t outer = hp_gate_enter(self);
  assert_int_equal(outer, 0);
  hp_events_reserve(&events->begins_reserved); /* and never filled */
  for (unsigned i = 0; i < 3 * HP_ENDS; i++)
    deallocate(allocate(i));
  struct hp_dump_totals t = totals();
  assert_int_equal(t.allocations, 3 * HP_ENDS);
  assert_int_equal(t.frees, 3 * HP_ENDS);
  assert_false(double_log_disorder);
  hp_gate_leave(self, outer, HP_ANY_EVENT);
}

/* So many handlers came in the middle of an allocation that the rings were
   full: its own event, which comes after theirs, is not lost. */
static void an_operation_among_many_handlers(void **state) {
  (void)state;
  struct hp_thread *self = hp_thread_get();
  struct hp_events *events = &self->events;
  uint64_t outer = hp_gate_enter(self);
  uint64_t now = hp_clock_now();
  uint32_t index = hp_events_reserve(&events->begins_reserved);
  for (unsigned i = 0; i < HP_ENDS; i++)
    deallocate(allocate(i));
  struct hp_begin_event *slot = &events->begins[index % HP_BEGINS];
  assert_true(events->ends_taken > 0 && slot->t0 == 0);
  slot->size = 1;
  slot->point = 0;
  slot->thread = 1;
  __atomic_store_n(&slot->t0, now, __ATOMIC_RELEASE);
  hp_gate_leave(self, outer, HP_ANY_EVENT);
  struct hp_dump_totals t = totals();
  assert_int_equal(t.allocations, HP_ENDS + 1);
  assert_int_equal(t.frees, HP_ENDS);
  assert_false(double_log_disorder);
}

static bool is_inside, may_leave;

static void *stay_inside(void *unused) {
  struct hp_thread *self = hp_thread_get();
  struct hp_events *events = &self->events;
  uint64_t outer = hp_gate_enter(self);
  uint64_t now = hp_clock_now();
  __atomic_store_n(&is_inside, true, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&may_leave, __ATOMIC_ACQUIRE))
    usleep(1000);
  hp_events_begin(events, now, 1, 0, 1);
  hp_gate_leave(self, outer, HP_ANY_EVENT);
  hp_thread_end();
  return unused;
}

/* Others wait for it, but not for ever; then its event is late, and counted. */
static void a_thread_that_stays_inside(void **state) {
  (void)state;
  pthread_t thread;
  is_inside = may_leave = false;
  assert_int_equal(pthread_create(&thread, NULL, stay_inside, NULL), 0);
  while (!__atomic_load_n(&is_inside, __ATOMIC_ACQUIRE))
    usleep(1000);
  for (unsigned i = 0; i < 2 * HP_ENDS; i++)
    deallocate(allocate(i));
  __atomic_store_n(&may_leave, true, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  struct hp_dump_totals t = totals();
  assert_int_equal(t.allocations, 2 * HP_ENDS + 1);
  assert_int_equal(t.late_events, 1);
  assert_int_equal(t.late_bytes, 1);
  assert_true(t.back_pressure > 0);
}

/* What was passed on by force was passed on: a thread that came in since, by the
   coarse clock before that, takes nothing back. */
static void the_moment_never_steps_back(void **state) {
  (void)state;
  struct hp_events *events = &hp_thread_get()->events;
  deallocate(allocate(1));
  uint64_t end = totals().end;
  events->entered = end / 2;
  hp_collector_drain(false);
  events->entered = 0;
  struct hp_dump_totals t = {0};
  hp_collector_totals(&t);
  assert_true(t.end >= end);
}

/* ---- what is not wanted, and what is moved ------------------------------- */

static void nothing_is_kept_that_nobody_wants(void **state) {
  (void)state;
  assert_true(hp_collector_start(false));
  for (unsigned i = 0; i < 2 * HP_ENDS; i++)
    deallocate(allocate(i));
  assert_int_equal(totals().allocations, 0);
  assert_int_equal(double_log_count, 0);
}

static int start(void **state) {
  (void)state;
  double_sleep_least = 1000000; /* for threads that wait for a processor */
  double_start();
  return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, begin_window)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_only_thread_is_looked_at),
      TEST(many_threads),
      {"many_threads without a barrier", many_threads, begin_window, NULL,
       (void *)1},
      TEST(a_thread_that_comes_in),
      TEST(an_operation_that_is_never_over),
      TEST(an_operation_among_many_handlers),
      TEST(a_thread_that_stays_inside),
      TEST(the_moment_never_steps_back),
      TEST(nothing_is_kept_that_nobody_wants),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
