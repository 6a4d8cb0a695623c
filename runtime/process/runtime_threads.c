/* runtime_threads.c - see runtime_threads.h: the table of what the ticker looks
   at, and the ends and beginnings of both threads.  Everything keeps errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/runtime_threads.h"

#include <errno.h>

#include "chunk/quick_chunk.h"
#include "chunk/request.h"
#include "dump/dump.h"
#include "options/options.h"
#include "process/demand.h"
#include "process/fork_hold.h"
#include "process/own_profile.h"
#include "process/window.h"
#include "system/message.h"
#include "system/signal_mask.h"
#include "system/waiting.h"
#include "thread/ticker.h"
#include "thread/writer.h"

static void help_writer(void) { hp_writer_help(true); }

static void (*const looks[])(void) = {hp_fork_hold_look, hp_demand_look,
                                      hp_window_look_around, help_writer, NULL};

static const struct hp_writer_jobs jobs = {
    hp_window_write_log,      hp_window_checkpoint, hp_demand_dump,
    hp_window_look_at_memory, hp_dump_let_go,       hp_dump_follow_user};

void hp_runtime_threads_watch(void) { hp_ticker_watch(looks); }

/* In a program without hooks no access asks the coarse clock, and to be woken at each
   step is most of what a program costs that allocates little. */
void hp_runtime_threads_pace(void) {
  const bool waits_for_sums =
      hp_options.dump_at_bytes || hp_options.dump_at_allocations;
  hp_ticker_pace(hp_access_hooked || waits_for_sums ? 1 : HP_TICKER_SLOW);
}

/* Some programs end themselves if they have more threads than they began, as the process
   does of which Chromium makes others, and each has a malloc of its own. */
static bool spared;

void hp_runtime_threads_spare(void) { spared = !hp_demand_needs_thread(); }
bool hp_runtime_threads_are_spared(void) { return spared; }

/* Threads of the program may make such calls at once: how many of them, and the profile's
   lock says who looks. */
static unsigned away;

/* Whoever calls this may have the linker's lock, for which who has the profile waits.
   No fork comes in between, so that a child has its ticker by fork's handlers. */
bool hp_runtime_threads_need(void) {
  if (!hp_profile_is_ours())
    return false;
  int saved_errno = errno;
  uint64_t saved_signals;
  hp_sys_block_signals(&saved_signals);
  const bool done = hp_profile_try_lock();
  if (done) {
    const bool first = spared;
    spared = false;
    if (first)
      hp_runtime_threads_begin();
    hp_profile_unlock();
  }
  hp_sys_restore_signals(&saved_signals);
  errno = saved_errno;
  return done;
}

void hp_runtime_threads_begin(void) {
  hp_sys_barrier_begin(); /* while the process may still have one thread */
  hp_writer_start(&jobs);
  hp_runtime_threads_pace();
  if (spared || away) /* events renew the coarse clock, if there are any */
    return;
  if (hp_options.exact_time && !hp_demand_needs_thread() &&
      !hp_options.checkpoint_ms)
    return;
  const bool ticks = hp_ticker_start();
  hp_quick_look();
  if (!ticks && hp_demand_needs_thread() && hp_profile_is_wanted())
    hp_sys_warn("no thread can be started, so no dump is written on demand but "
                "by __heapprof_dump(); raise the limit of threads (ulimit -u)");
}

void hp_runtime_threads_after_fork_child(void) {
  away = 0;
  hp_runtime_threads_begin();
}

static void make_way(void) {
  if (away++)
    return;
  hp_ticker_end();
  hp_writer_end();
}

static void come_back(void) {
  if (away && !--away)
    hp_runtime_threads_begin();
}

static void with_lock(void (*what)(void)) {
  if (!hp_profile_is_ours())
    return;
  int saved_errno = errno;
  uint64_t saved_signals;
  hp_sys_block_signals(&saved_signals);
  hp_profile_lock();
  what();
  hp_profile_unlock();
  hp_sys_restore_signals(&saved_signals);
  errno = saved_errno;
}

void hp_runtime_threads_end(void) { with_lock(make_way); }
void hp_runtime_threads_start(void) { with_lock(come_back); }
