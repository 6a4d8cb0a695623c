// fork.c - a child has a profile of its own, without what it inherited; the
// parent's goes on; other threads may hold the allocator when fork is called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 %s -o %t
// RUN: %run %t 2> %t.errors && count 0 < %t.errors && ls %dump | count 2
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python -c 'import json, sys; \
// RUN:   p = json.load(open(sys.argv[1]))["processes"]; \
// RUN:   print(sorted((x["exit_status"], x["allocations"], x["frees"]) \
// RUN:                for x in p))' %t.json | FileCheck %s
// Parent: 10 chunks, 5 freed.  Child: 3 of its own, of which it frees one; the
// frees of 10 inherited ones do not count.
// CHECK: [(0, 10, 5), (4, 3, 1)]
//
// RUN: %env_heapprof_opts=profile_children=0 %run %t && ls %dump | count 1
//
// RUN: %run %t threads 2> %t.errors && count 0 < %t.errors
// RUN: ls %dump | count 21 && %heapprof_score --json %dump > /dev/null
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;

static void *allocates(void *unused) {
  (void)unused;
  // Bounded, for every ended chunk is kept until the dump is written.
  for (int n = 0; n < 2000 && !stop; n++) {
    char *p[20];
    for (int i = 0; i < 20; i++)
      memset(p[i] = malloc(i * 5000 + 1), 1, i + 1);
    for (int i = 0; i < 20; i++)
      free(p[i]);
  }
  return NULL;
}

static int threads(void) {
  pthread_t thread[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&thread[i], NULL, allocates, NULL);
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      for (int n = 1; n < 100; n++) {
        char *p = calloc(n, 100);
        p = realloc(p, n * 200);
        free(p);
      }
      _exit(3);
    }
    int status;
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3)
      return 1;
  }
  stop = 1;
  for (int i = 0; i < 3; i++)
    pthread_join(thread[i], NULL);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return threads();
  char *p[10];
  for (int i = 0; i < 10; i++)
    p[i] = malloc(100);
  pid_t child = fork();
  if (child == 0) {
    char *q[3];
    for (int i = 0; i < 3; i++)
      q[i] = malloc(50);
    free(q[0]);
    for (int i = 0; i < 10; i++)
      free(p[i]);
    exit(4);
  }
  int status;
  waitpid(child, &status, 0);
  for (int i = 0; i < 5; i++)
    free(p[i]);
  return WEXITSTATUS(status) != 4;
}
