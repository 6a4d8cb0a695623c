// C11 atomics: an update is one read and one write, and so is a compare and
// exchange whether it succeeds or not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz; do \
// RUN:   %clang_heapprof -g $level %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
// OTHER chunks=0
#include <stdatomic.h>
#include <stdlib.h>

static void operations(void) {
  // store, exchange, fetch_add, fetch_sub, fetch_or, fetch_and, fetch_xor,
  // two compare_exchange, load.
  // POINT chunks=1 bytes=8 reads=8+1 writes=1+8 accessed=8
  volatile atomic_long *a = malloc(sizeof *a);
  atomic_store(a, 1);
  atomic_exchange(a, 2);
  atomic_fetch_add(a, 3);
  atomic_fetch_sub(a, 1);
  atomic_fetch_or(a, 8);
  atomic_fetch_and(a, 15);
  atomic_fetch_xor(a, 1);
  long expected = -1;
  atomic_compare_exchange_strong(a, &expected, 5); // fails, tells the value
  atomic_compare_exchange_strong(a, &expected, 5); // succeeds
  (void)atomic_load(a);
  free((void *)a);
}

static void widths(void) {
  // POINT chunks=1 bytes=16 reads=3 writes=3 accessed=2+4-1
  volatile char *p = malloc(16);
  atomic_fetch_add((volatile atomic_char *)(p + 1), 1);
  atomic_fetch_add((volatile atomic_short *)(p + 2), 1);
  atomic_fetch_add((volatile atomic_short *)(p + 4), 1);
  free((void *)p);
}

static void flags(void) {
  // Two test_and_set, one clear.
  // POINT chunks=1 bytes=1 reads=2 writes=2+1 accessed=1
  volatile atomic_flag *f = malloc(sizeof *f);
  atomic_flag_test_and_set(f);
  atomic_flag_test_and_set(f);
  atomic_flag_clear(f);
  free((void *)f);
}

static void builtins(void) {
  // A multiplication is a read, then a compare and exchange, which succeeds.
  // POINT chunks=1 bytes=4 reads=1+1+2 writes=1+1+1+1 accessed=4
  volatile _Atomic int *v = malloc(sizeof *v);
  atomic_init(v, 1);
  __sync_fetch_and_add((volatile int *)v, 1);
  __atomic_add_fetch((volatile int *)v, 1, __ATOMIC_RELAXED);
  *v *= 3;
  free((void *)v);
}

int main(void) {
  operations();
  widths();
  flags();
  builtins();
  return 0;
}
