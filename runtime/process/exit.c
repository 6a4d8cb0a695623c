/* exit.c - see exit.h: handlers that libc runs last, and where the program's
   own part of the stack begins then.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "process/exit.h"

#include <stdlib.h>

#include "leak/reachability.h"
#include "origin/call_stack.h"
#include "origin/stack_tree.h"
#include "process/fork_hold.h"
#include "process/own_profile.h"
#include "system/forbidden_calls.h"
#include "system/process_facts.h"
#include "system/stopped_world.h"
#include "thread/thread_state.h"

int hp_quick_exit_status;

/* at_quick_exit, but for a handler of nobody's: exit takes those of the program
   away before it comes to ours, and another thread may call quick_exit then. */
int __cxa_at_quick_exit(void (*function)(void *), void *library);

/* What libc's part of the program says of whose handler it is: atexit, which
   sanitizer_common calls.  The compiler's start files have it, which
   -nostartfiles leaves out. */
__attribute__((weak, visibility("hidden"))) void *__dso_handle;

static uintptr_t libc_begin, libc_end;

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
  if (!hp_profile_checks_leaks())
    return;
  const uintptr_t program = begin_of_stack(&HP_CALLER());
  hp_profile_note_exit(&(struct hp_sys_stopped){
      .id = hp_sys_gettid(),
      .sp = program ? program : frame - SAVED_REGISTERS,
      .thread_pointer = hp_sys_thread_pointer()});
  if (!hp_forbids_linker())
    hp_reachability_prepare();
}

/* Threads that end the process at the same time share libc's list: each takes
   off a handler at a time, and who finds none left ends the process, be one of
   the others still at its handler.  So there is one more as long as the dump is
   not whole, which waits for that as any end of the process does. */
static bool whole;

static bool is_whole(void) { return __atomic_load_n(&whole, __ATOMIC_ACQUIRE); }

/* A fork that waited for the dump would begin just when libc has the lock of its list
   again, on which the child's exit would wait. */
static void finish(int status) {
  hp_finish_exit(status);
  __atomic_store_n(&whole, true, __ATOMIC_RELEASE);
  hp_fork_hold_let();
}

void hp_exit_after_fork_child(void) { whole = false; }

HP_ALIGNS_STACK static void at_exit(int status, void *unused) {
  (void)unused;
  if (is_whole())
    return;
  on_exit(at_exit, NULL);
  note_exit();
  finish(status);
}

HP_ALIGNS_STACK static void at_quick_exit_end(void *unused) {
  (void)unused;
  if (is_whole())
    return;
  __cxa_at_quick_exit(at_quick_exit_end, NULL);
  note_exit();
  finish(hp_quick_exit_status);
}

/* libc calls the first handlers that were registered last.  The second is for a
   thread that comes before the first could register the next. */
bool hp_exit_start(uintptr_t begin, uintptr_t end) {
  libc_begin = begin;
  libc_end = end;
  for (int i = 0; i < 2; i++)
    if (on_exit(at_exit, NULL) != 0 ||
        __cxa_at_quick_exit(at_quick_exit_end, NULL) != 0)
      return false;
  return true;
}
