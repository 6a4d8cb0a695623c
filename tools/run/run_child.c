/* run_child.c - see run_child.h: fork, signals passed on, wait.
   The program has the signals, the terminal and the group that this process
   was started with.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int hp_run_become(const struct hp_run_command *command) {
  if ((command->options &&
       setenv("HEAPPROF_OPTIONS", command->options, 1) != 0) ||
      (command->preload && setenv("LD_PRELOAD", command->preload, 1) != 0))
    return errno;
  execvp(command->path, command->arguments);
  return errno;
}

/* ---- signals ------------------------------------------------------------- */

/* What somebody sends to this process is meant for the program.  The terminal
   sends to both, being one group: nothing is passed on then. */
static const int passed_on[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE};
#define PASSED_ON (sizeof passed_on / sizeof *passed_on)

static volatile pid_t child;

static void pass_on(int number, siginfo_t *info, void *context) {
  int saved = errno;
  (void)context;
  if (child > 0 && info->si_code <= 0 && info->si_pid != child)
    kill(child, number);
  errno = saved;
}

/* What is ignored stays so for both. */
static void catch_signals(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART}, before;
  action.sa_sigaction = pass_on;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < PASSED_ON; i++)
    if (sigaction(passed_on[i], NULL, &before) == 0 &&
        before.sa_handler != SIG_IGN)
      sigaction(passed_on[i], &action, NULL);
}

/* ---- the child ----------------------------------------------------------- */

/* Tells the parent by PIPE, which closes where it succeeds. */
_Noreturn static void be_child(const struct hp_run_command *command, int pipe,
                               const sigset_t *mask) {
  sigprocmask(SIG_SETMASK, mask, NULL);
  int error = hp_run_become(command);
  while (write(pipe, &error, sizeof error) < 0 && errno == EINTR) {
  }
  _exit(127);
}

/* 0 if the other end was closed without a word. */
static int hear(int pipe) {
  int error = 0;
  ssize_t n;
  while ((n = read(pipe, &error, sizeof error)) < 0 && errno == EINTR) {
  }
  close(pipe);
  return n == (ssize_t)sizeof error ? error : 0;
}

int hp_run_and_wait(const struct hp_run_command *command, pid_t *pid,
                    int *status) {
  int ends[2];
  sigset_t all, mask;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return errno;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  child = *pid = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(command, ends[1], &mask);
  }
  int error = child < 0 ? errno : 0;
  close(ends[1]);
  catch_signals();
  sigprocmask(SIG_SETMASK, &mask, NULL);
  if (error) {
    close(ends[0]);
    return error;
  }
  error = hear(ends[0]);
  while (waitpid(*pid, status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  return error;
}

_Noreturn void hp_run_end_like(int status) {
  if (WIFSIGNALED(status)) {
    /* The program has left a core file where there is to be one. */
    struct rlimit none = {0, 0};
    sigset_t set;
    int number = WTERMSIG(status);
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    exit(128 + number);
  }
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}
