/* fork.c - see fork.h: one table of locks, taken from above, released from
   below, and the parts that a child begins anew.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/fork.h"

#include "chunk/allocator_totals.h"
#include "chunk/live_bytes.h"
#include "chunk/stale_pages.h"
#include "dump/dump.h"
#include "encode/encode.h"
#include "heap/primary.h"
#include "heap/secondary.h"
#include "leak/leak_hint.h"
#include "origin/module.h"
#include "process/allocation_locks.h"
#include "process/demand.h"
#include "process/exit.h"
#include "process/fork_hold.h"
#include "process/own_profile.h"
#include "process/runtime_threads.h"
#include "profile/collector.h"
#include "profile/log.h"
#include "system/arena.h"
#include "system/forbidden_calls.h"
#include "system/signal_mask.h"
#include "system/spare.h"
#include "thread/gate.h"
#include "thread/thread.h"
#include "thread/thread_end.h"
#include "thread/thread_state.h"
#include "thread/writer.h"

/* Whoever needs two of these takes the one that stands first here first. */
static const struct lock {
  void (*take)(void), (*release)(void);
} locks[] = {
    {hp_profile_lock, hp_profile_unlock},
    {hp_writer_before_fork, hp_writer_after_fork_parent},
    {hp_thread_end_lock, hp_thread_end_unlock},
    {hp_collector_lock, hp_collector_unlock},
    {hp_writer_lock_start, hp_writer_unlock_start},
    {hp_log_lock, hp_log_unlock},
    {hp_modules_lock, hp_modules_unlock},
    {hp_threads_lock, hp_threads_unlock},
    {hp_allocation_lock, hp_allocation_unlock},
    {hp_bytes_lock, hp_bytes_unlock},
    {hp_arenas_lock, hp_arenas_unlock},
};
enum {
  COUNT = sizeof locks / sizeof *locks,
  OF_THREADS = 2 /* those before it are begun anew by their own parts */
};

static void take_all(void) {
  for (size_t i = 0; i < COUNT; i++)
    locks[i].take();
}

static void release_from(size_t first) {
  for (size_t i = COUNT; i-- > first;)
    locks[i].release();
}

static void release_all(void) { release_from(0); }

/* Held from before until after fork: no handler of the program may run while
   the runtime's locks are taken.  By thread: what another one took may have
   been given up (fork_hold.h). */
static HP_THREAD_LOCAL uint64_t signals_around_fork;

HP_ALIGNS_STACK void hp_fork_begins(void) {
  hp_sys_block_signals(&signals_around_fork);
  hp_fork_hold(take_all, release_all);
}

HP_ALIGNS_STACK void hp_fork_ended(void) {
  uint64_t saved = signals_around_fork;
  hp_allocator_forked();
  if (hp_fork_hold_end())
    release_all();
  hp_sys_restore_signals(&saved);
}

void hp_fork_ended_in_copy(void) {
  hp_proxy_forget();
  hp_profile_note_copy();
  hp_fork_ended();
}

/* Forgets what other threads counted and were about to say. */
static void forget_threads(void) {
  for (struct hp_thread *t = hp_threads_all(); t; t = t->next)
    hp_events_forget(&t->events);
  hp_live_after_fork_child(hp_thread_self);
  hp_threads_after_fork_child();
}

HP_ALIGNS_STACK static void after_fork_in_child(void) {
  uint64_t saved = signals_around_fork;
  hp_proxy_forget();
  bool whole = hp_fork_hold_end_in_child();
  forget_threads();
  release_from(OF_THREADS);
  hp_writer_after_fork_child();
  hp_dump_after_fork();
  hp_gate_reset();
  if (!whole) { /* other threads went on while the kernel copied memory */
    hp_primary_forget_free();
    hp_secondary_forget_free();
  }
  hp_leak_hint_after_fork_child();
  hp_spare_after_fork_child();
  hp_stale_pages_forget();
  hp_allocator_after_fork_child();
  hp_demand_after_fork_child();
  hp_exit_after_fork_child();
  hp_profile_after_fork_child(whole);
  hp_runtime_threads_after_fork_child();
  hp_sys_restore_signals(&saved);
}

/* pthread_atfork, but for handlers of nobody's: exit takes away those of the
   program, and of our library, with their destructors, and other threads fork
   on, one of them perhaps between two handlers. */
int __register_atfork(void (*prepare)(void), void (*parent)(void),
                      void (*child)(void), void *library);

bool hp_fork_start(void) {
  return __register_atfork(hp_fork_begins, hp_fork_ended, after_fork_in_child,
                           NULL) == 0;
}
