/* run_stop.c - see run_stop.h: the handler passes the signal on, so that who waits for the run gets its end.
   What the run left without a parent comes to this process, as their reaper, from then on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 1u /* seconds until SIGKILL */

static const int asked_by[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define ASKED_BY (sizeof asked_by / sizeof *asked_by)

static struct sigaction before[ASKED_BY], before_alarm;
static bool caught[ASKED_BY];
static volatile pid_t run;        /* 0: none */
static volatile bool has_group;   /* RUN is the number of its group, too */
static volatile sig_atomic_t got; /* a signal's number */

static void send(int number) {
  if (run > 0)
    kill(has_group ? -run : run, number);
}

/* What the terminal sends reaches the run as well, where both are one group. */
static void pass_on(int number, siginfo_t *info, void *context) {
  int saved = errno;
  (void)context;
  if (number == SIGALRM) {
    send(SIGKILL);
  } else {
    got = number;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (has_group || info->si_code <= 0)
      send(number);
    send(SIGCONT); /* it may be stopped */
    alarm(PATIENCE);
  }
  errno = saved;
}

void hp_run_stop_watch(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = pass_on;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < ASKED_BY; i++) {
    sigaction(asked_by[i], NULL, &before[i]);
    caught[i] = before[i].sa_handler != SIG_IGN;
    if (caught[i])
      sigaction(asked_by[i], &action, NULL);
  }
  sigaction(SIGALRM, &action, &before_alarm);
}

/* The terminal's own signals reach all that are in the foreground. */
static bool has_terminal(void) {
  int fd = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  bool has = fd >= 0 && tcgetpgrp(fd) == getpgrp();
  if (fd >= 0)
    close(fd);
  return has;
}

static void restore(void) {
  for (size_t i = 0; i < ASKED_BY; i++)
    if (caught[i])
      sigaction(asked_by[i], &before[i], NULL);
  sigaction(SIGALRM, &before_alarm, NULL);
}

pid_t hp_run_stop_fork(void) {
  sigset_t all, mask;
  bool own = !has_terminal();
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  pid_t pid = got ? -1 : fork();
  if (pid == 0) {
    if (own)
      setpgid(0, 0);
    restore();
  } else if (pid > 0) {
    if (own)
      setpgid(pid, pid);
    has_group = own;
    run = pid;
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  return pid;
}

void hp_run_stop_ended(void) {
  if (!got)
    run = 0;
}

int hp_run_stop_signal(void) { return got; }

/* Sends SIGKILL to the children of this process; false: it has none that could be found. */
static bool kill_children(void) {
  char path[64], word[32];
  bool any = false;
  snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
  FILE *file = fopen(path, "re");
  while (file && fscanf(file, "%31s", word) == 1) {
    pid_t pid = (pid_t)strtol(word, NULL, 10);
    any = (pid > 0 && kill(pid, SIGKILL) == 0) || any;
  }
  if (file)
    fclose(file);
  return any;
}

void hp_run_stop_clear(void) {
  alarm(0);
  if (has_group)
    send(SIGKILL);
  run = 0;
  /* Whose parent dies is a child of this process then. */
  while (kill_children())
    while (waitpid(-1, NULL, __WALL) < 0 && errno == EINTR) {
    }
}
