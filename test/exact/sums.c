/* sums.c - loops whose addresses depend on the data: counted as by one hook for each access.
   Heapprof adds up in registers what they count.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %forms %t -O1 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O3 -pthread %s && %compare %t | FileCheck %s
// CHECK: {{[0-9]+}} chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
// RUN: %clang_heapprof -O2 -mllvm -heapprof-stats -c -o %t.o %s 2>&1 | FileCheck --check-prefix=STATS %s
// STATS: heapprof-stats: LoopCountsKept {{[1-9]}}
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void histogram(const unsigned char *text,
                                                long n, unsigned *bins) {
  for (long i = 0; i < n; i++)
    bins[text[i] & 63]++;
}

/* Left in the middle, in both directions, and not at all entered. */
__attribute__((noinline)) static long follow(const int *next, long from,
                                             long stop) {
  long turns = 0;
  while (from != stop) {
    if (next[from] < 0)
      return -turns;
    from = next[from];
    if (++turns == 1000)
      break;
  }
  return turns;
}

/* The two may be one chunk, another thread's or none of the heap's. */
__attribute__((noinline)) static int compare(const unsigned char *a,
                                             const unsigned char *b,
                                             const int *order, int n) {
  for (int i = 0; i < n; i++) {
    if (a[order[i]] != b[order[n - 1 - i]])
      return i;
    if (order[i] < 0)
      break;
  }
  return n;
}

/* An inner loop that begins anew, with an object that is made in the outer one. */
__attribute__((noinline)) static int sift(int *heap, int n) {
  int moved = 0;
  for (int start = n / 2 - 1; start >= 0; start--) {
    int at = start;
    for (int child; (child = 2 * at + 1) < n; at = child) {
      if (child + 1 < n && heap[child] < heap[child + 1])
        child++;
      if (heap[at] >= heap[child])
        break;
      int kept = heap[at];
      heap[at] = heap[child];
      heap[child] = kept;
      moved++;
    }
  }
  return moved;
}

enum { N = 500 };

__attribute__((noinline)) static int gather(const int *from, const int *order,
                                            int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (order[i] < 0)
      break;
    sum += from[order[i]];
  }
  return sum;
}

struct job {
  int *numbers, *order;
  int sum;
};

static void *gatherAll(void *argument) {
  struct job *job = argument;
  for (int i = 0; i < 3; i++)
    job->sum += gather(job->numbers, job->order, 60);
  return NULL;
}

/* By a thread that did not make the chunk; and once, at each turn in turn, beyond its end.  The record that was known
   when the loop was entered is still where the sums belong. */
static int elsewhere(int turn) {
  struct job job = {malloc(20 * sizeof(int)), malloc(60 * sizeof(int)), 0};
  pthread_t thread;
  for (int i = 0; i < 20; i++)
    job.numbers[i] = i;
  for (int i = 0; i < 60; i++)
    job.order[i] = i % 20;
  job.order[turn] = 20;
  pthread_create(&thread, NULL, gatherAll, &job);
  pthread_join(thread, NULL);
  free(job.numbers);
  free(job.order);
  return job.sum != 0;
}

static int all(void) {
  unsigned char *text = malloc(N), onStack[N];
  unsigned *bins = calloc(64, sizeof *bins);
  int *next = malloc(N * sizeof *next), *order = malloc(N * sizeof *order);
  int sum = 0;
  for (int i = 0; i < N; i++) {
    text[i] = onStack[i] = (unsigned char)(i * 7);
    next[i] = i * 13 % N;
    order[i] = N - 1 - i;
  }
  next[N - 1] = -1;
  for (int round = 0; round < 10; round++) {
    histogram(text, N - round, bins);
    histogram(onStack, round, bins);
    sum += (int)follow(next, round, 0) + (int)follow(next, N - 1, 3) +
           (int)follow(next, 4, 4);
    sum += compare(text, text, order, N) +
           compare(onStack, text, order, round) +
           compare(onStack, onStack, order, N);
    sum += sift(next, N - 1) + sift(order, N);
  }
  sum += (int)bins[7];
  free(text);
  free(bins);
  free(next);
  free(order);
  return sum;
}

/* The first 64 chunks of each point are exact, which goes another way. */
int main(void) {
  int sum = 0;
  for (int i = 0; i < 200; i++)
    sum += all() + elsewhere(i % 60);
  printf("%d\n", sum);
}
