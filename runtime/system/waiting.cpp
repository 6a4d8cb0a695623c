// waiting.cpp - the system's time, and waiting: for it, for a word, for threads.
// Where the program forbids its threads a call, forbidden_calls.h has another way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/waiting.h"

#include "system/forbidden_calls.h"
#include "system/real_libc.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_linux.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

using namespace __sanitizer;

static const uptr kPrivate = 128; // FUTEX_PRIVATE_FLAG
static const uptr kWait = 0 | kPrivate, kWake = 1 | kPrivate;

extern "C" {

// libc's function reads the clock without entering the kernel, and uses no
// thread-local variable unless it fails; before interception is set up there
// is only the system call.
static uint64_t clock_ns(clockid_t clock) {
  struct timespec time = {};
  if (HP_UNLIKELY(hp_forbids(SYS_clock_gettime)))
    return hp_clock_instead(clock == CLOCK_REALTIME);
  if (hp_real_libc.clock_gettime)
    hp_real_libc.clock_gettime((uint32_t)clock, &time);
  else
    internal_clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t hp_sys_cpu_ns(void) {
  return HP_UNLIKELY(hp_forbids(SYS_clock_gettime))
             ? 0
             : clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}
uint64_t hp_sys_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t hp_sys_realtime_ns(void) { return clock_ns(CLOCK_REALTIME); }

void hp_sys_sleep_ns(uint64_t ns) {
  if (HP_UNLIKELY(hp_forbids(SYS_nanosleep))) {
    const uint64_t end = hp_sys_monotonic_ns() + ns;
    while (hp_pause_instead() && hp_sys_monotonic_ns() < end)
      ;
    return;
  }
  struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  system_call(SYS_nanosleep, (uptr)&time, 0);
}

void hp_sys_yield(void) { system_call(SYS_sched_yield); }

void hp_sys_futex_wait(uint32_t *word, uint32_t while_value) {
  if (HP_UNLIKELY(hp_forbids(SYS_futex)))
    hp_wait_instead(word, while_value);
  else
    system_call(SYS_futex, (uptr)word, kWait, while_value);
}

bool hp_sys_futex_wait_for(uint32_t *word, uint32_t while_value, uint64_t ns) {
  if (HP_UNLIKELY(hp_forbids(SYS_futex)))
    return hp_wait_instead(word, while_value);
  struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  return system_call(SYS_futex, (uptr)word, kWait, while_value, (uptr)&time) !=
         -ETIMEDOUT;
}

void hp_sys_futex_wake(uint32_t *word) {
  system_call(SYS_futex, (uptr)word, kWake, 1);
}

void hp_sys_futex_wake_all(uint32_t *word) {
  system_call(SYS_futex, (uptr)word, kWake, 0x7fffffff);
}

bool hp_sys_barrier_begin(void) {
  const uptr registration = 16; // MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
  return system_call(SYS_membarrier, registration) == 0;
}

bool hp_sys_barrier(void) {
  const uptr expedited = 8; // MEMBARRIER_CMD_PRIVATE_EXPEDITED
  long result = system_call(SYS_membarrier, expedited);
  if (result == -EPERM && hp_sys_barrier_begin())
    result = system_call(SYS_membarrier, expedited);
  return result == 0;
}

} // extern "C"
