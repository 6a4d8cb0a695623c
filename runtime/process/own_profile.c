/* own_profile.c - see own_profile.h: one lock, and the steps of an end, a dump
   and a new window in their order.  Everything here keeps errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/own_profile.h"

#include <errno.h>
#include <sys/syscall.h>

#include "chunk/allocator_totals.h"
#include "chunk/overrun.h"
#include "chunk/page_facts.h"
#include "chunk/quick_chunk.h"
#include "chunk/request.h"
#include "chunk/resizes.h"
#include "chunk/stale_pages.h"
#include "chunk/watch.h"
#include "dump/dump.h"
#include "encode/dump_failure.h"
#include "heap/area.h"
#include "heap/beside_table.h"
#include "heap/primary.h"
#include "heap/secondary.h"
#include "heap/unreserve.h"
#include "leak/reachability.h"
#include "options/options.h"
#include "origin/call_stack.h"
#include "origin/module.h"
#include "process/window.h"
#include "profile/marks.h"
#include "system/arena.h"
#include "system/clock.h"
#include "system/forbidden_calls.h"
#include "system/limit.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/signal_mask.h"
#include "system/spare.h"
#include "system/stopped_world.h"
#include "thread/gate.h"
#include "thread/writer.h"

static struct {
  struct hp_lock lock;
  int pid;       /* whose profile it is; 0: there is none yet */
  int copy;      /* a process with memory of its own that has none */
  bool is_child; /* forked */
  bool wanted;   /* dumps are written */
  bool bypassed; /* the program has a malloc of its own, which was not said */
  bool ended;
  bool has_status; /* by exit or _exit, if it did */
  uint32_t dumps;  /* written on demand */
} profile;

/* The thread that ends the process by exit, as it called; id 0: none does. */
static struct hp_sys_stopped exiting;
static bool exit_is_noted;

/* What take_profile() keeps of the calling thread. */
struct taken {
  int saved_errno;
  uint64_t signals; /* its mask */
};

bool hp_profile_is_ours(void) {
  int pid = __atomic_load_n(&profile.pid, __ATOMIC_ACQUIRE);
  return pid && hp_sys_pid() == pid;
}

bool hp_profile_is_wanted(void) {
  return hp_profile_is_ours() && profile.wanted;
}

bool hp_profile_will_be_written(void) {
  return hp_profile_is_wanted() && !profile.ended && hp_options.dump_at_exit;
}

void hp_profile_lock(void) { hp_lock_take(&profile.lock); }
bool hp_profile_try_lock(void) { return hp_lock_try(&profile.lock); }
void hp_profile_unlock(void) { hp_lock_release(&profile.lock); }

/* Takes the load map and closes the gate, in this order: a thread in dlopen,
   whose lock the load map needs, may wait at the gate. */
static bool close_gate(void) {
  const bool unloaded = hp_modules_update();
  hp_modules_lock();
  hp_gate_close(true);
  return unloaded;
}

static void open_gate(void) {
  hp_gate_open();
  hp_modules_unlock();
}

/* For a thread of the program: takes the profile if it is this process's and
   goes on, with the allocator empty of other threads.  No handler of a signal
   runs until it is released: one that calls _exit would wait for its own
   thread; and another thread's _exit must wait until the dump is whole. */
static bool take_profile(struct taken *taken) {
  if (!hp_profile_is_ours())
    return false;
  taken->saved_errno = errno;
  hp_sys_block_signals(&taken->signals);
  hp_lock_take(&profile.lock);
  if (!profile.ended) {
    if (close_gate())
      hp_unwind_forget();
    return true;
  }
  hp_lock_release(&profile.lock);
  hp_sys_restore_signals(&taken->signals);
  errno = taken->saved_errno;
  return false;
}

static void release_profile(const struct taken *taken) {
  open_gate();
  hp_lock_release(&profile.lock);
  hp_sys_restore_signals(&taken->signals);
  errno = taken->saved_errno;
}

static const char *check_leaks(void) {
  if (hp_forbids_linker() || hp_forbids(SYS_openat))
    return "the program has forbidden system calls that it needs (seccomp)";
  if (__atomic_load_n(&exiting.id, __ATOMIC_ACQUIRE))
    return hp_reachability_check(&exiting);
  return profile.has_status ? "the process ended by _exit"
                            : "the process did not end by exit";
}

/* A malloc of the program's own that wraps ours is profiled, so only now is it
   known; each forked child would say the same. */
static void say_nothing_was_seen(const struct hp_dump_totals *totals) {
  if (!profile.bypassed || totals->allocations || totals->requests)
    return;
  profile.bypassed = false;
  if (!hp_dump_say_unseen(hp_sys_executable_path()))
    hp_sys_warn("the program has a malloc of its own, so what it allocates was "
                "not profiled; build it without that to profile it");
}

/* With the profile's lock and the gate closed. */
static void finish(const char *reason, int status, bool is_told) {
  struct hp_dump_totals totals = {.reason = reason, .exit_status = status};
  bool kept = is_told && profile.wanted && hp_options.dump_at_exit;
  if (kept && hp_options.leak_check)
    totals.check_leaks = check_leaks;
  profile.ended = true;
  profile.has_status = status >= 0;
  hp_recording = false;
  hp_quick_look();
  hp_window_finish(kept ? &totals : NULL);
  if (kept)
    say_nothing_was_seen(&totals);
  hp_reachability_end();
}

/* What hp_window_write() will write. */
static void take_dump(struct hp_dump_totals *totals, bool waits) {
  totals->number = ++profile.dumps;
  totals->exit_status = -1;
  hp_window_take(totals, waits);
}

HP_ALIGNS_STACK void hp_finish(const char *reason, int status) {
  struct taken taken;
  if (!take_profile(&taken))
    return;
  finish(reason, status, true);
  release_profile(&taken);
}

/* Of a child that was forked to execute another program nothing is told, unless it
   did something with the heap first: a shell has thousands. */
HP_ALIGNS_STACK void hp_finish_exec(void) {
  struct taken taken;
  if (!take_profile(&taken))
    return;
  finish("exec", -1,
         !profile.is_child || hp_dump_has_begun() || hp_window_has_events());
  release_profile(&taken);
}

void hp_finish_exit(int status) { hp_finish("exit", status & 0xff); }

/* In a handler, which a fault must still reach: signals are as they are.  Where the
   fault is the end of the stack, within the allocator, the thread has locks of that.
   Nobody else is inside, and what was begun is begun anew. */
void hp_finish_dying(int number) {
  char reason[16];
  hp_sys_format(reason, sizeof reason, "signal %d", number);
  hp_lock_take(&profile.lock);
  if (profile.ended)
    return;
  close_gate();
  hp_arenas_unlock();
  hp_beside_unlock();
  finish(reason, -1, true);
}

bool hp_profile_dump(const char *reason) {
  struct taken taken;
  if (!take_profile(&taken))
    return false;
  struct hp_dump_totals totals = {.reason = reason};
  bool done = profile.wanted;
  if (done) {
    take_dump(&totals, true);
    done = hp_window_write();
  }
  release_profile(&taken);
  return done;
}

/* Without errno and libc's locks, which are those of another thread here: the
   load map is as the program's threads last brought it up to date.  Threads of
   the program go on while it is written. */
bool hp_profile_dump_by_runtime(const char *reason) {
  struct hp_dump_totals totals = {.reason = reason};
  if (!hp_lock_try(&profile.lock))
    return false;
  bool wanted = profile.wanted && !profile.ended;
  bool now = !wanted || hp_modules_try_lock();
  if (now && wanted) {
    hp_gate_close(false);
    take_dump(&totals, false);
    open_gate();
  }
  hp_lock_release(&profile.lock);
  if (now && wanted)
    hp_window_write();
  return now;
}

void hp_profile_record(bool on) {
  struct taken taken;
  if (!take_profile(&taken))
    return;
  hp_recording = on && profile.wanted;
  hp_quick_look();
  release_profile(&taken);
}

static void begin_window(void) {
  hp_overrun_start();
  hp_page_facts_start();
  hp_resizes_start();
  hp_watch_start();
  hp_allocator_start_window();
  hp_marks_reset();
  hp_clock_start_window(hp_options.tick_us, hp_options.exact_time);
  hp_window_start(profile.wanted);
}

void hp_profile_reset(void) {
  struct taken taken;
  if (!take_profile(&taken))
    return;
  hp_window_finish(NULL);
  begin_window();
  release_profile(&taken);
}

void hp_profile_begin_dump(void) {
  struct taken taken;
  if (!profile.wanted || hp_dump_has_begun() || !take_profile(&taken))
    return;
  if (profile.wanted && hp_options.dump_at_exit)
    hp_window_begin_dump();
  release_profile(&taken);
}

void hp_profile_note_copy(void) { profile.copy = hp_sys_pid(); }

/* They have a number for each page that there may be, which a limit would count; who
   looks at these has the writer's lock. */
static void forget_stale_pages(void) {
  if (!hp_options.stale_pages)
    return;
  hp_writer_lock();
  hp_stale_pages_forget();
  hp_writer_unlock();
}

static void tighten(bool of_space) {
  forget_stale_pages();
  hp_secondary_lock();
  hp_primary_lock();
  hp_arenas_lock();
  if (of_space)
    hp_heap_unreserve();
  else
    hp_data_is_limited = true;
  if (hp_memory_is_limited()) {
    hp_primary_tighten();
    hp_secondary_tighten();
    hp_share_tighten();
  }
  hp_arenas_unlock();
  hp_primary_unlock();
  hp_secondary_unlock();
}

/* In a copy, whose allocator is its own, the gate may have been passed by threads that
   are not there. */
void hp_profile_before_limit(bool of_space) {
  struct taken taken;
  if (of_space ? hp_space_is_limited : hp_data_is_limited)
    return;
  if (take_profile(&taken)) {
    tighten(of_space);
    release_profile(&taken);
  } else if (profile.copy == hp_sys_pid()) {
    hp_sys_block_signals(&taken.signals);
    tighten(of_space);
    hp_sys_restore_signals(&taken.signals);
  }
}

void hp_profile_after_limit(void) {
  if (hp_profile_is_ours())
    hp_spare_keep();
}

/* ---- start, exit, fork --------------------------------------------------- */

bool hp_profile_start(bool wanted, bool bypassed) {
  profile.wanted = wanted;
  profile.bypassed = bypassed;
  hp_recording = wanted && hp_options.start;
  bool started = hp_window_start(wanted);
  const int id = hp_sys_pid();
  hp_process_note(id);
  __atomic_store_n(&profile.pid, id, __ATOMIC_RELEASE);
  return started;
}

bool hp_profile_checks_leaks(void) {
  return hp_profile_is_ours() && hp_options.leak_check && profile.wanted &&
         hp_options.dump_at_exit && !exiting.id;
}

/* Of several threads that end the process the first; its id is there last. */
void hp_profile_note_exit(const struct hp_sys_stopped *caller) {
  if (__atomic_exchange_n(&exit_is_noted, true, __ATOMIC_RELAXED))
    return;
  exiting.sp = caller->sp;
  exiting.thread_pointer = caller->thread_pointer;
  __atomic_store_n(&exiting.id, caller->id, __ATOMIC_RELEASE);
}

void hp_profile_after_fork_child(bool whole) {
  profile.bypassed = false;
  profile.is_child = true;
  profile.pid = hp_sys_pid();
  hp_process_note(profile.pid);
  profile.ended = false;
  profile.dumps = 0;
  exiting.id = 0; /* that thread is not here */
  exit_is_noted = false;
  profile.wanted = profile.wanted && hp_options.profile_children;
  if (!whole && profile.wanted) {
    hp_sys_warn("this child was forked while another thread held a lock that "
                "fork waits for, so it is not profiled");
    profile.wanted = false;
  }
  if (!hp_forbidden_after_fork_child() && profile.wanted) {
    hp_sys_warn("this child may not make the system calls that the runtime "
                "needs (seccomp), so it is not profiled");
    profile.wanted = false;
  }
  hp_recording = hp_recording && profile.wanted;
  hp_quick_look();
  hp_profile_unlock();
  begin_window();
}
