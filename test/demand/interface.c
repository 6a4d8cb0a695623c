// interface.c - start, stop, dump and reset from the program: what is in each dump, errno, other threads, no flag.
// Each line of facts: number, how it ended, allocations, frees, earlier frees, live bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 %s -o %t && %run %t 2> %t.err && count 0 < %t.err
// RUN: %facts %dump > %t.facts && FileCheck %s --match-full-lines < %t.facts
// One chunk of 100 bytes.
// CHECK: 1 call 1 0 0 100
// It was freed while nothing else was profiled; and a realloc ended one that is not.
// CHECK-NEXT: 2 call 1 1 1 0
// One of 300 came; two from the time between went.
// CHECK-NEXT: 3 call 2 1 3 300
// After the reset, one of 400 came; that of 300 went.
// CHECK-NEXT: 4 call 1 0 1 400
// CHECK-NEXT: last exit 1 1 1 0
//
// The last dump but one from before the reset and the last one are two windows; the others are part of them.
// RUN: %heapprof_score %dump | FileCheck --check-prefix=NOTE %s
// NOTE: 3 earlier dumps were left out
// RUN: ls -d %dump/heapprof.*.1 && %heapprof_score %dump/heapprof.*.1 | FileCheck --check-prefix=NO_NOTE %s
// NO_NOTE-NOT: left out
//
// Nothing is profiled before the first start; there is a dump at the end anyway.
// RUN: %env_heapprof_opts=start=0 %run %t paused && %facts %dump | FileCheck --check-prefix=PAUSED %s
// PAUSED: 1 call 0 0 1 0
// PAUSED-NEXT: 2 call 1 0 1 20
// PAUSED-NEXT: last exit 1 0 1 20
// RUN: %env_heapprof_opts=start=0 %run %t empty && %facts %dump | FileCheck --check-prefix=EMPTY %s
// EMPTY: last exit 0 0 1 0
// RUN: %heapprof_score --findings %dump | FileCheck --check-prefix=WAITED %s
// WAITED: nothing was profiled: with start=0 that
// WAITED: no findings
//
// On demand only; and where the program is not to be profiled.
// RUN: %env_heapprof_opts=dump_at_exit=0 %run %t && ls %dump | count 4
// RUN: %env_heapprof_opts=only_programs=other %run %t none && ls %dump | count 0
//
// A dump that cannot be written: one line, and the program goes on.
// RUN: env HEAPPROF_OPTIONS=dump_dir=/proc/none:dump_at_exit=0 %t none 2> %t.err && count 1 < %t.err
// RUN: grep 'cannot write the dump: /proc/none/heapprof\.' %t.err
//
// A forked child counts its own.
// RUN: %run %t fork && ls %dump | count 4 && ls -d %dump/heapprof.*.1 | count 2
//
// Other threads allocate all the while.
// RUN: %clang_heapprof -w -fno-builtin -O1 %s -o %t && %run %t threads 2> %t.err && count 0 < %t.err
// RUN: %facts %dump | FileCheck --check-prefix=THREADS %s
// THREADS: 1 call {{[0-9]}}
// THREADS: 20 call {{[0-9]}}
// THREADS: last exit {{[0-9]}}
//
// A program that is linked without the flag.
// RUN: %clang -w -I %heapprof_build_dir/include %s -o %t.plain && %t.plain plain
#include <errno.h>
#include <pthread.h>
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int stop;

static void *allocates(void *unused) {
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    char *p = malloc(50);
    p[0] = 1;
    free(realloc(p, 5000));
  }
  return NULL;
}

static int threads(void) {
  pthread_t thread[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&thread[i], NULL, allocates, NULL);
  for (int i = 0; i < 20; i++) {
    if (__heapprof_dump() != 0)
      return 1;
    __heapprof_stop();
    __heapprof_start();
    if (i % 5 == 4)
      __heapprof_reset();
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 3; i++)
    pthread_join(thread[i], NULL);
  return 0;
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  char *volatile p = NULL;
  if (!strcmp(way, "plain"))
    return __heapprof_start || __heapprof_stop || __heapprof_dump ||
           __heapprof_reset || __heapprof_record_read || __heapprof_set_type;
  if (!strcmp(way, "threads"))
    return threads();
  if (!strcmp(way, "empty")) {
    free(p = malloc(10));
    return 0;
  }
  if (!strcmp(way, "paused")) {
    free(p = malloc(10));
    __heapprof_dump();
    __heapprof_start();
    p = malloc(20);
    __heapprof_dump();
    return 0;
  }
  if (!strcmp(way, "none"))
    return __heapprof_dump() != -1;
  if (!strcmp(way, "fork")) {
    int status = __heapprof_dump();
    pid_t child = fork();
    if (child == 0)
      exit(__heapprof_dump());
    waitpid(child, &status, 0);
    return status;
  }
  errno = 77;
  p = malloc(100);
  p[0] = 1;
  if (__heapprof_dump() != 0 || errno != 77)
    return 1;
  __heapprof_stop();
  char *volatile q = malloc(200), *volatile r = realloc(malloc(150), 250);
  p[1] = 1;
  free(p);
  __heapprof_dump();
  __heapprof_start();
  p = malloc(300);
  free(q);
  free(r);
  __heapprof_dump();
  __heapprof_reset();
  q = malloc(400);
  free(p);
  __heapprof_dump();
  free(q);
  return errno != 77;
}
