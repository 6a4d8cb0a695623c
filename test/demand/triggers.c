// triggers.c - dumps by a signal, by time, by live bytes, by allocations, while the program computes or waits.
// The program ends when the last of the dumps that it was promised is whole; without it, it runs for ever.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 %s -o %t
//
// What the dump says is of one moment, at which the program had as many chunks of 1000 bytes as the option waits for.
// RUN: for how in wait compute; do for asked in dump_after_ms=5,0 dump_at_bytes=100000,100 dump_at_allocations=100,100; do \
// RUN:   options=${asked%%,*}; %env_heapprof_opts=$options %run %t %dump 1 $how 2> %t.err; test $? = 3 && \
// RUN:   count 0 < %t.err && ls %dump | count 2 && %facts %dump > %t.facts && awk -v name=${options%%%%=*} -v least=${asked#*,} \
// RUN:     '$1 == 1 { exit !($2 == name && $3 >= least && $4 + $5 == 0 && $6 == 1000 * $3) }' %t.facts && \
// RUN:   grep "^last exit 200 " %t.facts || exit 1; done; done
//
// Again and again; exact times need no ticker, but these do.
// RUN: %env_heapprof_opts=dump_after_ms=2:dump_repeat=1:exact_time=1 %run %t %dump 4 wait; test $? = 3
// RUN: %env_heapprof_opts=dump_at_bytes=1000000:dump_repeat=1 %run %t %dump 4 grow; test $? = 3
// RUN: %env_heapprof_opts=dump_at_allocations=300:dump_repeat=1 %run %t %dump 4 grow; test $? = 3
//
// By a signal, of which the program knows nothing: or has a handler, ignores it, wants it blocked in this thread.
// RUN: for how in signal handler ignore blocked default; do \
// RUN:   %env_heapprof_opts=dump_signal=12 %run %t %dump 2 $how; test $? = 3 && \
// RUN:   %facts %dump | grep "^2 dump_signal 200 0 0 200000$" || exit 1; done
//
// Not reached.
// RUN: %env_heapprof_opts=dump_after_ms=3600000:dump_at_bytes=100000000:dump_at_allocations=1000:dump_signal=10 \
// RUN:   %run %t %dump 0 none; test $? = 3 && ls %dump | count 1
//
// Forked children count from the fork.
// RUN: %env_heapprof_opts=dump_at_allocations=100 %run %t %dump 1 fork; test $? = 3 && \
// RUN:   ls -d %dump/heapprof.*.1 | count 2
//
// A signal right before the fork, which nobody has looked at so far, is the parent's.
// RUN: %env_heapprof_opts=dump_at_allocations=300:dump_signal=12:tick_us=100000 %run %t %dump 1 asked-fork; test $? = 3 && \
// RUN:   %facts %dump > %t.facts && grep -c "^1 dump_signal 200 0 0 200000$" %t.facts | grep -x 1 && \
// RUN:   grep -c "^1 dump_at_allocations " %t.facts | grep -x 1
//
// Signals that cannot be had, and values that are none.
// RUN: for options in dump_signal=9 dump_signal=19 dump_signal=32 dump_signal=11 dump_signal=17 dump_signal=65 \
// RUN:     dump_signal=USR1 dump_after_ms=-1 dump_after_ms=31536000001 start=2 dump_repeat=x; do \
// RUN:   %env_heapprof_opts=exitcode=17:$options %run %t %dump 0 none 2> %t.err; \
// RUN:   test $? = 17 && count 1 < %t.err && grep "ERROR: .*${options%%%%=*}" %t.err || exit 1; done
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *dumps;
static volatile int handled;

static void handle(int number) { handled++; }

// True if this process's dump of that number is whole.
static int there_is(int number) {
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.triggers.c.tmp.%d.%d/end", dumps,
           (int)getpid(), number);
  return access(path, F_OK) == 0;
}

static void wait_for(int number, const char *how) {
  while (!there_is(number))
    if (strcmp(how, "compute") != 0)
      usleep(1000);
}

static void allocate(void) {
  for (int i = 0; i < 200; i++)
    *(char *volatile)malloc(1000) = 1;
}

static int is(const char *how, const char *name) { return !strcmp(how, name); }

int main(int argc, char **argv) {
  dumps = argv[1];
  int count = atoi(argv[2]);
  const char *how = argv[3];
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, 12);
  if (is(how, "handler"))
    signal(12, handle);
  if (is(how, "ignore"))
    signal(12, SIG_IGN);
  if (is(how, "default"))
    signal(12, SIG_DFL);
  if (is(how, "blocked"))
    pthread_sigmask(SIG_BLOCK, &set, NULL);
  allocate();
  if (is(how, "asked-fork"))
    kill(getpid(), 12);
  if (is(how, "fork") || is(how, "asked-fork")) {
    pid_t child = fork();
    for (int i = 0; child == 0 && i < 2; i++)
      allocate();
    wait_for(1, how);
    int status;
    if (child && (waitpid(child, &status, 0) != child || status != 3 << 8))
      return 1;
    return 3;
  }
  if (is(how, "wait") || is(how, "compute"))
    wait_for(count, how);
  for (int i = 1; i <= count && is(how, "grow"); i++) {
    for (int k = 0; k < 5; k++)
      allocate();
    wait_for(i, how);
  }
  int by_signal = is(how, "signal") || is(how, "handler") ||
                  is(how, "ignore") || is(how, "blocked") || is(how, "default");
  for (int i = 1; i <= count && by_signal; i++) {
    if (is(how, "blocked") && there_is(i))
      return 1;
    errno = 77;
    kill(getpid(), 12);
    if (is(how, "blocked")) {
      pthread_sigmask(SIG_UNBLOCK, &set, NULL);
      pthread_sigmask(SIG_BLOCK, &set, NULL);
    }
    if (errno != 77)
      return 2;
    wait_for(i, how);
  }
  return is(how, "handler") && handled != count ? 4 : 3;
}
