/* lifecycle.c - see lifecycle.h: the order in which the parts start and end.
   Everything here keeps errno and the program's exit status.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "entry/start.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "chunk/allocator.h"
#include "chunk/allocator_totals.h"
#include "chunk/overrun.h"
#include "chunk/plain.h"
#include "chunk/sample.h"
#include "dump/dump_directory.h"
#include "entry/replaced.h"
#include "heap/heap.h"
#include "heap/primary.h"
#include "heap/secondary.h"
#include "heap/share.h"
#include "heap/unreserve.h"
#include "hook_abi.h"
#include "leak/leak_hint.h"
#include "leak/reachability.h"
#include "origin/call_stack.h"
#include "origin/hooked.h"
#include "origin/module.h"
#include "origin/type.h"
#include "process/demand.h"
#include "process/disposition.h"
#include "process/fork_hold.h"
#include "process/preloaded.h"
#include "profile/collector.h"
#include "profile/marks.h"
#include "system/clock.h"
#include "system/limit.h"
#include "system/options.h"
#include "system/sanitizer_binding.h"
#include "system/spare.h"
#include "thread/gate.h"
#include "thread/thread.h"
#include "thread/thread_end.h"
#include "thread/thread_state.h"
#include "thread/writer.h"

int hp_init_state;
int hp_quick_exit_status;
bool hp_modules_stale;

/* The profile of this process. */
static struct {
  struct hp_lock lock;
  int pid;     /* whose profile it is */
  bool wanted; /* dumps are written */
  bool ended;
  uint32_t dumps; /* written on demand */
} profile;

/* The thread that ends the process by exit, as it called; id 0: none does. */
static struct hp_sys_stopped exiting;

/* What take_profile() keeps of the calling thread. */
struct taken {
  int saved_errno;
  uint64_t signals; /* its mask */
};

HP_EXPORT void __heapprof_init(const void *mark, uint64_t record_size);
extern HP_EXPORT const char hp_abi __asm__(HP_ABI_SYMBOL);
const char hp_abi = HP_ABI_VERSION;

/* ---- shared libraries ---------------------------------------------------- */

/* Other code may come where code was unloaded. */
static void update_modules(void) {
  if (hp_modules_update())
    hp_unwind_forget();
}

void hp_modules_changed(void) {
  int saved_errno = errno;
  uint64_t saved_signals;
  hp_sys_block_signals(&saved_signals);
  update_modules();
  hp_sys_restore_signals(&saved_signals);
  errno = saved_errno;
}

static bool begins(const char *text, const char *prefix) {
  while (*prefix && *text == *prefix)
    text++, prefix++;
  return !*prefix;
}

/* Valgrind preloads vgpreload_<tool>-<platform>.so where the tool takes
   malloc's place. */
static void refuse_valgrind(const char *library) {
  const char *tool = library + sizeof "vgpreload_" - 1;
  int length = 0;
  while (tool[length] && tool[length] != '-')
    length++;
  hp_sys_die("cannot work under Valgrind's %.*s, which takes malloc's place; "
             "run it on a build without heapprof (callgrind, cachegrind and "
             "lackey do work)",
             length, tool);
}

static uintptr_t libc_begin, libc_end;

/* What these allocate for themselves is not what the program asks for. */
static void note_library(const struct hp_sys_module *module, void *arg) {
  (void)arg;
  const char *name = module->path;
  for (const char *c = name; *c; c++)
    if (*c == '/')
      name = c + 1;
  if (begins(name, "libc.so") || begins(name, "libstdc++.so"))
    hp_type_add_library(module->start, module->end);
  if (begins(name, "libc.so")) {
    libc_begin = module->start;
    libc_end = module->end;
  }
  if (begins(name, "vgpreload_") && !begins(name, "vgpreload_core-"))
    refuse_valgrind(name);
}

/* ---- the end ------------------------------------------------------------- */

bool hp_profile_is_ours(void) {
  return hp_init_state == 2 && hp_sys_pid() == profile.pid;
}

/* Takes the load map and closes the gate, in this order: a thread in dlopen,
   whose lock the load map needs, may wait at the gate. */
static void close_gate(void) {
  update_modules();
  hp_modules_lock();
  hp_gate_close(true);
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
    close_gate();
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
  return exiting.id ? hp_reachability_check(&exiting)
                    : "the process did not end by exit";
}

/* A malloc of the program's own that wraps ours is profiled, so only now is it
   known; each forked child would say the same. */
static bool said_nothing_was_seen;
static void say_nothing_was_seen(const struct hp_dump_totals *totals) {
  if (said_nothing_was_seen || totals->allocations || totals->requests ||
      !hp_malloc_is_replaced())
    return;
  said_nothing_was_seen = true;
  hp_sys_warn("the program has a malloc of its own, so what it allocates was "
              "not profiled; build it without that to profile it");
}

/* With the profile's lock and the gate closed. */
static void finish(const char *reason, int status) {
  struct hp_dump_totals totals = {.reason = reason, .exit_status = status};
  bool kept = profile.wanted && hp_options.dump_at_exit;
  if (kept && hp_options.leak_check)
    totals.check_leaks = check_leaks;
  profile.ended = true;
  hp_recording = false;
  hp_collector_finish(kept ? &totals : NULL);
  if (kept)
    say_nothing_was_seen(&totals);
  hp_reachability_end();
}

/* What hp_collector_write() will write. */
static void take_dump(struct hp_dump_totals *totals, bool waits) {
  totals->number = ++profile.dumps;
  totals->exit_status = -1;
  hp_collector_take(totals, waits);
}

void hp_finish(const char *reason, int status) {
  struct taken taken;
  if (!take_profile(&taken))
    return;
  finish(reason, status);
  release_profile(&taken);
}

/* In a handler, which a fault must still reach: signals are as they are. */
void hp_finish_dying(int number) {
  char reason[16];
  hp_sys_format(reason, sizeof reason, "signal %d", number);
  hp_lock_take(&profile.lock);
  if (profile.ended)
    return;
  close_gate();
  finish(reason, -1);
}

bool hp_profile_dump(const char *reason) {
  struct taken taken;
  if (!take_profile(&taken))
    return false;
  struct hp_dump_totals totals = {.reason = reason};
  bool done = profile.wanted;
  if (done) {
    take_dump(&totals, true);
    done = hp_collector_write();
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
    hp_collector_write();
  return now;
}

void hp_profile_record(bool on) {
  struct taken taken;
  if (!take_profile(&taken))
    return;
  hp_recording = on && profile.wanted;
  release_profile(&taken);
}

void hp_profile_reset(void) {
  struct taken taken;
  if (!take_profile(&taken))
    return;
  hp_collector_finish(NULL);
  hp_overrun_start();
  hp_allocator_start_window();
  hp_marks_reset();
  hp_clock_start_window();
  hp_collector_start(profile.wanted);
  hp_demand_start();
  release_profile(&taken);
}

void hp_profile_before_limit(bool of_space) {
  struct taken taken;
  if ((of_space ? hp_space_is_limited : hp_data_is_limited) ||
      !take_profile(&taken))
    return;
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
  release_profile(&taken);
}

void hp_profile_after_limit(void) {
  if (hp_profile_is_ours())
    hp_spare_start();
}

/* ---- the runtime's threads ------------------------------------------------
 */

void hp_threads_of_runtime_end(void) {
  struct taken taken;
  if (!hp_profile_is_ours())
    return;
  taken.saved_errno = errno;
  hp_sys_block_signals(&taken.signals);
  hp_lock_take(&profile.lock);
  hp_clock_end_ticker();
  hp_writer_end();
  hp_lock_release(&profile.lock);
  hp_sys_restore_signals(&taken.signals);
  errno = taken.saved_errno;
}

void hp_threads_of_runtime_start(void) {
  int saved = errno;
  if (hp_profile_is_ours())
    hp_clock_start_ticker();
  errno = saved;
}

/* Registers that functions save for their callers: here, below the frame
   pointer. */
#define SAVED_REGISTERS (5 * sizeof(uintptr_t))

extern void *__libc_stack_end __attribute__((weak)); /* where main's began */
#define HLT 0xf4u /* what _start has behind its call */

/* Where main has returned, all that libc had to call it lies further out, so
   that what main left behind is nobody's.  Else 0: registers of the program lie
   on the stack of exit. */
static uintptr_t begin_of_stack(const struct hp_caller *caller) {
  struct hp_thread *self = hp_thread_self;
  uint64_t pc[HP_STACK_MAX];
  bool truncated = true;
  if (!self || !&__libc_stack_end)
    return 0;
  const uint32_t stack = hp_call_stack(&self->last_stack, caller);
  const size_t depth = hp_stack_frames(stack, pc, &truncated);
  size_t i = 0;
  while (i < depth && pc[i] > libc_begin && pc[i] <= libc_end)
    i++;
  const bool is_start = !truncated && i && i + 1 == depth &&
                        *(const uint8_t *)(uintptr_t)pc[i] == HLT;
  return is_start ? (uintptr_t)__libc_stack_end : 0;
}

/* What runs from here on is no more the program's own. */
HP_INLINE void note_exit(void) {
  __builtin_unwind_init();
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (!hp_profile_is_ours() || !hp_options.leak_check || !profile.wanted ||
      !hp_options.dump_at_exit || exiting.id)
    return;
  const uintptr_t program = begin_of_stack(&HP_CALLER());
  exiting.sp = program ? program : frame - SAVED_REGISTERS;
  exiting.thread_pointer = hp_sys_thread_pointer();
  exiting.id = hp_sys_gettid();
  hp_reachability_prepare();
}

static void at_exit(int status, void *unused) {
  (void)unused;
  note_exit();
  hp_finish("exit", status & 0xff);
}

static void at_quick_exit_end(void) {
  note_exit();
  hp_finish("exit", hp_quick_exit_status & 0xff);
}

/* ---- fork ---------------------------------------------------------------- */

/* Held from before until after fork: no handler of the program may run while
   the runtime's locks are taken.  By thread: what another one took may have
   been given up (fork_hold.h). */
static HP_THREAD_LOCAL uint64_t signals_around_fork;

static void take_all_locks(void) {
  hp_lock_take(&profile.lock);
  hp_writer_before_fork();
  hp_threads_before_fork();
}

static void release_all_locks(void) {
  hp_threads_after_fork();
  hp_writer_after_fork_parent();
  hp_lock_release(&profile.lock);
}

static void before_fork(void) {
  hp_sys_block_signals(&signals_around_fork);
  hp_fork_hold(take_all_locks, release_all_locks);
}

static void after_fork_in_parent(void) {
  uint64_t saved = signals_around_fork;
  if (hp_fork_hold_end())
    release_all_locks();
  hp_sys_restore_signals(&saved);
}

/* Other threads went on while the kernel copied memory. */
static void forget_what_may_be_torn(void) {
  hp_primary_forget_free();
  hp_secondary_forget_free();
  if (profile.wanted)
    hp_sys_warn("this child was forked while another thread held a lock that "
                "fork waits for, so it is not profiled");
  profile.wanted = false;
}

static void after_fork_in_child(void) {
  uint64_t saved = signals_around_fork;
  bool whole = hp_fork_hold_end_in_child();
  said_nothing_was_seen = true;
  hp_threads_after_fork_child();
  hp_writer_after_fork_child();
  hp_gate_reset();
  hp_overrun_start();
  hp_allocator_start_window();
  hp_marks_reset();
  hp_lock_release(&profile.lock);
  profile.pid = hp_sys_pid();
  profile.ended = false;
  profile.dumps = 0;
  profile.wanted = profile.wanted && hp_options.profile_children;
  if (!whole)
    forget_what_may_be_torn();
  hp_recording = hp_recording && profile.wanted;
  hp_leak_hint_after_fork_child();
  hp_spare_after_fork_child();
  hp_demand_after_fork_child();
  hp_clock_start();
  hp_collector_start(profile.wanted);
  hp_sys_restore_signals(&saved);
}

/* ---- the start ----------------------------------------------------------- */

/* True if PROGRAM's last component is one of the names in LIST. */
static bool is_listed(const char *program, const char *list) {
  const char *name = program;
  for (const char *p = program; *p; p++)
    if (*p == '/')
      name = p + 1;
  while (*list) {
    size_t i = 0;
    while (name[i] && name[i] == list[i])
      i++;
    if (!name[i] && (!list[i] || list[i] == ','))
      return true;
    while (*list && *list != ',')
      list++;
    if (*list == ',')
      list++;
  }
  return false;
}

/* By the name of its file, or by the one that it was called by. */
static bool is_wanted(void) {
  static char program[PATH_MAX]; /* the stack may be small */
  const char *list = hp_options.only_programs;
  if (!*list ||
      (hp_sys_executable(program, sizeof program) && is_listed(program, list)))
    return true;
  size_t length = hp_sys_cmdline(program, sizeof program - 1);
  program[length] = '\0';
  return is_listed(program, list);
}

/* libc calls the first handler that was registered last: after the program's
   own handlers and after the destructors of every library. */
static void register_ends(void) {
  if (on_exit(at_exit, NULL) != 0 || at_quick_exit(at_quick_exit_end) != 0 ||
      pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) !=
          0)
    hp_sys_die("libc takes no more exit or fork handlers, so no profile can "
               "be written; run the program without heapprof");
  hp_thread_end_start(hp_thread_end);
}

HP_COLD void hp_init(void) {
  if (hp_init_state)
    return;
  int saved = errno;
  hp_init_state = 1;
  hp_replaced_look();
  hp_sys_init_messages();
  hp_sys_init_interceptors();
  hp_options_parse();
  hp_sys_modules(note_library, NULL);
  hp_limits_look();
  hp_sample_start();
  hp_plain_start(hp_replaced_any);
  if (!hp_heap_reserve())
    hp_sys_die(
        "cannot have the heap's addresses, from %p on; raise the limit on "
        "virtual memory (ulimit -v), or leave out what else lies there",
        (void *)HP_HEAP_BASE);
  if (hp_sampling && !hp_heap_reserve_plain())
    hp_sys_die("sampling: cannot have the addresses of what is not sampled, "
               "from %p on; raise the limit on virtual memory (ulimit -v), "
               "or profile all",
               (void *)HP_PLAIN_BASE);
  hp_primary_start();
  hp_secondary_start();
  hp_clock_start();
  hp_dump_directory_start();
  hp_lock_when_long(hp_fork_hold_look);
  register_ends();
  update_modules();
  profile.pid = hp_sys_pid();
  profile.wanted = is_wanted();
  if (!hp_collector_start(profile.wanted))
    hp_sys_die("out of memory; raise the limit on virtual memory (ulimit -v)");
  hp_spare_start();
  hp_recording = profile.wanted && hp_options.start;
  hp_demand_start();
  hp_dispositions_start(profile.wanted && hp_options.dump_at_exit &&
                        hp_options.dump_at_death);
  hp_init_state = 2;
  errno = saved;
}

static void start(void) {
  if (HP_UNLIKELY(hp_init_state == 0))
    hp_init();
  if (HP_UNLIKELY(hp_modules_stale) && hp_init_state == 2) {
    hp_modules_stale = false;
    hp_modules_changed();
  }
}

/* Also the first thing that a library built with the flag does when it is
   loaded, so that the load map holds it before its first chunk. */
void __heapprof_init(const void *mark, uint64_t record_size) {
  start();
  hp_hooked_add(mark, record_size);
}

/* For hp_runtime_is_second(). */
HP_HIDDEN extern __typeof__(__heapprof_init) hp_own_init
    __attribute__((alias("__heapprof_init")));

/* Before every constructor, those of shared libraries included. */
static void start_early(int count, char **arguments, char **environment) {
  (void)count;
  (void)arguments;
  if (hp_runtime_is_second())
    return;
  start();
  if (!hp_options.profile_children)
    hp_preloaded_leave(environment);
}
__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(int, char **,
                                                   char **) = start_early;
