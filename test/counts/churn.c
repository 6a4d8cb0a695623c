// Many chunks from many threads, each freed by its own or by another thread:
// none is lost, none is counted twice, whatever slot it gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O1 -pthread %s -o %t && %run %t && %check_counts
#include <pthread.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 20000
#define HELD 64

// Handed from each thread to the next one through a ring of places.
static char *places[THREADS][HELD];
static pthread_barrier_t barrier;

static void *work(void *arg) {
  long self = (long)arg;
  for (int i = 0; i < ROUNDS; i++) {
    // Sizes 1 to 64 in turn: 20000 are 312 times all of them and 1 to 32.
    size_t size = (size_t)(i % HELD) + 1;
    // POINT chunks=4*20000 bytes=4*(312*2080+528) reads=4*20000
    //       writes=4*20000 accessed=4*20000 elsewhere=0 multithread=0 live=0
    volatile char *p = malloc(size);
    p[0] = (char)i;
    (void)p[0];
    free((void *)p);
  }
  for (int round = 0; round < 100; round++) {
    for (int i = 0; i < HELD; i++) {
      // Written here, read and freed by the next thread.
      // POINT chunks=4*6400 bytes=4*6400*40 reads=4*6400 writes=4*6400
      //       accessed=4*6400*40 elsewhere=4*6400 multithread=4*6400 live=0
      volatile char *p = malloc(40);
      p[39] = 1;
      places[self][i] = (char *)p;
    }
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < HELD; i++) {
      volatile char *p = places[(self + 1) % THREADS][i];
      (void)p[0];
      free((void *)p);
    }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
      return 1;
  for (long i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
