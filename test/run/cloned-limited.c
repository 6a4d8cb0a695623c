/* cloned-limited.c - a copy of a process that clone makes may limit its own memory, as each session of vsftpd does.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: gcc -O1 %s -o %t
// RUN: rm -rf %t.d && %heapprof_run --quiet -o %t.d %t | FileCheck %s
// RUN: %clang_heapprof -O1 %s -o %t.hooked && mkdir %t.d/hooked
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d/hooked %t.hooked | FileCheck %s
// CHECK: of space: call 0, clone 0, fork 0
// CHECK-NEXT: of data: call 0, clone 0, fork 0
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 1 << 20, CHUNKS = 100 };

static char *chunks[CHUNKS];

/* 0: what fits the limit can be had. */
static int limited(void *resource) {
  const struct rlimit limit = {200 << 20, 200 << 20};
  if (setrlimit(*(int *)resource, &limit))
    return 1;
  if (mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
           -1, 0) == MAP_FAILED)
    return 2;
  for (size_t i = 0; i < CHUNKS; i++) {
    if (!(chunks[i] = malloc(i * i * 10)))
      return 3;
    memset(chunks[i], 1, i * i * 10);
  }
  for (size_t i = 0; i < CHUNKS; i++)
    free(chunks[i]);
  char *volatile much = malloc(300 << 20);
  return much ? 4 : 0;
}

static int ended(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status)
             ? WEXITSTATUS(status)
             : -1;
}

static int by_call(int resource) {
  pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (!child)
    _exit(limited(&resource));
  return ended(child);
}

static int by_clone(int resource) {
  static char stack[STACK];
  return ended(clone(limited, stack + STACK, SIGCHLD, &resource));
}

static int by_fork(int resource) {
  pid_t child = fork();
  if (!child)
    _exit(limited(&resource));
  return ended(child);
}

static void try(const char *what, int resource) {
  int call = by_call(resource), cloned = by_clone(resource);
  printf("%s: call %d, clone %d, fork %d\n", what, call, cloned,
         by_fork(resource));
}

int main(void) {
  char *volatile kept = malloc(1000);
  free(kept);
  try("of space", RLIMIT_AS);
  try("of data", RLIMIT_DATA);
  return 0;
}
