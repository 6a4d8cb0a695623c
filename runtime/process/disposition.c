/* disposition.c - see disposition.h: handlers in place of a deadly default.
   What the program installs itself is called by the kernel, not by us.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "process/disposition.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "options/options.h"
#include "process/demand.h"
#include "process/own_profile.h"
#include "system/forbidden_calls.h"
#include "system/memory.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/real_libc.h"
#include "system/signal_mask.h"
#include "system/waiting.h"
#include "thread/thread_state.h"

#define HP_SIGNALS 65 /* 1 to 64 */

#define HP_GUARD ((size_t)4 << 10)
#define HP_HANDLER_STACK ((size_t)256 << 10) /* of a thread, guard included */
#define HP_DUMP_STACK ((size_t)512 << 10)    /* of whichever thread dies */

#define HP_LEAST_STACK ((size_t)1 << 10) /* of on_death(), up to its dump */

static bool takes_fatal;
static char *dump_stack;
static bool stacks_are_small; /* of the program, for its handlers: one was */

/* What the program asked for where a handler of ours must stand before its
   own: the dump signal, and handlers that are to be called once. */
static struct sigaction programs[HP_SIGNALS];

/* By the handler alone, as the kernel has it: SA_SIGINFO says nothing of the
   default. */
static bool is_default(const struct sigaction *act) {
  return act->sa_handler == SIG_DFL;
}

/* Signals whose default is to end the process, and that can be caught; 32 and
   33 are libc's own. */
static bool is_fatal(int number) {
  switch (number) {
  case SIGKILL:
  case SIGSTOP:
  case SIGCHLD:
  case SIGCONT:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
  case SIGURG:
  case SIGWINCH:
  case 32:
  case 33:
    return false;
  default:
    return number > 0 && number < HP_SIGNALS;
  }
}

/* Those that the faulting thread's next instruction would raise again. */
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};

static bool is_fault(int number) {
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (faults[i] == number)
      return true;
  return false;
}

bool hp_disposition_is_ours(int number) {
  return number > 0 && number < HP_SIGNALS &&
         (number == hp_options.dump_signal ||
          (takes_fatal && is_fatal(number)));
}

/* ---- a deadly signal ----------------------------------------------------- */

static struct {
  int thread; /* that dies; 0: none yet */
  int number;
  siginfo_t info;
} death;

/* Only from here on another fault comes to on_death: on a stack that is too small
   for that it ends the process, where it would come again and again. */
static void finish(void *unused) {
  (void)unused;
  uint64_t mask;
  if (!hp_forbids(SYS_rt_sigprocmask)) {
    hp_sys_block_signals(&mask);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
      mask &= ~((uint64_t)1 << (faults[i] - 1));
    hp_sys_restore_signals(&mask);
  }
  hp_finish_dying(death.number);
}

/* On a stack of its own: the thread's may be full, and its handlers' small. */
static void call_on(char *top, void (*function)(void *), void *arg) {
  __asm__ volatile("movq %%rsp, %%rbx\n\t"
                   "movq %[top], %%rsp\n\t"
                   "callq *%[function]\n\t"
                   "movq %%rbx, %%rsp"
                   : "+D"(arg), [top] "+S"(top), [function] "+d"(function)
                   :
                   : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "memory",
                     "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                     "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                     "xmm13", "xmm14", "xmm15");
}

/* The signal once more, with nobody in its way: the process ends as it would
   have without us.  AT_RETURN: when the handler returns, so that a core file
   shows the thread where it was.  Where signals cannot be sent the process must
   not go on either: its profile is finished.  Nor may a fault come again to this
   handler, where that cannot be taken away. */
static void die_of(int number, siginfo_t *info, bool at_return) {
  struct sigaction none = {.sa_handler = SIG_DFL};
  bool comes_again = is_fault(number);
  if (hp_forbids(SYS_rt_sigaction))
    hp_sys_reset_signal(number);
  else
    comes_again &= hp_real_sigaction(number, &none, NULL) == 0;
  hp_sys_mask_signal(number, true);
  if (!hp_sys_queue_signal(number, info) && !comes_again)
    hp_sys_end_process(128 + number);
  if (!at_return)
    hp_sys_mask_signal(number, false);
}

/* Whether the signal comes again as soon as the thread has no lock of the allocator,
   which the dump needs, with what it is in the middle of.  A fault would not. */
static bool is_put_off(int number, siginfo_t *info, ucontext_t *context) {
  uint64_t *mask = &context->uc_sigmask.__val[0], saved = *mask;
  if (is_fault(number) || hp_forbids(SYS_rt_sigprocmask) ||
      !hp_lock_hold_back(mask))
    return false;
  if (hp_sys_queue_signal(number, info))
    return true;
  *mask = saved;
  return false;
}

static void on_death(int number, siginfo_t *info, void *context) {
  int self = hp_sys_gettid(), none = 0;
  if (hp_sys_pid() == 1 && !is_fault(number))
    return; /* the kernel keeps these from the first process */
  if (!hp_profile_is_ours()) { /* a child of vfork */
    die_of(number, info, true);
    return;
  }
  if (is_put_off(number, info, context))
    return;
  if (!__atomic_compare_exchange_n(&death.thread, &none, self, false,
                                   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    if (none != self) /* another thread dies; so will this one */
      for (;;)
        hp_sys_sleep_ns(1000000000u);
    /* A fault while the dump was written: no more of it. */
    die_of(death.number, &death.info, false);
    die_of(number, info, true);
    return;
  }
  death.number = number;
  death.info = *info;
  if (dump_stack)
    call_on(dump_stack + HP_DUMP_STACK, finish, NULL);
  die_of(number, info, true);
}

/* ---- the dump signal, and handlers to be called once --------------------- */

static struct sigaction death_action(void) {
  struct sigaction act = {.sa_sigaction = on_death,
                          .sa_flags = SA_SIGINFO | SA_RESTART};
  if (!stacks_are_small)
    act.sa_flags |= SA_ONSTACK;
  sigfillset(&act.sa_mask);
  return act;
}

static void on_signal(int number, siginfo_t *info, void *context) {
  struct sigaction program = programs[number];
  if (number == hp_options.dump_signal)
    hp_demand_by_signal();
  if (program.sa_flags & (int)SA_RESETHAND) {
    struct sigaction none = {.sa_handler = SIG_DFL};
    hp_disposition_ask(number, &none);
    hp_real_sigaction(number, &none, NULL);
  }
  if (is_default(&program) || program.sa_handler == SIG_IGN)
    return;
  if (program.sa_flags & SA_SIGINFO)
    program.sa_sigaction(number, info, context);
  else
    program.sa_handler(number);
}

/* Ours itself, as libc's functions put it back after having saved it. */
static bool is_own(const struct sigaction *act) {
  return (act->sa_flags & SA_SIGINFO) &&
         (act->sa_sigaction == on_signal || act->sa_sigaction == on_death);
}

void hp_disposition_ask(int number, struct sigaction *act) {
  bool of_dumps = number == hp_options.dump_signal;
  if (!hp_disposition_is_ours(number) || is_own(act))
    return;
  if (!of_dumps && is_default(act)) {
    *act = death_action();
  } else if (of_dumps || (act->sa_flags & (int)SA_RESETHAND)) {
    programs[number] = *act;
    if (is_default(act) || act->sa_handler == SIG_IGN)
      act->sa_flags |= SA_RESTART | SA_ONSTACK;
    act->sa_sigaction = on_signal;
    act->sa_flags &= ~(int)SA_RESETHAND;
    act->sa_flags |= SA_SIGINFO;
  }
}

void hp_disposition_told(int number, struct sigaction *told) {
  if (!(told->sa_flags & SA_SIGINFO))
    return;
  if (told->sa_sigaction == on_signal)
    *told = programs[number];
  else if (told->sa_sigaction == on_death)
    *told = (struct sigaction){.sa_handler = SIG_DFL};
}

/* ---- stacks of handlers -------------------------------------------------- */

static char *new_stack(size_t size) {
  char *stack = hp_sys_reserve(size);
  if (stack && !hp_sys_commit(stack + HP_GUARD, size - HP_GUARD)) {
    hp_sys_unmap(stack, size);
    return NULL;
  }
  return stack;
}

static bool is_kept(const stack_t *stack, const struct hp_thread *self) {
  return self && self->handler_stack && !(stack->ss_flags & SS_DISABLE) &&
         stack->ss_sp == self->handler_stack + HP_GUARD;
}

void hp_handler_stack_use(void) {
  struct hp_thread *self = hp_thread_self;
  stack_t stack;
  if (!self || !dump_stack || hp_forbids(SYS_sigaltstack) ||
      hp_real_sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
    return;
  if (!self->handler_stack)
    self->handler_stack = new_stack(HP_HANDLER_STACK);
  if (!self->handler_stack)
    return;
  stack = (stack_t){.ss_sp = self->handler_stack + HP_GUARD,
                    .ss_size = HP_HANDLER_STACK - HP_GUARD};
  hp_real_sigaltstack(&stack, NULL);
}

void hp_handler_stack_given(size_t size) {
  struct sigaction act;
  if (stacks_are_small || size >= getauxval(AT_MINSIGSTKSZ) + HP_LEAST_STACK)
    return;
  stacks_are_small = true;
  for (int number = 1; number < HP_SIGNALS; number++)
    if (hp_disposition_is_ours(number) && !hp_forbids(SYS_rt_sigaction) &&
        hp_real_sigaction(number, NULL, &act) == 0 &&
        (act.sa_flags & SA_SIGINFO) && act.sa_sigaction == on_death) {
      act.sa_flags &= ~SA_ONSTACK;
      hp_real_sigaction(number, &act, NULL);
    }
}

void hp_handler_stack_leave(void) {
  stack_t stack;
  if (hp_thread_self) /* another one gets its block */
    __atomic_store_n(&hp_thread_self->signal_stack, 0, __ATOMIC_RELAXED);
  if (hp_forbids(SYS_sigaltstack) || hp_real_sigaltstack(NULL, &stack) != 0 ||
      !is_kept(&stack, hp_thread_self))
    return;
  stack = (stack_t){.ss_flags = SS_DISABLE};
  hp_real_sigaltstack(&stack, NULL);
}

void hp_handler_stack_told(void *told) {
  if (is_kept(told, hp_thread_self))
    *(stack_t *)told = (stack_t){.ss_flags = SS_DISABLE};
}

/* ---- the start ----------------------------------------------------------- */

static void take_over(int number) {
  struct sigaction act;
  if (hp_real_sigaction(number, NULL, &act) != 0 ||
      (number != hp_options.dump_signal && !is_default(&act)))
    return; /* ignored, as nohup leaves it */
  hp_disposition_ask(number, &act);
  hp_real_sigaction(number, &act, NULL);
}

void hp_dispositions_start(bool fatal) {
  int asked = hp_options.dump_signal;
  if (asked && (!is_fatal(asked) || is_fault(asked)))
    hp_sys_die("dump_signal=%d: not a signal that can be had for this; use one "
               "such as 10 (SIGUSR1), 12 (SIGUSR2) or 34 to 64",
               asked);
  takes_fatal = fatal;
  if (fatal)
    dump_stack = new_stack(HP_DUMP_STACK);
  for (int number = 1; number < HP_SIGNALS; number++)
    if (number == asked || (fatal && is_fatal(number)))
      take_over(number);
}
