// Accesses that are not in loops, whose hooks may be calls: each size and kind, of this thread and another, and of what is
// not in the heap.  Counted as where they are inline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for flags in '=100 -O2' '=100 -O2 -fPIC' '=100 -O2 -mcmodel=large' '=100 -O2 -fno-pie -no-pie' '=100 -O2 -mllvm -heapprof-ask-first=0' '=100 -O2 -march=x86-64-v3' \
// RUN:   '=100 -O2 -mllvm -heapprof-word-hooks=1' '=100 -O2 -fPIC -mllvm -heapprof-word-hooks=1' '=20 -O2' '=0 -O2'; do \
// RUN:   %clang_heapprof -g -mllvm -heapprof-inline-few=0 -mllvm -heapprof-inline-above$flags %s -o %t -lpthread && %run %t && \
// RUN:   %check_counts || { echo "with $flags"; exit 1; }; done
// RUN: %clang_heapprof -O2 -mllvm -heapprof-inline-few=0 -mllvm -heapprof-inline-above=100 -c %s -o %t.o && llvm-nm %t.o | FileCheck %s
// CHECK-DAG: U __heapprof_keeping{{$}}
// CHECK-DAG: U __heapprof_keeping_r1
// CHECK-DAG: U __heapprof_keeping_w8
// TOTAL reads=20+6+300*13 writes=20+6+300*13
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct values {
  long eight;
  int four;
  short two;
  char one;
  __attribute__((aligned(16))) __int128 sixteen;
};

// Each call of nothing() lets the access before it not be merged with the next.
__attribute__((noinline)) static void nothing(void) { fflush(stdout); }

__attribute__((noinline)) static void write_each(struct values *p) {
  p->eight = 1;
  nothing();
  p->four = 1;
  nothing();
  p->two = 1;
  nothing();
  p->one = 1;
  nothing();
  p->sixteen = 1;
}

__attribute__((noinline)) static long read_each(const struct values *p) {
  long sum = p->eight;
  nothing();
  sum += p->four;
  nothing();
  sum += p->two;
  nothing();
  sum += p->one;
  nothing();
  return sum + (long)p->sixteen;
}

// Three reads and three writes, by one hook.
__attribute__((noinline)) static void several(struct values *p, int by) {
  p->eight += by;
  p->four ^= by;
  p->one |= (char)by;
}

static void *other_thread(void *p) {
  write_each(p);
  read_each(p);
  write_each(p);
  return (void *)read_each(p);
}

int main(void) {
  // POINT chunks=1 bytes=32 reads=10+6 writes=10+6 accessed=32
  struct values *own = malloc(sizeof *own);
  other_thread(own);
  // POINT chunks=1 bytes=32 reads=10 writes=10 accessed=32
  struct values *theirs = malloc(sizeof *theirs);
  pthread_t thread;
  if (pthread_create(&thread, NULL, other_thread, theirs))
    return 1;
  void *sum;
  pthread_join(thread, &sum);
  // The first chunks of a point are exact, and no access of those is usual.
  for (int i = 0; i < 300; i++) {
    // POINT chunks=300 bytes=300*32 reads=300*13 writes=300*13 accessed=300*32
    struct values *one = malloc(sizeof *one);
    other_thread(one);
    several(one, i);
    free(one);
  }
  struct values none;
  other_thread(&none);
  several(own, 1);
  several(own, 2);
  free(own);
  free(theirs);
  return sum != (void *)5;
}
