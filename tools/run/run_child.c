/* run_child.c - see run_child.h: fork, signals passed on, wait.
   The program has the signals, the terminal and the group that this process
   was started with.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
   sends to both, being one group: nothing is passed on then.  Those of real time
   are passed on, too. */
static const int passed_on[] = {SIGHUP,   SIGINT,  SIGQUIT,   SIGTERM, SIGUSR1,
                                SIGUSR2,  SIGALRM, SIGPIPE,   SIGABRT, SIGURG,
                                SIGWINCH, SIGIO,   SIGVTALRM, SIGPROF, SIGPWR};
#define PASSED_ON (sizeof passed_on / sizeof *passed_on)

static volatile pid_t child;

static void pass_on(int number, siginfo_t *info, void *context) {
  int saved = errno;
  (void)context;
  if (child > 0 && info->si_code <= 0 && info->si_pid != child) {
    if (info->si_code == SI_QUEUE)
      sigqueue(child, number, info->si_value);
    else
      kill(child, number);
  }
  errno = saved;
}

static sigset_t ignored;

static void catch_signal(int number) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART}, before;
  action.sa_sigaction = pass_on;
  sigfillset(&action.sa_mask);
  if (sigaction(number, &action, &before) == 0 && before.sa_handler == SIG_IGN)
    sigaddset(&ignored, number);
}

/* What is ignored is so for the program, too, unless it wants it, as what a script
   starts in the background SIGINT: it is passed on as the others. */
static void catch_signals(void) {
  sigemptyset(&ignored);
  for (size_t i = 0; i < PASSED_ON; i++)
    catch_signal(passed_on[i]);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
    catch_signal(number);
}

static void ignore_again(void) {
  for (int number = 1; number <= SIGRTMAX; number++)
    if (sigismember(&ignored, number) == 1)
      signal(number, SIG_IGN);
}

/* ---- the child ----------------------------------------------------------- */

/* ERROR is shared with the parent, and out of the program's reach once it is
   executed: a pipe would take descriptors, of which few may be had. */
_Noreturn static void be_child(const struct hp_run_command *command, int *error,
                               const sigset_t *mask) {
  sigprocmask(SIG_SETMASK, mask, NULL);
  *error = hp_run_become(command);
  _exit(127);
}

static void start_and_wait(const struct hp_run_command *command, pid_t *pid,
                           int *status, int *error) {
  sigset_t all, mask;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  child = *pid = fork();
  if (child == 0)
    be_child(command, error, &mask);
  if (child < 0)
    *error = errno;
  catch_signals();
  sigprocmask(SIG_SETMASK, &mask, NULL);
  while (child > 0 && waitpid(child, status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  ignore_again();
}

int hp_run_and_wait(const struct hp_run_command *command, pid_t *pid,
                    int *status) {
  int *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return errno;
  start_and_wait(command, pid, status, shared);
  const int error = *shared;
  munmap(shared, sizeof *shared);
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
