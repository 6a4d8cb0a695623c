// own-handlers.c - a program's own handlers are called as without us, and it is told of none but them.
// One that ends with the default, however it gets there, leaves a whole dump.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: for way in told flags recovers wild ignores stack spawn vfork; do \
// RUN:   %survives allocations=1+ -- $way || exit 1; done
// RUN: %survives -- exits
// RUN: for way in once again sysv restored flagged own_stack; do \
// RUN:   %survives "ended=signal 11" allocations=1+ -- $way || exit 1; done
// RUN: for way in abort abort_ignored abort_blocked; do \
// RUN:   %survives "ended=signal 6" allocations=1+ -- $way || exit 1; done
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;

static void say(const char *text) { write(1, text, strlen(text)); }
static void says(int number) { say("handler\n"); }
static void exits(int number) {
  say("exits\n");
  _exit(7);
}
static void jumps(int number) { siglongjmp(back, number); }
static void raises_again(int number) {
  say("again\n");
  signal(number, SIG_DFL);
  raise(number);
}
static void tells(int number, siginfo_t *info, void *context) {
  printf("%d %d %p %d\n", number, info->si_code, info->si_addr, context != 0);
  signal(number, SIG_DFL);
}

static void tells_and_jumps(int number, siginfo_t *info, void *context) {
  printf("%d %p\n", info->si_code, info->si_addr);
  siglongjmp(back, number);
}

static void crash(void) { *(volatile int *)8 = 1; }

static void told(void) {
  struct sigaction act, old;
  for (int number = 1; number < 65; number++)
    if (sigaction(number, NULL, &act) == 0)
      printf("%d: %d %x %d\n", number, act.sa_handler == SIG_DFL, act.sa_flags,
             sigismember(&act.sa_mask, SIGTERM));
  printf("%d\n", sigaction(SIGKILL, &act, &old));
  printf("%d\n", sigaction(65, NULL, &old));
  printf("%d %d\n", signal(99, SIG_DFL) == SIG_ERR, errno);
  printf("%d\n", signal(SIGTERM, SIG_IGN) == SIG_DFL);
  printf("%d\n", signal(SIGTERM, says) == SIG_IGN);
  printf("%d\n", signal(SIGTERM, SIG_DFL) == says);
  printf("%d\n", signal(SIGTERM, SIG_DFL) == SIG_DFL);
  printf("%d\n", sysv_signal(SIGTERM, says) == SIG_DFL);
  sigaction(SIGTERM, NULL, &act);
  printf("%d %x\n", act.sa_handler == says, act.sa_flags & ~0x04000000);
  raise(SIGTERM);
  printf("%d\n", sysv_signal(SIGTERM, SIG_DFL) == SIG_DFL);
  printf("%d\n", sigset(SIGTERM, SIG_HOLD) == SIG_DFL);
  printf("%d\n", sigset(SIGTERM, says) == SIG_HOLD);
  printf("%d\n", sigset(SIGTERM, SIG_DFL) == says);
  printf("%d\n", siginterrupt(SIGTERM, 1));
  sigaction(SIGTERM, NULL, &act);
  printf("%d\n", act.sa_handler == SIG_DFL);
}

static void flags(void) {
  struct sigaction act = {.sa_handler = says, .sa_flags = SA_RESTART}, old;
  sigaddset(&act.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &act, NULL);
  act = (struct sigaction){.sa_handler = SIG_DFL};
  sigaction(SIGUSR1, &act, &old);
  printf("%d %x %d %d\n", old.sa_handler == says, old.sa_flags & ~0x04000000,
         sigismember(&old.sa_mask, SIGUSR2), sigismember(&old.sa_mask, SIGHUP));
}

static int status_of(pid_t child) {
  int status;
  waitpid(child, &status, 0);
  return status;
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  struct sigaction act = {.sa_handler = says, .sa_flags = SA_RESETHAND};
  char *volatile p = malloc(10);
  setvbuf(stdout, NULL, _IONBF, 0);
  if (!strcmp(way, "told"))
    told();
  if (!strcmp(way, "flags"))
    flags();
  if (!strcmp(way, "exits")) {
    signal(SIGSEGV, exits);
    crash();
  }
  if (!strcmp(way, "recovers")) {
    signal(SIGSEGV, jumps);
    for (volatile int i = 0; i < 3; i++)
      if (sigsetjmp(back, 1) == 0)
        crash();
  }
  if (!strcmp(way, "wild")) { // faults where it says, not in a hook
    char *volatile wild[] = {(char *)8,
                             (char *)0xfffff,
                             (char *)1 + ~0xfffful,
                             (char *)0xffff800000000000,
                             (char *)-1,
                             (char *)0x0000600000001000};
    act = (struct sigaction){.sa_sigaction = tells_and_jumps,
                             .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &act, NULL);
    for (volatile unsigned i = 0; i < sizeof wild / sizeof *wild; i++)
      if (sigsetjmp(back, 1) == 0)
        *(volatile char *)wild[i];
  }
  if (!strcmp(way, "ignores")) {
    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
  }
  if (!strcmp(way, "once")) {
    sigaction(SIGSEGV, &act, NULL);
    crash();
  }
  if (!strcmp(way, "sysv")) {
    sysv_signal(SIGSEGV, says);
    crash();
  }
  if (!strncmp(way, "abort", 5)) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    if (!strcmp(way, "abort_blocked"))
      sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGABRT, !strcmp(way, "abort_ignored") ? SIG_IGN : says);
    abort();
  }
  if (!strcmp(way, "again")) {
    signal(SIGSEGV, raises_again);
    crash();
  }
  if (!strcmp(way, "restored")) {
    struct sigaction old;
    act = (struct sigaction){.sa_sigaction = tells, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &act, &old);
    sigaction(SIGSEGV, &old, NULL);
    sigaction(SIGSEGV, &act, NULL);
    crash();
  }
  if (!strcmp(way, "flagged")) { // the default, though a handler was called so
    act = (struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &act, NULL);
    crash();
  }
  stack_t stack = {.ss_sp = malloc(4096), .ss_size = 4096}, old;
  if (!strcmp(way, "stack")) {
    sigaltstack(NULL, &old);
    printf("%d %p %zu\n", old.ss_flags, old.ss_sp, old.ss_size);
    printf("%d\n", sigaltstack(&stack, &old));
    printf("%d %p\n", old.ss_flags, old.ss_sp);
    old.ss_flags = SS_DISABLE;
    sigaltstack(&old, &stack);
    printf("%d %zu\n", stack.ss_flags, stack.ss_size);
    sigaltstack(NULL, &old);
    printf("%d %p %zu\n", old.ss_flags, old.ss_sp, old.ss_size);
  }
  if (!strcmp(way, "own_stack")) { // ours must do with it
    free(stack.ss_sp);
    free(p);
    static char room[4096];
    stack.ss_sp = room;
    sigaltstack(&stack, NULL);
    crash();
  }
  char *const command[] = {"sh", "-c", "kill -TERM $$", NULL};
  if (!strcmp(way, "spawn")) {
    pid_t child;
    posix_spawn(&child, "/bin/sh", NULL, NULL, command, environ);
    printf("%d\n", status_of(child));
  }
  if (!strcmp(way, "vfork")) {
    pid_t child = vfork();
    if (child == 0)
      raise(SIGTERM);
    printf("%d\n", status_of(child));
    child = vfork();
    if (child == 0) {
      signal(SIGTERM, SIG_DFL);
      execv("/bin/sh", command);
    }
    printf("%d\n", status_of(child));
    printf("%d\n", signal(SIGTERM, SIG_IGN) == SIG_DFL);
  }
  return 5;
}
