/* test_disposition.c - what the kernel is asked for, what the program is told: each over a double of sigaction.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "options/options.h"
#include "process/demand.h"
#include "process/disposition.h"
#include "process/own_profile.h"
#include "system/forbidden_calls.h"
#include "system/memory.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/real_libc.h"
#include "system/signal_mask.h"
#include "system/waiting.h"
#include "thread/thread_state.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <ucontext.h>

/* needs the two above */
#include <cmocka.h>

struct hp_options hp_options;
HP_THREAD_LOCAL struct hp_thread *hp_thread_self;
static struct sigaction kernel[65];
static size_t dumps_asked, calls, deaths, queued;
static bool has_lock;

int hp_real_sigaction(int number, const struct sigaction *act,
                      struct sigaction *old) {
  if (old)
    *old = kernel[number];
  if (act)
    kernel[number] = *act;
  return 0;
}
int hp_real_sigaltstack(const void *stack, void *old) {
  (void)stack;
  (void)old;
  return -1;
}
struct hp_forbidden hp_forbidden;
const char hp_own_mark = 0;
bool hp_forbids_here(long number) {
  (void)number;
  return false;
}
void hp_sys_reset_signal(int number) { (void)number; }
void hp_demand_by_signal(void) { dumps_asked++; }
void hp_finish_dying(int number) {
  (void)number;
  deaths++;
}
bool hp_lock_hold_back(uint64_t *mask) {
  if (has_lock)
    *mask = ~(uint64_t)0;
  return has_lock;
}
bool hp_profile_is_ours(void) { return true; }
int hp_sys_gettid(void) { return 7; }
int hp_sys_pid(void) { return 7; }
void hp_sys_sleep_ns(uint64_t ns) { (void)ns; }
void hp_sys_mask_signal(int number, bool blocked) {
  (void)number;
  (void)blocked;
}
void hp_sys_block_signals(uint64_t *saved) { *saved = ~(uint64_t)0; }
void hp_sys_restore_signals(const uint64_t *saved) { (void)saved; }
bool hp_sys_queue_signal(int number, const void *info) {
  (void)number;
  (void)info;
  queued++;
  return true;
}
void hp_sys_end_process(int status) { (void)status; }
void *hp_sys_reserve(size_t size) {
  static char stack[1 << 20]; /* that of the dump, in each test anew */
  return size <= sizeof stack ? stack : NULL;
}
bool hp_sys_commit(void *p, size_t size) {
  (void)p;
  (void)size;
  return true;
}
void hp_sys_unmap(void *p, size_t size) {
  (void)p;
  (void)size;
}
static jmp_buf died;
void hp_sys_die(const char *format, ...) {
  (void)format;
  longjmp(died, 1);
}

static void handler(int number) {
  (void)number;
  calls++;
}

/* What an interceptor of sigaction does; returns what the program is told. */
static struct sigaction set(int number, struct sigaction act) {
  struct sigaction told = kernel[number];
  hp_disposition_told(number, &told);
  hp_disposition_ask(number, &act);
  kernel[number] = act;
  return told;
}

static int reset(void **state) {
  (void)state;
  memset(kernel, 0, sizeof kernel);
  memset(&hp_options, 0, sizeof hp_options);
  dumps_asked = calls = deaths = queued = 0;
  has_lock = false;
  return 0;
}

static void deadly_defaults_are_taken_and_no_others(void **state) {
  (void)state;
  kernel[SIGHUP].sa_handler = SIG_IGN; /* as nohup leaves it */
  hp_dispositions_start(true);
  assert_ptr_not_equal(kernel[SIGTERM].sa_handler, SIG_DFL);
  assert_ptr_not_equal(kernel[SIGSEGV].sa_handler, SIG_DFL);
  assert_true(kernel[SIGHUP].sa_handler == SIG_IGN);
  const int kept[] = {SIGKILL, SIGSTOP, SIGCHLD, SIGWINCH, SIGTSTP, 32, 33};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    assert_true(kernel[kept[i]].sa_handler == SIG_DFL);
}

static void without_them_only_the_dump_signal_is(void **state) {
  (void)state;
  hp_options.dump_signal = SIGUSR1;
  hp_dispositions_start(false);
  assert_true(kernel[SIGTERM].sa_handler == SIG_DFL);
  assert_ptr_not_equal(kernel[SIGUSR1].sa_handler, SIG_DFL);
  assert_true(hp_disposition_is_ours(SIGUSR1));
  assert_false(hp_disposition_is_ours(SIGTERM));
  assert_false(hp_disposition_is_ours(0) || hp_disposition_is_ours(65));
}

static void the_program_sees_its_own(void **state) {
  (void)state;
  hp_dispositions_start(true);
  struct sigaction told =
      set(SIGTERM, (struct sigaction){.sa_handler = handler});
  assert_true(told.sa_handler == SIG_DFL && !(told.sa_flags & SA_SIGINFO));
  assert_true(kernel[SIGTERM].sa_handler == handler); /* called by the kernel */
  told = set(SIGTERM, (struct sigaction){.sa_handler = SIG_DFL});
  assert_true(told.sa_handler == handler);
  assert_true(kernel[SIGTERM].sa_handler != SIG_DFL); /* ours again */
}

/* With SA_SIGINFO, too, which programs leave set. */
static void a_default_is_one_whatever_its_flags(void **state) {
  (void)state;
  hp_dispositions_start(true);
  set(SIGTERM,
      (struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_SIGINFO});
  assert_true(kernel[SIGTERM].sa_handler != SIG_DFL);
  hp_options.dump_signal = SIGUSR1;
  hp_dispositions_start(true);
  set(SIGUSR1,
      (struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_SIGINFO});
  kernel[SIGUSR1].sa_sigaction(SIGUSR1, NULL, NULL);
  set(SIGUSR1,
      (struct sigaction){.sa_handler = SIG_IGN, .sa_flags = SA_SIGINFO});
  kernel[SIGUSR1].sa_sigaction(SIGUSR1, NULL, NULL);
  assert_int_equal(dumps_asked, 2);
}

static void a_handler_to_be_called_once_is(void **state) {
  (void)state;
  hp_dispositions_start(true);
  set(SIGTERM,
      (struct sigaction){.sa_handler = handler, .sa_flags = (int)SA_RESETHAND});
  assert_true(kernel[SIGTERM].sa_flags & SA_SIGINFO);
  assert_false(kernel[SIGTERM].sa_flags & (int)SA_RESETHAND);
  kernel[SIGTERM].sa_sigaction(SIGTERM, NULL, NULL);
  assert_int_equal(calls, 1);
  struct sigaction told = kernel[SIGTERM];
  hp_disposition_told(SIGTERM, &told);
  assert_true(told.sa_handler == SIG_DFL);
}

static void the_dump_signal_asks_and_calls_the_program(void **state) {
  (void)state;
  hp_options.dump_signal = SIGUSR1;
  hp_dispositions_start(true);
  kernel[SIGUSR1].sa_sigaction(SIGUSR1, NULL, NULL);
  assert_int_equal(dumps_asked, 1);
  struct sigaction told =
      set(SIGUSR1, (struct sigaction){.sa_handler = handler});
  assert_true(told.sa_handler == SIG_DFL);
  kernel[SIGUSR1].sa_sigaction(SIGUSR1, NULL, NULL);
  assert_int_equal(dumps_asked, 2);
  assert_int_equal(calls, 1);
  set(SIGUSR1, (struct sigaction){.sa_handler = SIG_IGN});
  kernel[SIGUSR1].sa_sigaction(SIGUSR1, NULL, NULL);
  assert_int_equal(dumps_asked, 3);
  assert_int_equal(calls, 1);
}

/* libc's system() saves what is there and puts it back. */
static void what_is_put_back_is_ours(void **state) {
  (void)state;
  hp_dispositions_start(true);
  struct sigaction saved = kernel[SIGINT];
  struct sigaction again = saved;
  hp_disposition_ask(SIGINT, &again);
  assert_memory_equal(&again, &saved, sizeof saved);
}

static void a_signal_that_cannot_be_had_is_refused(void **state) {
  (void)state;
  const int refused[] = {SIGKILL, SIGSEGV, SIGCHLD, 32, 65, -1};
  for (volatile size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    hp_options.dump_signal = refused[i];
    if (setjmp(died) == 0) {
      hp_dispositions_start(false);
      fail_msg("dump_signal=%d was taken", refused[i]);
    }
  }
}

/* First with a lock of the allocator, then without. */
static void a_thread_dies_when_it_has_no_lock(void **state) {
  (void)state;
  hp_dispositions_start(true);
  ucontext_t context = {0};
  siginfo_t info = {0};
  has_lock = true;
  kernel[SIGTERM].sa_sigaction(SIGTERM, &info, &context);
  assert_int_equal(deaths, 0);
  assert_int_equal(queued, 1);
  assert_true(sigismember(&context.uc_sigmask, SIGTERM));
  memset(&context, 0, sizeof context);
  has_lock = false;
  kernel[SIGTERM].sa_sigaction(SIGTERM, &info, &context);
  assert_int_equal(deaths, 1);
  assert_false(sigismember(&context.uc_sigmask, SIGTERM));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(without_them_only_the_dump_signal_is, reset),
      cmocka_unit_test_setup(deadly_defaults_are_taken_and_no_others, reset),
      cmocka_unit_test_setup(the_program_sees_its_own, reset),
      cmocka_unit_test_setup(a_default_is_one_whatever_its_flags, reset),
      cmocka_unit_test_setup(a_handler_to_be_called_once_is, reset),
      cmocka_unit_test_setup(the_dump_signal_asks_and_calls_the_program, reset),
      cmocka_unit_test_setup(what_is_put_back_is_ours, reset),
      cmocka_unit_test_setup(a_signal_that_cannot_be_had_is_refused, reset),
      cmocka_unit_test_setup(a_thread_dies_when_it_has_no_lock, reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
