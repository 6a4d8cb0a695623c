/* trial.c - see trial.h: fork, environment, exec, wait4.
   A run has the signals and the terminal of this process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "trial.h"

#include "meter_record.h"
#include "run_stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The meter first, then the allocator, then what was there. */
static int set_preload(const struct hp_trial_plan *plan) {
  const char *before = getenv("LD_PRELOAD"), *ours = plan->contender->library;
  char *joined;
  if (!plan->meter && !ours)
    return 0;
  if (asprintf(&joined, "%s%s%s%s%s", plan->meter ? plan->meter : "",
               plan->meter && ours ? ":" : "", ours ? ours : "",
               before && *before ? ":" : "", before ? before : "") < 0)
    return ENOMEM;
  int error = setenv("LD_PRELOAD", joined, 1) == 0 ? 0 : errno;
  free(joined);
  return error;
}

/* The record is a file of the parent's, which is there as long as the parent. */
static int set_meter(const struct hp_trial_plan *plan) {
  char path[64];
  int64_t pid = getpid();
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getppid(), plan->record);
  if (pwrite(plan->record, &pid, sizeof pid,
             offsetof(struct hp_meter_record, pid)) != sizeof pid)
    return EIO;
  return setenv(HP_METER_VARIABLE, path, 1) == 0 ? 0 : errno;
}

static int reopen(int stream, const char *path, int flags) {
  int fd = open(path, flags | O_CLOEXEC);
  if (fd < 0 || dup2(fd, stream) < 0)
    return errno;
  return 0;
}

static int set_streams(const struct hp_trial_plan *plan) {
  char path[32];
  int error = 0;
  if (plan->input >= 0)
    snprintf(path, sizeof path, "/proc/self/fd/%d", plan->input);
  error = reopen(0, plan->input >= 0 ? path : "/dev/null", O_RDONLY);
  for (int stream = 1; stream <= 2 && !plan->shown && !error; stream++)
    error = reopen(stream, "/dev/null", O_WRONLY);
  return error;
}

int hp_trial_become(const struct hp_trial_plan *plan) {
  const struct hp_contender *contender = plan->contender;
  int error = set_streams(plan);
  if (!error && plan->meter)
    error = set_meter(plan);
  if (!error)
    error = set_preload(plan);
  if (!error && contender->variable &&
      setenv(contender->variable, contender->content, 1) != 0)
    error = errno;
  if (error)
    return error;
  execv(plan->path, plan->arguments);
  if (errno == ENOEXEC) /* a script without a first line */
    execvp(plan->path, plan->arguments);
  return errno;
}

static uint64_t ns_of(const struct timeval *time) {
  return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void take_usage(struct hp_trial *trial, const struct rusage *usage) {
  trial->user_ns = ns_of(&usage->ru_utime);
  trial->system_ns = ns_of(&usage->ru_stime);
  trial->peak_rss_bytes = (uint64_t)usage->ru_maxrss * 1024u;
  trial->minor_faults = (uint64_t)usage->ru_minflt;
  trial->major_faults = (uint64_t)usage->ru_majflt;
}

int hp_trial_run(const struct hp_trial_plan *plan, struct hp_trial *trial) {
  struct rusage usage;
  int ends[2], error = 0;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return errno;
  fflush(NULL);
  uint64_t begin = now_ns();
  pid_t pid = hp_run_stop_fork();
  if (pid == 0) {
    error = hp_trial_become(plan);
    _exit(write(ends[1], &error, sizeof error) < 0 ? 126 : 127);
  }
  close(ends[1]);
  if (pid < 0)
    error = EAGAIN;
  else if (read(ends[0], &error, sizeof error) < (ssize_t)sizeof error)
    error = 0;
  close(ends[0]);
  while (pid > 0 && wait4(pid, &trial->status, 0, &usage) < 0)
    if (errno != EINTR)
      return errno;
  hp_run_stop_ended();
  trial->elapsed_ns = now_ns() - begin;
  if (pid > 0)
    take_usage(trial, &usage);
  return error;
}
