// replay_threads.c - what several threads allocated is allocated again by as many: each has its arena, and the peak is the run's.
// Chunks that one thread makes and another one frees are so again; a thread that is over when the next one begins is over again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O1 -fno-builtin -pthread %s -o %t
// RUN: rm -rf %t.dumps && %heapprof_run -q -o %t.dumps --chunk-log=all %t
// RUN: %heapprof_score --json %t.dumps/heapprof.* > %t.score
// RUN: %heapprof_allocators --repeat 1 --no-count --with glibc --json -o %t.run %t
// RUN: %heapprof_allocators --repeat 1 --no-count --with glibc --json -o %t.json --replay %t.dumps/heapprof.* 2> %t.err && count 0 < %t.err
// RUN: %python %S/Inputs/replay_threads.py %t.json %t.run %t.score
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 5, CHUNKS = 2000 };

static char *chunks[THREADS][CHUNKS];
static pthread_barrier_t all;

/* Makes its own, frees half of them, and then half of its neighbour's. */
static void *work(void *argument) {
  size_t self = (size_t)argument, other = (self + 1) % THREADS;
  for (size_t i = 0; i < CHUNKS; i++)
    chunks[self][i] = malloc(100 + (i * 37 + self) % 900);
  pthread_barrier_wait(&all);
  for (size_t i = 0; i < CHUNKS; i += 4)
    free(chunks[self][i]);
  for (size_t i = 1; i < CHUNKS; i += 2)
    free(chunks[other][i]);
  pthread_barrier_wait(&all);
  return NULL;
}

static void *alone(void *argument) {
  free(malloc((size_t)argument));
  return NULL;
}

int main(void) {
  pthread_t thread[THREADS];
  for (size_t i = 0; i < 20; i++)
    if (pthread_create(&thread[0], NULL, alone, (void *)(3000 + i)) != 0 ||
        pthread_join(thread[0], NULL) != 0)
      return 1;
  pthread_barrier_init(&all, NULL, THREADS);
  for (size_t i = 1; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, work, (void *)i) != 0)
      return 1;
  work(NULL);
  for (size_t i = 1; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  return 0;
}
