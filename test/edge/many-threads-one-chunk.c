/* many-threads-one-chunk.c - more threads at one time than have a place of their own to count in: all is counted.
   Threads that begin when others have ended go on in their places.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread && %run %t && %expect %dump
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 60, LATER = 20, ROUNDS = 1000 };

static volatile int *shared; /* 400 bytes, written once, read by all */
static pthread_barrier_t barrier;

static int sum_up(int from) {
  int sum = 0;
  for (int i = 0; i < ROUNDS; i++)
    sum += shared[from] + shared[from + 10];
  return sum;
}

static void *work(void *arg) {
  int sum = sum_up(*(int *)arg);
  pthread_barrier_wait(&barrier);
  sum += sum_up(20);
  return sum ? arg : NULL;
}

static void *work_later(void *arg) { return sum_up(30) ? arg : NULL; }

static int run(void *(*body)(void *), int count) {
  pthread_t threads[THREADS];
  int numbers[THREADS], wrong = 0;
  for (int i = 0; i < count; i++) {
    numbers[i] = 10 + i;
    if (pthread_create(&threads[i], NULL, body, &numbers[i]))
      exit(1);
  }
  for (int i = 0; i < count; i++) {
    void *result;
    pthread_join(threads[i], &result);
    wrong |= result != NULL;
  }
  return wrong;
}

int main(void) {
  shared = malloc(400);
  for (int i = 0; i < 100; i++)
    shared[i] = 0;
  pthread_barrier_init(&barrier, NULL, THREADS);
  int wrong = run(work, THREADS);
  wrong |= run(work_later, LATER);
  free((void *)shared);
  return wrong;
}
// EXPECT: chunk(size=400).reads == 60 * 4000 + 20 * 2000
// EXPECT: (chunk(size=400).writes, chunk(size=400).lo, chunk(size=400).hi) == (100, 0, 400)
// EXPECT: "MULTITHREAD" in chunk(size=400).flags
// EXPECT: chunk(size=400).t0 < chunk(size=400).first < chunk(size=400).last
// EXPECT: process.threads == 81
