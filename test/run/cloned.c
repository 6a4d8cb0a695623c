/* cloned.c - copies of a process that clone makes, the system call or _Fork, allocate, fork and end, whatever our threads were
   doing as they were made.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: gcc -O1 %s -o %t
// RUN: rm -rf %t.d && timeout 300 %heapprof_run --quiet --checkpoint-ms=1 -o %t.d %t | FileCheck %s
// RUN: %clang_heapprof -O1 %s -o %t.hooked && mkdir %t.d/hooked
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d/hooked:checkpoint_ms=1 timeout 300 %t.hooked | FileCheck %s
// CHECK: copies that ended as they should: 100
// CHECK-NEXT: by other ways: 100
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern pid_t _Fork(void) __attribute__((weak));

enum { COPIES = 100, STACK = 1 << 20 };

static char *volatile kept;

static void allocate(void) {
  for (size_t i = 0; i < 1000; i++) {
    kept = malloc(i);
    free(kept);
  }
}

static int ended(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status)
             ? WEXITSTATUS(status)
             : -1;
}

static int copy(void *arg) {
  alarm(20);
  allocate();
  pid_t child = fork();
  if (!child) {
    allocate();
    _exit(3);
  }
  return ended(child) + *(int *)arg;
}

enum { CLONE, CLONE3, FORK, PLAIN_FORK, KINDS };

static pid_t raw_copy(int kind) {
  long long clone3[8] = {[4] = SIGCHLD};
  switch (kind) {
  case CLONE:
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  case CLONE3:
    return (pid_t)syscall(SYS_clone3, clone3, sizeof clone3);
  case FORK:
    return (pid_t)syscall(SYS_fork);
  default:
    return _Fork ? _Fork() : fork(); /* from glibc 2.34 on */
  }
}

static int raw_copies(void) {
  int good = 0, more = 4;
  for (int i = 0; i < COPIES; i++) {
    allocate();
    pid_t child = raw_copy(i % KINDS);
    if (!child)
      _exit(copy(&more));
    good += ended(child) == 7;
  }
  return good;
}

int main(void) {
  static char stack[STACK];
  int good = 0, more = 4;
  for (int i = 0; i < COPIES; i++) {
    allocate();
    good += ended(clone(copy, stack + STACK, SIGCHLD, &more)) == 7;
  }
  printf("copies that ended as they should: %d\n", good);
  printf("by other ways: %d\n", raw_copies());
  return 0;
}
