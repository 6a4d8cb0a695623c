/* meter_count.c - see meter_count.h: the record, the table of live chunks, the samples.
   A chunk is taken out of the table before it is freed, since another thread may get its address at once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/meter_count.h"

#include "allocator_meter/live_table.h"
#include "allocator_meter/meter_arenas.h"
#include "allocator_meter/meter_next.h"
#include "allocator_meter/meter_sample.h"
#include "allocator_meter/spin_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ADD(member, value)                                                     \
  __atomic_fetch_add(&(member), value, __ATOMIC_RELAXED)
#define SUBTRACT(member, value)                                                \
  __atomic_fetch_sub(&(member), value, __ATOMIC_RELAXED)
#define READ(member) __atomic_load_n(&(member), __ATOMIC_RELAXED)

static struct hp_meter_record *record; /* NULL: nothing is measured here */
static struct hp_meter_live_table live;
static struct hp_spin_lock sampling;
static uint64_t next_sample; /* number of the event */
static bool started;
static __thread int depth __attribute__((tls_model("initial-exec")));

/* ---- time ------------------------------------------------------------------ */

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return now_ns();
#endif
}

/* What stands between the two looks at the clock when nothing does. */
static uint64_t timer_ticks(void) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 1000; i++) {
    uint64_t begin = ticks(), time = ticks() - begin;
    if (time < least)
      least = time;
  }
  return least;
}

/* ---- samples --------------------------------------------------------------- */

/* Every second one goes, and they become twice as rare. */
static void thin(void) {
  for (uint32_t i = 0; i < HP_METER_SAMPLES / 2; i++)
    record->samples[i] = record->samples[2 * i + 1];
  record->sample_count = HP_METER_SAMPLES / 2;
  record->sample_every *= 2;
}

/* SAMPLING is ours. */
static void take_sample(void) {
  struct hp_meter_sample sample = {.at_ns = now_ns() - record->begin_ns,
                                   .events = READ(record->events),
                                   .live_bytes = READ(record->live_bytes),
                                   .usable_bytes = READ(record->usable_bytes),
                                   .chunks = READ(record->chunks)};
  if (record->sample_count == HP_METER_SAMPLES)
    thin();
  if (hp_meter_look(&live, &sample)) {
    record->samples[record->sample_count] = sample;
    record->sample_count++;
  } else {
    record->lost_samples++;
  }
  record->last_ticks = ticks();
  record->last_ns = now_ns();
}

static void sample_at(uint64_t event) {
  if (event < __atomic_load_n(&next_sample, __ATOMIC_RELAXED) ||
      record->ended || !hp_spin_lock_try(&sampling))
    return;
  if (event >= next_sample) {
    take_sample();
    __atomic_store_n(&next_sample, event + record->sample_every,
                     __ATOMIC_RELAXED);
  }
  hp_spin_lock_give(&sampling);
}

/* ---- begin and end --------------------------------------------------------- */

static void stop_in_child(void) { record = NULL; }

static struct hp_meter_record *map_record(const char *path) {
  struct hp_meter_record *mapped = MAP_FAILED;
  int fd =
      (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    return NULL;
  if (syscall(SYS_lseek, fd, 0, SEEK_END) == (long)sizeof *mapped)
    mapped =
        mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  return mapped == MAP_FAILED ? NULL : mapped;
}

/* Another program in the same process begins anew. */
static void begin_record(struct hp_meter_record *mapped) {
  int64_t pid = mapped->pid;
  uint32_t images = mapped->images + 1;
  memset(mapped, 0, sizeof *mapped);
  mapped->pid = pid;
  mapped->images = images;
  mapped->size = sizeof *mapped;
  strncpy(mapped->library, hp_next_library(), sizeof mapped->library - 1);
  mapped->timer_ticks = timer_ticks();
  mapped->sample_every = next_sample = HP_METER_SAMPLE_FIRST;
  mapped->begin_ns = mapped->last_ns = now_ns();
  mapped->begin_ticks = mapped->last_ticks = ticks();
  mapped->magic = HP_METER_MAGIC;
}

/* By the first call, or as the library is loaded. */
static void start(void) {
  const char *path = getenv(HP_METER_VARIABLE);
  started = true;
  struct hp_meter_record *mapped = path ? map_record(path) : NULL;
  if (!mapped)
    return;
  if (mapped->pid != (int64_t)getpid()) { /* a program that it started */
    munmap(mapped, sizeof *mapped);
    return;
  }
  hp_meter_look_first();
  pthread_atfork(NULL, NULL, stop_in_child);
  begin_record(mapped);
  record = mapped;
}

__attribute__((constructor)) static void start_with_library(void) {
  int saved = errno;
  if (hp_next_ready() && !started) {
    depth++;
    start();
    depth--;
  }
  errno = saved;
}

static void end_record(void) {
  if (!record || record->ended || READ(record->pid) != (int64_t)getpid())
    return;
  /* A handler of a signal may be what ends a process that is in its allocator. */
  bool outside = depth++ == 0;
  hp_spin_lock_take(&sampling);
  take_sample();
  if (outside)
    hp_meter_look_at_arenas(&record->arenas);
  record->ended = 1;
  hp_spin_lock_give(&sampling);
  depth--;
}

__attribute__((destructor)) static void end_with_library(void) { end_record(); }

_Noreturn static void end_process(int status) {
  end_record();
  for (;;)
    syscall(SYS_exit_group, status);
}

/* Which run no destructors. */
__attribute__((visibility("default"))) _Noreturn void _exit(int status) {
  end_process(status);
}
__attribute__((visibility("default"))) _Noreturn void _Exit(int status) {
  end_process(status);
}

/* ---- a call ---------------------------------------------------------------- */

/* Some allocators know nothing of their first chunks. */
static uint64_t usable_of(void *chunk, uint64_t bytes) {
  uint64_t usable =
      hp_next.malloc_usable_size ? hp_next.malloc_usable_size(chunk) : 0;
  return usable < bytes ? bytes : usable;
}

struct hp_count hp_count_begin(enum hp_meter_function function, void *old) {
  struct hp_count count = {.function = function};
  if (depth++ == 0) {
    int saved = errno;
    if (!started)
      start();
    count.counts = record != NULL;
    if (count.counts && old)
      count.old_known = hp_meter_take(&live, (uintptr_t)old, &count.old);
    errno = saved;
    count.begin = ticks();
  }
  return count;
}

static void count_call(const struct hp_count *count, uint64_t time,
                       size_t bytes) {
  struct hp_meter_call *call = &record->functions[count->function];
  ADD(call->calls, 1);
  ADD(call->bytes, bytes);
  ADD(call->ticks, time);
  ADD(call->buckets[hp_meter_bucket(time)], 1);
}

static void subtract_old(const struct hp_count *count) {
  if (!count->old_known) {
    ADD(record->unknown_frees, 1);
    return;
  }
  SUBTRACT(record->live_bytes, count->old.bytes);
  SUBTRACT(record->usable_bytes, count->old.usable);
  SUBTRACT(record->chunks, 1);
  ADD(record->frees, 1);
}

static void remember(void *chunk, uint64_t bytes) {
  struct hp_meter_live_chunk made = {(uintptr_t)chunk, bytes,
                                     usable_of(chunk, bytes)};
  if (!hp_meter_put(&live, &made)) {
    ADD(record->lost_chunks, 1);
    return;
  }
  uint64_t live_bytes = ADD(record->live_bytes, bytes) + bytes;
  uint64_t peak = READ(record->peak_live_bytes);
  ADD(record->usable_bytes, made.usable);
  ADD(record->chunks, 1);
  ADD(record->allocations, 1);
  while (live_bytes > peak && !__atomic_compare_exchange_n(
                                  &record->peak_live_bytes, &peak, live_bytes,
                                  true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

void hp_count_made(struct hp_count *count, void *chunk, size_t bytes,
                   void *old) {
  if (!count->counts)
    return;
  uint64_t time = ticks() - count->begin;
  int saved = errno;
  uint64_t events = (uint64_t)(old != NULL) + (chunk != NULL);
  count_call(count, time, bytes);
  if (!chunk && old) { /* it lives on */
    if (count->old_known && !hp_meter_put(&live, &count->old))
      ADD(record->lost_chunks, 1);
    events = 0;
  } else if (old) {
    subtract_old(count);
  }
  if (chunk)
    remember(chunk, bytes);
  if (events)
    sample_at(ADD(record->events, events) + events);
  errno = saved;
}

void hp_count_gone(struct hp_count *count, void *old) {
  if (!count->counts)
    return;
  uint64_t time = ticks() - count->begin;
  int saved = errno;
  count_call(count, time, 0);
  if (old) {
    subtract_old(count);
    sample_at(ADD(record->events, 1) + 1);
  }
  errno = saved;
}

void hp_count_leave(struct hp_count *count) {
  (void)count;
  depth--;
}
