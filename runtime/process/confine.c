/* confine.c - see confine.h.
   Everything here keeps errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "process/confine.h"

#include <sys/syscall.h>

#include "chunk/quick_chunk.h"
#include "heap/heap.h"
#include "origin/module.h"
#include "process/own_profile.h"
#include "process/runtime_threads.h"
#include "system/clock.h"
#include "system/forbidden_calls.h"
#include "system/message.h"
#include "system/waiting.h"
#include "thread/ticker.h"
#include "thread/writer.h"

static struct {
  struct hp_forbidden before, wanted;
} confinement;

/* Of what has a malloc of its own there is nothing to lose. */
static void end_profile(void) {
  if (hp_profile_will_be_written() && !hp_runtime_threads_are_spared())
    hp_sys_warn("the program forbids its threads by seccomp what the runtime "
                "needs, so the profile ends here");
  hp_finish("seccomp", -1);
}

/* Both threads of ours are there, and will stay. */
static bool has_proxies(void) {
  return hp_ticker_need() &&
         (!hp_profile_will_be_written() || hp_writer_need_thread());
}

static void prepare(struct hp_forbidden *wanted, bool strict, bool to_all) {
  const bool works_under_it = !strict && hp_forbidden_leaves_dump(wanted);
  const bool has_proxy =
      !to_all && !hp_runtime_threads_are_spared() && has_proxies();
  if (wanted->call[SYS_futex]) /* the last time that the linker is asked */
    hp_modules_changed();
  if (wanted->call[SYS_mmap] || wanted->call[SYS_mprotect])
    hp_heap_commit_ahead();
  if (strict || (!has_proxy && !works_under_it))
    end_profile();
  if (strict)
    hp_clock_leave_counter();
  hp_quick_look(); /* also if there is no ticker */
  if (!has_proxy) {
    wanted->to_all = true;
    if (!works_under_it)
      hp_runtime_threads_end();
  }
  if (has_proxy)
    hp_proxy_begin(hp_sys_monotonic_ns(), hp_sys_realtime_ns());
  hp_forbid(wanted);
}

void hp_confine_begin(const struct hp_filter_step *steps, uint32_t count,
                      bool to_all) {
  hp_forbidden_lock();
  confinement.before = confinement.wanted = hp_forbidden;
  if (!steps)
    hp_forbidden_strictly(&confinement.wanted);
  else if (!hp_forbidden_by(&confinement.wanted, steps, count))
    return;
  prepare(&confinement.wanted, !steps, to_all);
}

void hp_confine_end(bool done) {
  if (!done)
    hp_forbid(&confinement.before);
  hp_forbidden_unlock();
}
