/* two-threads-one-chunk.c - four threads hammer the same chunks; no access is lost, none invented.
   A chunk used by one thread only is not multithreaded; one freed elsewhere is flagged for that alone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t -pthread && %run %t && %expect %dump
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 100000 };

static _Atomic int *shared; /* 40 bytes: THREADS x ROUNDS updates */
static volatile int *plain; /* 44 bytes: as many writes, as many reads */
static int *given[THREADS]; /* 48 bytes each, freed by the main thread */

__attribute__((noinline)) static void *get_own(void) { return malloc(52); }
__attribute__((noinline)) static void *get_given(void) { return malloc(48); }

static void *work(void *arg) {
  int me = *(int *)arg, sum = 0;
  volatile int *own = get_own();
  for (int i = 0; i < ROUNDS; i++) {
    atomic_fetch_add(&shared[me % 2], 1);
    plain[me] = i;
    sum += plain[me];
    own[0] = i;
  }
  free((void *)own);
  given[me] = get_given();
  given[me][0] = sum;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  shared = malloc(40);
  plain = malloc(44);
  for (int i = 0; i < 10; i++)
    atomic_init(&shared[i], 0); /* 10 writes */
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i]))
      return 1;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    free(given[i]);
  int wrong = atomic_load(&shared[0]) != 2 * ROUNDS || /* 2 reads at most */
              atomic_load(&shared[1]) != 2 * ROUNDS;
  free(shared);
  free((void *)plain);
  return wrong;
}
// EXPECT: (chunk(size=40).reads, chunk(size=40).writes) == (400002, 400010)
// EXPECT: (chunk(size=40).lo, chunk(size=40).hi) == (0, 40)
// EXPECT: (chunk(size=44).reads, chunk(size=44).writes) == (400000, 400000)
// EXPECT: (chunk(size=44).lo, chunk(size=44).hi) == (0, 16)
// EXPECT: "MULTITHREAD" in chunk(size=40).flags and "MULTITHREAD" in chunk(size=44).flags
// EXPECT: len(chunks(size=52)) == 4 and all(c.writes == 100000 for c in chunks(size=52))
// EXPECT: all("MULTITHREAD" not in c.flags for c in chunks(size=52) + chunks(size=48))
// EXPECT: sorted(c.thread for c in chunks(size=52)) == sorted(set(c.thread for c in chunks(size=52)))
// EXPECT: all(c.thread == c.free_thread for c in chunks(size=52))
// EXPECT: all(c.free_thread == 1 != c.thread for c in chunks(size=48))
// EXPECT: point("get_given").threads.freed_elsewhere == 4
// EXPECT: point("get_given").threads.multithread_chunks == 0
// EXPECT: point("get_given").inferences.freed_elsewhere.flagged
// EXPECT: point("get_own").threads.freed_elsewhere == 0
// EXPECT: process.threads == 5
