// Threads that share chunks: no access is lost, plain or atomic.
// Each thread's accesses add up; a chunk used by another thread says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O2; do \
// RUN:   %clang_heapprof -g $level -pthread %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 20000

struct shared {
  atomic_long sum;
  volatile long limit;
  char unused[48];
};

static struct shared *shared;
static volatile long *slots;

static void *work(void *number) {
  // Written, then handed to main, which reads it and frees it.
  // POINT chunks=4 bytes=4*16 reads=4 writes=4 accessed=4*4 multithread=4
  //       elsewhere=4
  volatile int *result = malloc(16);
  volatile long *slot = slots + (ptrdiff_t)number;
  for (int i = 0; i < ROUNDS; i++) {
    atomic_fetch_add(&shared->sum, 1);
    (void)shared->limit;
    *slot += 1;
  }
  *result = 1;
  return (void *)result;
}

int main(void) {
  // main: both fields written, the sum read.  Each round of each thread: one
  // update and one read.
  // POINT chunks=1 bytes=64 reads=1+4*20000*2 writes=2+4*20000 accessed=16
  //       multithread=1 elsewhere=0
  shared = malloc(sizeof *shared);
  // POINT chunks=1 bytes=4*8 reads=4*20000 writes=4+4*20000 accessed=4*8
  //       multithread=1
  slots = malloc(THREADS * sizeof *slots);
  // Used by main alone.
  // POINT chunks=1 bytes=8 reads=4 writes=4 accessed=8 multithread=0
  volatile long *own = malloc(8);
  atomic_store(&shared->sum, 0);
  shared->limit = 0;
  pthread_t threads[THREADS];
  for (ptrdiff_t i = 0; i < THREADS; i++)
    slots[i] = 0;
  for (ptrdiff_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
      return 1;
  for (ptrdiff_t i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    (void)*(volatile int *)result;
    free(result);
    *own += 1;
  }
  long sum = atomic_load(&shared->sum);
  free((void *)own);
  free((void *)slots);
  free(shared);
  return sum == (long)THREADS * ROUNDS ? 0 : 2;
}
