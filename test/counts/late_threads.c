// More threads than have a name of their own in a chunk's record: what the last
// ones do is counted as exactly, and who shares a chunk is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O2 %s -o %t && %run %t 2>&1 | count 0 && %check_counts
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 33000 };

static volatile int *shared;

static void *work(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) { // the second goes the usual way
    // POINT chunks=66000 bytes=66000*8 accessed=66000*8 reads=66000*2 writes=66000*2
    volatile int *own = malloc(8);
    own[0] = 1;
    own[1] = own[0];
    shared[0] += own[1];
    free((void *)own);
  }
  return NULL;
}

int main(void) {
  // POINT chunks=1 bytes=4 accessed=4 reads=66001 writes=66001
  shared = malloc(4);
  shared[0] = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL))
      return 1;
    pthread_join(thread, NULL);
  }
  int wrong = shared[0] != 2 * THREADS;
  free((void *)shared);
  return wrong;
}
