// malloc-stats-cancelled.c - a thread that was cancelled says all of malloc_stats before it ends, as with glibc's malloc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -O1 -pthread %s -o %t.plain && %clang_heapprof -w -O1 -pthread %s -o %t
// RUN: %t.plain 2>&1 | FileCheck %s
// RUN: %run %t 2>&1 | FileCheck %s
// CHECK: Arena 0:
// CHECK: max mmap bytes
// CHECK: cancelled 1, state as before 1
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>

static int state;

static void *say(void *unused) {
  pthread_cancel(pthread_self());
  malloc_stats();
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_setcancelstate(state, NULL);
  pthread_testcancel();
  return unused;
}

int main(void) {
  pthread_t thread;
  void *end;
  pthread_create(&thread, NULL, say, NULL);
  pthread_join(thread, &end);
  fprintf(stderr, "cancelled %d, state as before %d\n", end == PTHREAD_CANCELED,
          state == PTHREAD_CANCEL_ENABLE);
  return 0;
}
