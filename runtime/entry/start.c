/* start.c - see start.h: the order in which the parts start.
   Everything here keeps errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "entry/start.h"

#include <errno.h>

#include "chunk/beside.h"
#include "chunk/plain.h"
#include "chunk/quick_chunk.h"
#include "chunk/request.h"
#include "chunk/sample.h"
#include "chunk/stale_pages.h"
#include "dump/dump_directory.h"
#include "encode/dump_failure.h"
#include "encode/encode.h"
#include "entry/preloaded.h"
#include "heap/bare.h"
#include "heap/heap.h"
#include "heap/primary.h"
#include "heap/secondary.h"
#include "heap/share.h"
#include "heap/unreserve.h"
#include "hook_abi.h"
#include "options/options.h"
#include "origin/hooked.h"
#include "origin/module.h"
#include "origin/type.h"
#include "process/disposition.h"
#include "process/exit.h"
#include "process/fork.h"
#include "process/fork_hold.h"
#include "process/own_profile.h"
#include "process/runtime_threads.h"
#include "process/wanted.h"
#include "profile/aggregate.h"
#include "system/clock.h"
#include "system/limit.h"
#include "system/loaded_modules.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/spare.h"
#include "thread/thread.h"
#include "thread/thread_end.h"

enum hp_init_state hp_init_state;

HP_EXPORT void __heapprof_init(const void *mark);
extern HP_EXPORT const char hp_abi __asm__(HP_ABI_SYMBOL);
const char hp_abi = HP_ABI_VERSION;

/* ---- what is loaded ------------------------------------------------------ */

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
static bool preloaded;

/* A program without hooks has this runtime from a library ahead of it, whatever its
   file is called. */
static bool is_preloaded(const struct hp_sys_module *module) {
  const uintptr_t here = (uintptr_t)&hp_init_state;
  return !module->is_program && here >= module->start && here < module->end;
}

/* What these allocate for themselves is not what the program asks for. */
static void note_library(const struct hp_sys_module *module, void *arg) {
  (void)arg;
  const char *name = hp_text_base_name(module->path);
  if (begins(name, "libc.so") || begins(name, "libstdc++.so"))
    hp_type_add_library(module->start, module->end);
  if (is_preloaded(module)) {
    preloaded = true;
    hp_access_hooked = false;
    hp_aggregate_without_accesses = true;
    hp_access_began_unhooked = true;
  }
  if (begins(name, "libc.so")) {
    libc_begin = module->start;
    libc_end = module->end;
  }
  if (begins(name, "vgpreload_") && !begins(name, "vgpreload_core-"))
    refuse_valgrind(name);
}

/* ---- the start ----------------------------------------------------------- */

static void note_death(void) {
  if (!hp_sys_log_is_elsewhere()) /* where heapprof run would say it */
    hp_dump_say_death();
}

/* Where the program is built for this runtime its hooks look for records in front of chunks; a malloc of its own is none
   next in line, which is said at the end. */
static void look_beside(bool has_own_malloc) {
  if (hp_options.allocator[0] != 'p' || has_own_malloc)
    return;
#ifndef HEAPPROF_PRELOADED
  hp_sys_warn("allocator=program: the program was built with heapprof, which "
              "is its allocator");
#else
  if (hp_options.sample_every || hp_options.sample_bytes)
    hp_sys_die("allocator=program profiles all chunks: leave sample_every and "
               "sample_bytes out");
  else if (hp_options.addresses)
    hp_sys_die("allocator=program: its regions are not known, so that no map "
               "can be drawn: leave addresses out");
  else if (!hp_beside_start())
    hp_sys_die("allocator=program: no library has malloc, free, calloc, "
               "realloc and memalign");
#endif
}

static void register_ends(void) {
  if (!hp_exit_start(libc_begin, libc_end) || !hp_fork_start())
    hp_sys_die("libc takes no more exit or fork handlers, so no profile can "
               "be written; run the program without heapprof");
  hp_thread_end_start(hp_thread_end);
}

__attribute__((weak)) struct hp_replaced hp_step_replaced(void) {
  return (struct hp_replaced){0};
}
__attribute__((weak)) void hp_step_interceptors(void) {}

/* A malloc of the program's own that wraps ours has called it: there is a profile. */
static void begin_use(void) {
  if (hp_runtime_threads_need())
    hp_init_state = HP_STARTED;
}

HP_COLD void hp_init(void) {
  if (hp_init_state == HP_STARTED_UNUSED)
    begin_use();
  if (hp_init_state != HP_NOT_STARTED)
    return;
  int saved = errno;
  hp_init_state = HP_STARTING;
  hp_thread_notices = (struct hp_thread_notices){
      hp_sample_begin_thread, hp_handler_stack_use, hp_handler_stack_leave};
  const struct hp_replaced replaced = hp_step_replaced();
  const struct hp_sys_flags flags = hp_options_flags();
  hp_sys_init_messages(&flags);
  hp_sys_before_death(note_death);
  hp_step_interceptors();
  hp_options_parse();
  hp_dump_failures_start();
  hp_sys_modules(note_library, NULL);
  look_beside(replaced.malloc);
  hp_limits_look();
  hp_sample_start();
  hp_plain_start(replaced.any);
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
  /* What a chunk holds is looked at by its record (contents.h). */
  if (!hp_access_hooked && !hp_sampling && !hp_is_beside() &&
      !hp_options.contents)
    hp_bare_is_on = hp_bare_reserve();
  hp_allocate_asks = hp_sampling || hp_bare_is_on;
  hp_primary_start();
  hp_secondary_start();
  if (hp_options.page_facts)
    hp_secondary_refuse_huge();
  hp_stale_pages_start();
  hp_clock_start_window(hp_options.tick_us, hp_options.exact_time);
  if (hp_clock_now() >= HP_BARE_T0_END / 2)
    hp_bare_is_on = false; /* there is no room for the time (bare_range.h) */
  if (replaced.malloc && !hp_access_hooked) /* hooks need the coarse clock */
    hp_runtime_threads_spare();
  hp_runtime_threads_begin();
  hp_dump_directory_start();
  hp_sys_empty_arguments(); /* while no title is written over them */
  hp_lock_when_long(hp_fork_hold_look);
  register_ends();
  hp_modules_update();
  const bool wanted = hp_process_is_wanted();
  hp_dispositions_start(wanted && hp_options.dump_at_exit &&
                        hp_options.dump_at_death);
  if (!hp_profile_start(wanted, replaced.malloc))
    hp_sys_die("out of memory; raise the limit on virtual memory (ulimit -v)");
  hp_spare_keep();
  hp_init_state = hp_is_beside()                    ? HP_STARTED_BESIDE
                  : hp_runtime_threads_are_spared() ? HP_STARTED_UNUSED
                                                    : HP_STARTED;
  if (!hp_is_beside())
    hp_quick_start();
  hp_runtime_threads_watch();
  errno = saved;
}

static void start(void) {
  if (HP_UNLIKELY(hp_init_state == HP_NOT_STARTED))
    hp_init();
  if (HP_UNLIKELY(hp_modules_stale) && hp_init_state >= HP_STARTED) {
    hp_modules_stale = false;
    hp_modules_changed();
  }
}

/* Also the first thing that a library built with the flag does when it is
   loaded, so that the load map holds it before its first chunk. */
void __heapprof_init(const void *mark) {
  start();
  if (hp_is_beside()) /* what its hooks look for is not there: nothing is known of accesses */
    return;
  if (HP_UNLIKELY(hp_init_state == HP_STARTED_UNUSED)) {
    begin_use();
    if (hp_init_state == HP_STARTED_UNUSED)
      hp_options.exact_time = true; /* nobody keeps the coarse clock */
  }
  if (!hp_access_hooked)
    hp_clock_begin_steps();
  hp_access_hooked = true;
  hp_runtime_threads_pace();
  hp_aggregate_without_accesses = false;
  hp_bare_is_on = false;
  hp_allocate_asks = hp_sampling;
  hp_quick_look();
  hp_hooked_add(mark);
}

/* The same, but found nowhere else. */
HP_HIDDEN extern __typeof__(__heapprof_init) hp_own_init
    __attribute__((alias("__heapprof_init")));

bool hp_start_is_others(void) {
  return hp_runtime_is_second((uintptr_t)&__heapprof_init,
                              (uintptr_t)&hp_own_init);
}

/* QEMU's user mode runs another program by itself and with its own environment.  It
   keeps something for each page that is reserved, of which the runtime has 12 TiB; and
   what is of another processor cannot load the library. */
static bool is_emulator(void) {
  const char *path = hp_sys_executable_path();
  const char *name = path ? hp_text_base_name(path) : "";
  return begins(name, "qemu-") && !begins(name, "qemu-system-");
}

/* Before every constructor, those of shared libraries included. */
static void start_early(int count, char **arguments, char **environment) {
  (void)count;
  (void)arguments;
  if (hp_start_is_others())
    return;
  start();
  if (!hp_options.profile_children || (preloaded && is_emulator()))
    hp_preloaded_leave(environment);
}
__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(int, char **,
                                                   char **) = start_early;
