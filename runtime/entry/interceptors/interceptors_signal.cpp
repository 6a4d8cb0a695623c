// interceptors_signal.cpp - signals' dispositions and stacks as the program set
// them. What stands there instead is disposition.c's, of which the program sees
// nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "leak/kernel_roots.h"
#include "process/allocation_locks.h"
#include "process/disposition.h"
#include "system/memory.h"
#include "system/platform.h"
#include "system/real_libc.h"
#include "system/signal_mask.h"

#include "sanitizer_common/sanitizer_common.h"

#include "entry/interceptors/interception.h"

#include <signal.h>

using namespace __sanitizer;

// sigset is not for new programs.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

typedef void hp_handler(int);

static void expect(hp_handler *handler) {
  if (handler != SIG_DFL && handler != SIG_IGN && handler != SIG_HOLD)
    hp_expect_handlers();
}

INTERCEPTOR(int, sigaction, int number, const struct sigaction *act,
            struct sigaction *old) {
  HP_ENTER();
  HP_COUNT_READ(act, sizeof *act);
  if (act)
    expect(act->sa_handler);
  if (!hp_disposition_is_ours(number)) {
    int result = REAL(sigaction)(number, act, old);
    if (result == 0)
      HP_COUNT_WRITE(old, sizeof *old);
    return result;
  }
  struct sigaction told, wanted;
  int result = REAL(sigaction)(number, nullptr, &told);
  hp_disposition_told(number, &told);
  if (result == 0 && act) {
    wanted = *act;
    hp_disposition_ask(number, &wanted);
    result = REAL(sigaction)(number, &wanted, nullptr);
  }
  if (result == 0 && old) {
    HP_COUNT_WRITE(old, sizeof *old);
    *old = told;
  }
  return result;
}

// The older functions, each with flags of its own, which libc adds; so what
// they did is made good afterwards.
static hp_handler *set_by(hp_handler *(*set)(int, hp_handler *), int number,
                          hp_handler *handler) {
  expect(handler);
  if (!hp_disposition_is_ours(number))
    return set(number, handler);
  struct sigaction told, now;
  REAL(sigaction)(number, nullptr, &told);
  hp_disposition_told(number, &told);
  hp_handler *result = set(number, handler);
  if (result == SIG_ERR)
    return result;
  REAL(sigaction)(number, nullptr, &now);
  hp_disposition_ask(number, &now);
  REAL(sigaction)(number, &now, nullptr);
  return result == SIG_HOLD ? result : told.sa_handler;
}

#define HP_SET_SIGNAL(name)                                                    \
  INTERCEPTOR(hp_handler *, name, int number, hp_handler *handler) {           \
    HP_ENTER();                                                                \
    return set_by(REAL(name), number, handler);                                \
  }

HP_SET_SIGNAL(signal)
HP_SET_SIGNAL(bsd_signal)
HP_SET_SIGNAL(ssignal)
HP_SET_SIGNAL(sysv_signal)
HP_SET_SIGNAL(__sysv_signal)
HP_SET_SIGNAL(sigset)

// libc's abort raises the signal, and once more with the default, which it sets by
// a call that cannot be intercepted, where a handler returned or the signal is
// ignored. So the first time is here, and libc's finds the default that is ours.
INTERCEPTOR(void, abort) {
  HP_ENTER();
  struct sigaction now = {};
  if (hp_disposition_is_ours(SIGABRT) &&
      REAL(sigaction)(SIGABRT, nullptr, &now) == 0) {
    hp_disposition_told(SIGABRT, &now);
    if (now.sa_handler != SIG_DFL) {
      hp_sys_mask_signal(SIGABRT, false);
      raise(SIGABRT);
      now = {};
      hp_disposition_ask(SIGABRT, &now);
      REAL(sigaction)(SIGABRT, &now, nullptr);
    }
  }
  REAL(abort)();
}

INTERCEPTOR(int, sigaltstack, const stack_t *stack, stack_t *old) {
  HP_ENTER();
  HP_COUNT_READ(stack, sizeof *stack);
  // The kernel refuses what is not there; and OLD may be the same.
  stack_t asked = {};
  if (stack && hp_sys_readable((uintptr_t)stack))
    asked = *stack;
  const bool leaves = asked.ss_flags & SS_DISABLE;
  if (!leaves) // what handlers do there nobody counts
    hp_access_range(asked.ss_sp, asked.ss_size, HP_ACCESS_BOTH);
  int result = REAL(sigaltstack)(stack, old);
  if (result == 0 && old) {
    HP_COUNT_WRITE(old, sizeof *old);
    hp_handler_stack_told(old);
  }
  if (result == 0 && stack)
    hp_kernel_has_stack(leaves ? nullptr : asked.ss_sp);
  if (result == 0 && stack && !leaves)
    hp_handler_stack_given(asked.ss_size);
  if (result == 0 && leaves)
    hp_handler_stack_use();
  return result;
}

static int real_sigaltstack(const void *stack, void *old) {
  return REAL(sigaltstack)(static_cast<const stack_t *>(stack),
                           static_cast<stack_t *>(old));
}

void hp_intercept_signals(void) {
  INTERCEPT_FUNCTION(sigaction);
  INTERCEPT_FUNCTION(signal);
  INTERCEPT_FUNCTION(bsd_signal);
  INTERCEPT_FUNCTION(ssignal);
  INTERCEPT_FUNCTION(sysv_signal);
  INTERCEPT_FUNCTION(__sysv_signal);
  INTERCEPT_FUNCTION(sigset);
  INTERCEPT_FUNCTION(abort);
  INTERCEPT_FUNCTION(sigaltstack);
  hp_real_libc.sigaction = REAL(sigaction);
  hp_real_libc.sigaltstack = real_sigaltstack;
}
