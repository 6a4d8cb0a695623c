// life.c - sampling in a program of many threads, in its forked children, around windows, and with errors in it.
// What is not sampled is freed by any thread; a pointer that is no chunk is reported in either range.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 -g -pthread %s -o %t
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/threads':sample_every=10" %t threads | grep -x 80000
// RUN: %sampled list %t.d/threads | FileCheck %s --check-prefix=THREADS
// THREADS: mode every interval 10 seed 0 requests 8{{[0-9][0-9][0-9][0-9]}} bytes
// THREADS: samples add up
//
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/fork':sample_bytes=1000" %t fork | grep -x 20000
// RUN: %sampled list %t.d/fork/* | grep -c 'samples add up' | grep -x 2
//
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/window':sample_every=2:start=0" %t window
// RUN: %sampled list %t.d/window | FileCheck %s --check-prefix=WINDOW
// WINDOW: requests 1000 bytes 16000
//
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/wrong':sample_every=1000000" %t wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: free of 0x{{[0-9a-f]+}}, which is no live heap chunk
// WRONG: free of 0x{{[0-9a-f]+}}, which is no live heap chunk
// WRONG: free of 0x{{[0-9a-f]+}}, which is no live heap chunk
// WRONG: realloc of 0x{{[0-9a-f]+}}, which is no live heap chunk
// WRONG: free of 0x{{[0-9a-f]+}}, which is no live heap chunk
// WRONG-NOT: which is no live
// WRONG: done
// RUN: %heapprof_score %t.d/wrong | grep 'invalid frees 5,'
//
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/handler':sample_every=3" %t handler | grep -x done
//
// RUN: bash -c 'ulimit -v 2000000; HEAPPROF_OPTIONS="dump_dir=%t.d/limit:sample_every=10" %t threads' | grep -x 80000
//
// RUN: env HEAPPROF_OPTIONS="sample_every=3:sample_bytes=9" not %t threads 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: ERROR: sample_every=3 and sample_bytes=9 cannot both be; leave out one of them
// RUN: env HEAPPROF_OPTIONS="sample_every=0x10" not %t threads 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: sample_every=0x10: not a number from 0 to 16777216
// RUN: env HEAPPROF_OPTIONS="sample_bytes=16777217" not %t threads 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: sample_bytes=16777217: not a number from 0 to 16777216
#include <pthread.h>
#include <sanitizer/heapprof_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void *shared[4][20000];

static void *make(void *arg) {
  void **mine = arg;
  for (int i = 0; i < 20000; i++) {
    mine[i] = malloc((size_t)(i % 100 + 1));
    *(char *)mine[i] = 1;
  }
  return NULL;
}

/* Frees what its neighbour made. */
static void *drop(void *arg) {
  void **its = arg;
  for (int i = 0; i < 20000; i++)
    free(its[i]);
  return NULL;
}

static void threads(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, make, shared[i]);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, drop, shared[(i + 1) % 4]);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  printf("80000\n");
}

static void in_child(void) {
  make(shared[0]);
  fflush(NULL);
  pid_t child = fork();
  drop(shared[0]);
  make(shared[0]);
  if (child == 0)
    return;
  wait(NULL);
  printf("20000\n");
}

static void window(void) {
  for (int i = 0; i < 5000; i++)
    free(malloc(100));
  void *before = malloc(10);
  __heapprof_start();
  for (int i = 0; i < 1000; i++)
    free(malloc(16));
  __heapprof_stop();
  free(before);
  for (int i = 0; i < 5000; i++)
    free(malloc(100));
}

static void wrong(void) {
  char *p = malloc(100), *large = malloc(1000000);
  char *huge = malloc((size_t)1 << 37);
  if (huge) /* not where the system has less memory */
    huge[(size_t)1 << 36] = 1;
  free(huge);
  free(p);
  free(p);
  p = malloc(100);
  free(p + 16);
  free(large);
  free(large);
  realloc(large, 5);
  free(p);
  free((char *)p + ((size_t)1 << 35)); /* beyond all slots of its class */
  printf("done\n");
}

static volatile sig_atomic_t handled;
static void *kept[64];

static void handle(int number) {
  int i = (int)(handled++ % 64);
  free(kept[i]);
  kept[i] = malloc((size_t)i + 1);
  memset(kept[i], 7, (size_t)i + 1);
}

/* A handler that allocates, wherever the program is. */
static void in_handler(void) {
  struct itimerval often = {{0, 50}, {0, 50}};
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &often, NULL);
  while (handled < 2000)
    for (int i = 0; i < 1000; i++) {
      char *p = malloc((size_t)(i % 64 + 1));
      memset(p, 3, (size_t)(i % 64 + 1));
      for (int k = 0; k <= i % 64; k++)
        if (p[k] != 3)
          abort(); /* the handler was given the same */
      free(p);
    }
  often = (struct itimerval){0};
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 64; i++)
    for (int k = 0; kept[i] && k <= i; k++)
      if (((char *)kept[i])[k] != 7)
        abort();
  printf("done\n");
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IONBF, 0);
  switch (argv[1][0]) {
  case 't':
    threads();
    break;
  case 'f':
    in_child();
    break;
  case 'h':
    in_handler();
    break;
  default:
    argv[1][1] == 'i' ? window() : wrong();
  }
}
