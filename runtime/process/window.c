/* window.c - see window.h: takes down with the collector's lock what a dump says
   of a moment, has it written, and sets when the next checkpoint is due.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/window.h"

#include "chunk/allocator_totals.h"
#include "chunk/beside.h"
#include "chunk/contents.h"
#include "chunk/free_stack.h"
#include "chunk/mapping.h"
#include "chunk/members.h"
#include "chunk/pools.h"
#include "chunk/quick_chunk.h"
#include "chunk/sample.h"
#include "chunk/stale_pages.h"
#include "dump/dump.h"
#include "dump/dump_write.h"
#include "dump/log_file.h"
#include "dump/process_memory.h"
#include "dump/snapshot.h"
#include "encode/block_maker.h"
#include "heap/primary.h"
#include "options/options.h"
#include "origin/stack_check.h"
#include "process/stats.h"
#include "profile/aggregate.h"
#include "profile/collector.h"
#include "profile/live_view.h"
#include "profile/log.h"
#include "system/limit.h"
#include "system/signal_mask.h"
#include "system/spare.h"
#include "thread/event.h"
#include "thread/ticker.h"
#include "thread/writer.h"

/* Checkpoints take at most 1/CHECKPOINT_SHARE of the time: where they are slow they
   are made less often than asked for, down to 1/CHECKPOINT_RARER as often.  Without
   events each pause is twice the one before, CHECKPOINT_IDLE times. */
#define CHECKPOINT_SHARE 50u
#define CHECKPOINT_RARER 100u
#define CHECKPOINT_IDLE 6u

static struct {
  uint32_t number;
  uint64_t events_before; /* those passed on by the last checkpoint */
  unsigned idle;          /* checkpoints since then without any */
} window;

static void set_due(uint64_t ticks) {
  __atomic_store_n(&hp_events_due, ticks, __ATOMIC_RELAXED);
}

/* From one checkpoint to the next, at least. */
static uint64_t checkpoint_ticks(void) {
  if (!hp_options.checkpoint_ms || !hp_events_wanted)
    return INT64_MAX;
  return hp_clock_ticks_per_second() / 1000 *
         (uint64_t)hp_options.checkpoint_ms;
}

void hp_window_look_at_memory(void) {
  if (!hp_events_wanted || !hp_writer_is_ours())
    return;
  if (hp_stale_pages_due())
    hp_stale_pages_look();
  else
    hp_process_memory_look(false);
}

/* After so many steps of the coarse clock the system is asked how much is resident:
   each time that a slow ticker wakes, which may be a little early. */
#define MEMORY_STEPS (HP_TICKER_SLOW - 1)

void hp_window_look_around(void) {
  static uint64_t looked;
  const uint64_t now = hp_clock_now();
  if (now - looked >= MEMORY_STEPS * hp_clock_period && hp_events_wanted) {
    looked = now;
    if (hp_process_memory_watch() || hp_stale_pages_due())
      hp_writer_ask(HP_WRITE_MEMORY);
  }
  hp_window_look();
}

/* The time of the next one is set when this one is written. */
void hp_window_look(void) {
  uint64_t due = __atomic_load_n(&hp_events_due, __ATOMIC_RELAXED);
  if (hp_clock_now() > due &&
      __atomic_compare_exchange_n(&hp_events_due, &due, UINT64_MAX, false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    hp_writer_ask(HP_WRITE_CHECKPOINT);
}

/* The binary logarithm of how much longer the next pause is: a program that no
   longer allocates shall not keep the disk awake. */
static unsigned note_idle(void) {
  uint64_t events = hp_collector_events();
  unsigned idle = __atomic_load_n(&window.idle, __ATOMIC_RELAXED);
  if (events != window.events_before)
    idle = 0;
  else if (idle < CHECKPOINT_IDLE)
    idle++;
  window.events_before = events;
  __atomic_store_n(&window.idle, idle, __ATOMIC_RELAXED);
  return idle;
}

/* The program allocates again: the next checkpoint is due after a usual pause. */
static void end_idleness(void) {
  uint64_t due = __atomic_load_n(&hp_events_due, __ATOMIC_RELAXED);
  uint64_t soon = hp_clock_now() + checkpoint_ticks();
  __atomic_store_n(&window.idle, 0, __ATOMIC_RELAXED);
  if (due != UINT64_MAX && due > soon)
    __atomic_compare_exchange_n(&hp_events_due, &due, soon, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void sum_up(struct hp_dump_totals *totals) {
  hp_allocator_totals(totals);
  hp_collector_totals(totals);
}

void hp_window_checkpoint(void) {
  uint64_t begun = hp_clock_now();
  hp_spare_keep();
  struct hp_dump_totals totals = {.reason = "checkpoint", .exit_status = -1};
  hp_window_look_at_memory();
  hp_collector_lock();
  bool wanted = hp_events_wanted && hp_writer_is_ours();
  bool possible = wanted && hp_spare_is_untouched();
  if (possible) {
    hp_log_resume();
    hp_collector_drain(false);
    sum_up(&totals);
    hp_dump_take(HP_DUMP_CHECKPOINT, &totals, &hp_live_view);
  }
  hp_collector_unlock();
  if (!wanted)
    return;
  if (possible)
    hp_dump_write_checkpoint();
  uint64_t now = hp_clock_now(), pause = checkpoint_ticks();
  uint64_t rest = (now - begun) * CHECKPOINT_SHARE;
  if (rest > pause * CHECKPOINT_RARER) /* perhaps it only had no processor */
    rest = pause * CHECKPOINT_RARER;
  if (rest < pause)
    rest = pause;
  set_due(hp_add_saturated(now, rest << note_idle()));
}

void hp_window_write_log(void) {
  hp_spare_keep();
  if (hp_spare_is_untouched())
    hp_log_write(hp_log_filled());
}

/* A ring of the calling thread is full, or a checkpoint is due. */
static void empty(struct hp_events *mine) {
  uint64_t saved;
  hp_sys_block_signals(&saved); /* a handler might want the lock, too */
  hp_window_look();
  hp_collector_empty(mine);
  if (__atomic_load_n(&window.idle, __ATOMIC_RELAXED))
    end_idleness();
  hp_writer_help(false);
  hp_sys_restore_signals(&saved);
}

/* ---- jobs of the writer's thread ------------------------------------------ */

/* The thread that waits for this job holds the load map's lock, so that the
   writer's thread may read the map. */
static void look_at_memory(void *unused) {
  (void)unused;
  hp_stale_pages_look();
  hp_process_memory_look(true);
}
static void write_copy(void *done) { *(bool *)done = hp_dump_write_copy(); }
static void write_last(void *written) { hp_dump_write_last(written); }
static void discard(void *unused) {
  (void)unused;
  hp_dump_discard();
}

/* Takes down what the dump says, with the writer's lock and the collector's.  WAITS:
   chunks that do not fit into the log's buffers wait for the disk, as the caller
   does. */
static void take_all(enum hp_dump_kind kind, struct hp_dump_totals *totals,
                     bool waits) {
  hp_log_resume();
  hp_log_wait(waits ? hp_log_write : NULL);
  hp_collector_drain(true);
  hp_log_wait(NULL);
  if (!totals)
    return;
  sum_up(totals);
  totals->allocator = hp_beside_path();
  if (totals->check_leaks)
    totals->leak_check = totals->check_leaks();
  hp_dump_take(kind, totals, &hp_live_view);
}

/* Opens the dump's directory before the program changes its root.  A thread whose
   descriptors the program sees keeps none open: it writes by paths, which would
   lead elsewhere then, so that there is nothing to begin. */
static void begin(void *unused) {
  (void)unused;
  if (hp_writer_owns_files())
    hp_dump_current();
}

static void begin_last(void *unused) {
  (void)unused;
  hp_dump_current();
}

void hp_window_begin_dump(void) {
  hp_writer_lock();
  hp_spare_give();
  hp_writer_run(begin, NULL);
  hp_spare_take();
  hp_writer_unlock();
}

void hp_window_take(struct hp_dump_totals *totals, bool waits) {
  hp_writer_lock();
  hp_writer_run(look_at_memory, NULL);
  hp_spare_give();
  hp_collector_lock();
  take_all(HP_DUMP_COPY, totals, waits);
  hp_collector_unlock();
}

bool hp_window_write(void) {
  bool done = false;
  hp_writer_run(write_copy, &done);
  hp_spare_take();
  hp_writer_unlock();
  return done;
}

static bool has_mapped(void) {
  hp_mappings_lock();
  const bool any = hp_mapping_total(HP_MAPPED_maps) != 0;
  hp_mappings_unlock();
  return any;
}

bool hp_window_has_events(void) {
  struct hp_dump_totals totals = {0};
  hp_collect_all();
  hp_allocator_totals(&totals);
  return hp_collector_events() || totals.inherited_frees || totals.requests ||
         has_mapped();
}

void hp_window_finish(struct hp_dump_totals *totals) {
  struct hp_dump_written written;
  hp_writer_lock();
  if (totals)
    hp_writer_run(look_at_memory, NULL);
  hp_primary_release_free(); /* what the dump takes has room there */
  const struct hp_lifted_limits lifted = hp_limits_lift();
  hp_spare_give();
  hp_dump_set_last();
  hp_block_makers_keep(!hp_memory_is_limited());
  /* First what the dump cannot be without: all else may be left out. */
  if (totals && hp_memory_is_limited())
    hp_writer_run(begin_last, NULL);
  hp_collector_lock();
  take_all(HP_DUMP_LAST, totals, true);
  hp_events_wanted = false;
  hp_quick_look();
  set_due(UINT64_MAX);
  hp_collector_unlock();
  hp_writer_run(totals ? write_last : discard, totals ? &written : NULL);
  if (totals && hp_options.stats)
    hp_stats_print(totals, &written);
  if (totals && hp_options.check_stacks)
    hp_stack_check_print();
  hp_collector_lock();
  hp_dump_start();
  hp_collector_unlock();
  hp_block_makers_keep(false);
  hp_spare_take();
  hp_limits_put_back(&lifted);
  hp_writer_unlock();
}

/* ---- the window ---------------------------------------------------------- */

static bool start(bool wanted) {
  window.events_before = 0;
  window.idle = 0;
  hp_writer_own();
  hp_dump_start();
  hp_contents_start();
  hp_members_start();
  hp_free_stacks_start();
  hp_mappings_start();
  hp_pools_start();
  bool started = hp_collector_start(wanted);
  set_due(hp_clock_now() + checkpoint_ticks());
  hp_events_empty = empty;
  __atomic_store_n(&window.number, window.number + 1, __ATOMIC_RELEASE);
  return started;
}

bool hp_window_start(bool wanted) {
  hp_writer_lock();
  hp_collector_lock();
  bool started = start(wanted);
  hp_collector_unlock();
  hp_writer_unlock();
  hp_quick_look();
  return started;
}

uint32_t hp_window_number(void) {
  return __atomic_load_n(&window.number, __ATOMIC_ACQUIRE);
}
