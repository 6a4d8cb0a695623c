// signal_mask.cpp - which signals wait for the calling thread, and which it gets.
// Raw system calls on the kernel's set of 64: libc holds back two of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/signal_mask.h"

#include "system/system_call.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

using namespace __sanitizer;

extern "C" {

#define HP_KERNEL_SIGSET 8 /* bytes */

void hp_sys_block_signals(uint64_t *saved) {
  *saved = 0;
  uint64_t all = ~(uint64_t)0;
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, (uptr)&all, (uptr)saved,
              HP_KERNEL_SIGSET);
}

void hp_sys_restore_signals(const uint64_t *saved) {
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, (uptr)saved, 0,
              HP_KERNEL_SIGSET);
}

uint64_t hp_sys_pending_signals(void) {
  uint64_t set = 0;
  system_call(SYS_rt_sigpending, (uptr)&set, HP_KERNEL_SIGSET);
  return set;
}

void hp_sys_forget_signal(int number, uint64_t before) {
  uint64_t set = (uint64_t)1 << (number - 1);
  struct timespec now = {0, 0};
  if (!(before & set))
    system_call(SYS_rt_sigtimedwait, (uptr)&set, 0, (uptr)&now,
                HP_KERNEL_SIGSET);
}

void hp_sys_mask_signal(int number, bool blocked) {
  uint64_t set = (uint64_t)1 << (number - 1), mask = 0;
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, (uptr)&mask,
              HP_KERNEL_SIGSET);
  mask = blocked ? mask | set : mask & ~set;
  hp_sys_restore_signals(&mask);
}

// Where a filter refuses to tell the process's number there is nobody to send it to: to -1 is to
// all processes.
bool hp_sys_queue_signal(int number, const void *info) {
  const uptr pid = (uptr)system_call(SYS_getpid),
             thread = (uptr)system_call(SYS_gettid);
  if ((int)pid <= 0)
    return false;
  return system_call(SYS_rt_tgsigqueueinfo, pid, thread, (uptr)number,
                     (uptr)info) == 0 ||
         system_call(SYS_tgkill, pid, thread, (uptr)number) == 0 ||
         system_call(SYS_kill, pid, (uptr)number) == 0;
}

void hp_sys_reset_signal(int number) {
  const uptr none[4] = {}; // SIG_DFL, without flags
  system_call(SYS_rt_sigaction, (uptr)number, (uptr)none, 0, HP_KERNEL_SIGSET);
}

} // extern "C"
