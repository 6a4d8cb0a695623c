// interceptors_filter.cpp - the two ways to set a filter of system calls, and the
// way past libc to an end and to copies of the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/confine.h"
#include "process/fork.h"
#include "process/own_profile.h"
#include "system/memory.h"
#include "system/stopped_world.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/interception.h"

#include <asm/unistd_64.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

using namespace __sanitizer;

static_assert(sizeof(struct sock_filter) == sizeof(struct hp_filter_step),
              "one instruction");

// The program's, unless the kernel will refuse the address, too.
static const struct sock_fprog *readable_filter(uptr address) {
  const uptr page = 4096;
  if (!hp_sys_readable(address) || !hp_sys_readable(address + sizeof(uptr)))
    return nullptr;
  const auto *filter = reinterpret_cast<const struct sock_fprog *>(address);
  if (!filter->len || filter->len > HP_FILTER_MOST)
    return nullptr;
  const uptr begin = reinterpret_cast<uptr>(filter->filter);
  const uptr last = begin + (filter->len - 1) * sizeof(struct sock_filter);
  for (uptr at = begin; at < last; at += page)
    if (!hp_sys_readable(at))
      return nullptr;
  return hp_sys_readable(last) ? filter : nullptr;
}

struct hp_setting {
  bool is_one;                     // else it sets nothing that is known
  const struct sock_fprog *filter; // NULL: strict mode
};

static void begin(const hp_setting &setting, bool to_all) {
  const struct sock_fprog *filter = setting.filter;
  hp_confine_begin(
      filter ? reinterpret_cast<const struct hp_filter_step *>(filter->filter)
             : nullptr,
      filter ? filter->len : 0, to_all);
}

static hp_setting setting_by_prctl(int option, uptr mode, uptr address) {
  if (option != PR_SET_SECCOMP || hp_init_state < HP_STARTED)
    return {};
  if (mode == SECCOMP_MODE_STRICT)
    return {true, nullptr};
  const struct sock_fprog *filter =
      mode == SECCOMP_MODE_FILTER ? readable_filter(address) : nullptr;
  return {filter != nullptr, filter};
}

static hp_setting setting_by_seccomp(uptr operation, uptr flags, uptr address) {
  if (hp_init_state < HP_STARTED)
    return {};
  if (operation == SECCOMP_SET_MODE_STRICT)
    return {!flags && !address, nullptr};
  const struct sock_fprog *filter =
      operation == SECCOMP_SET_MODE_FILTER ? readable_filter(address) : nullptr;
  return {filter != nullptr, filter};
}

// As far as the kernel looks.
static void read_name(uptr at, uptr most) {
  const char *name = reinterpret_cast<const char *>(at);
  if (hp_heap_may_hold(name))
    HP_COUNT_READ(name, Min(internal_strnlen(name, most) + 1, most));
}

static void count_before(int option, uptr a, uptr d) {
  if (option == PR_SET_NAME)
    read_name(a, 16);
  if (option == PR_SET_VMA && a == PR_SET_VMA_ANON_NAME && d)
    read_name(d, 80);
}

static void count_after(int option, uptr a, uptr b, uptr d) {
  switch (option) {
  case PR_GET_NAME:
    HP_COUNT_WRITE(reinterpret_cast<void *>(a), 16);
    break;
  case PR_GET_PDEATHSIG:
    HP_COUNT_WRITE(reinterpret_cast<void *>(a), sizeof(int));
    break;
  case PR_SCHED_CORE:
    if (a == PR_SCHED_CORE_GET)
      HP_COUNT_WRITE(reinterpret_cast<void *>(d), sizeof(u64));
    break;
  case PR_SET_SECCOMP:
    if (b)
      HP_COUNT_READ(reinterpret_cast<void *>(b), sizeof(struct sock_fprog));
    break;
  }
}

INTERCEPTOR(int, prctl, int option, unsigned long a, unsigned long b,
            unsigned long c, unsigned long d) {
  HP_ENTER();
  count_before(option, a, d);
  const hp_setting setting = setting_by_prctl(option, a, b);
  if (setting.is_one)
    begin(setting, false);
  int result = REAL(prctl)(option, a, b, c, d);
  if (setting.is_one)
    hp_confine_end(result == 0);
  if (result == 0)
    count_after(option, a, b, d);
  return result;
}

// A filter that is set for all threads is set for ours, too, unless the calling
// one is the only one of the program's: then to set it for that one is the same.
static long set_filter(long (*real)(long number, ...), uptr operation,
                       uptr flags, uptr address) {
  const hp_setting setting = setting_by_seccomp(operation, flags, address);
  if (!setting.is_one)
    return real(__NR_seccomp, operation, flags, address);
  const uptr to_all = SECCOMP_FILTER_FLAG_TSYNC;
  if ((flags & to_all) && hp_sys_is_only_thread())
    flags &= ~to_all;
  begin(setting, flags & to_all);
  long result = real(__NR_seccomp, operation, flags, address);
  // A number above 0: a thread that cannot have the filter, or a descriptor.
  hp_confine_end(result == 0 ||
                 (result > 0 && (flags & SECCOMP_FILTER_FLAG_NEW_LISTENER)));
  return result;
}

extern "C" {
__attribute__((naked)) long WRAP(syscall)(long number, ...);
__attribute__((used)) long hp_syscall_seen(long number, uptr a, uptr b, uptr c,
                                           uptr d, uptr e, uptr f);
}

// A jump for all but a few, since some of the others return twice.
INTERCEPTOR(long, syscall, long number, ...) {
  __asm__("cmpq %0, %%rdi\n\tje 1f\n\t"
          "cmpq %1, %%rdi\n\tje 1f\n\t"
          "cmpq %2, %%rdi\n\tje 1f\n\t"
          "cmpq %4, %%rdi\n\tje 1f\n\t"
          "cmpq %5, %%rdi\n\tje 1f\n\t"
          "cmpq %6, %%rdi\n\tje 1f\n\t"
          "movq %3, %%rax\n\ttestq %%rax, %%rax\n\tje 1f\n\t"
          "jmpq *%%rax\n\t"
          "1: jmp hp_syscall_seen"
          :
          : "i"(__NR_seccomp), "i"(__NR_prctl), "i"(__NR_exit_group),
            "m"(REAL(syscall)), "i"(__NR_clone), "i"(__NR_clone3),
            "i"(__NR_fork));
}

static bool is_clone(long number) {
  return number == __NR_clone || number == __NR_clone3 || number == __NR_fork;
}

// Whether the copy goes on where it was made, with memory of its own: both return
// through our frame.
static bool is_copy(long number, uptr a, uptr b) {
  const uptr shared = CLONE_VM | CLONE_SETTLS;
  if (number == __NR_clone)
    return !(a & shared) && !b;
  const auto *clone = reinterpret_cast<const struct clone_args *>(a);
  return number == __NR_fork ||
         (b >= CLONE_ARGS_SIZE_VER0 && hp_sys_readable(a & ~(uptr)7) &&
          hp_sys_readable((a + b - 1) & ~(uptr)7) && !(clone->flags & shared) &&
          !clone->stack);
}

long hp_syscall_seen(long number, uptr a, uptr b, uptr c, uptr d, uptr e,
                     uptr f) {
  HP_ENTER();
  if (number == __NR_seccomp)
    return set_filter(REAL(syscall), a, b, c);
  if (number == __NR_exit_group)
    hp_finish_exit((int)a);
  if (is_clone(number)) {
    const auto real = (decltype(&hp_syscall_seen))REAL(syscall);
    if (!is_copy(number, a, b)) __attribute__
      ((musttail)) return real(number, a, b, c, d, e, f);
    hp_fork_begins(); // as around clone (interceptors_process.cpp)
    const long result = real(number, a, b, c, d, e, f);
    result ? hp_fork_ended() : hp_fork_ended_in_copy();
    return result;
  }
  const hp_setting setting =
      number == __NR_prctl ? setting_by_prctl((int)a, b, c) : hp_setting{};
  if (setting.is_one)
    begin(setting, false);
  long result = REAL(syscall)(number, a, b, c, d, e, f);
  if (setting.is_one)
    hp_confine_end(result == 0);
  return result;
}

void hp_intercept_filters(void) {
  INTERCEPT_FUNCTION(prctl);
  INTERCEPT_FUNCTION(syscall);
}
