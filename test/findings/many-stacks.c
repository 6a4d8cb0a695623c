// many-stacks.c - a table that each call makes and frees, in a function that 1024 stacks lead to: each has a chunk or two,
// far apart, which is no pattern, but all of them are; some of them are more than a stack has.
// Twins that look alike: repaired, kept from call to call, and recursive, so that all tables live at one time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: for level in -O0 -O2; do for twin in FAULT REPAIRED KEPT RECURSIVE; do \
// RUN:   cd %t.d && rm -rf heapprof.* && %clang_heapprof $level -g -D$twin %s -o app && ./app || exit 1; \
// RUN:   %heapprof_score --findings heapprof.app.* | tr -s '\n ' ' ' > out && FileCheck %s --check-prefix=$twin < out || { echo $level $twin; cat out; exit 1; }; done; done
//
// What some stacks could have on the stack is told with what the others could not.
// FAULT: build (many-stacks.c:[[#LINE:]]) allocates {{int|chunks}} of up to {{[0-9.]+}} KiB one after the other
// FAULT-SAME: freed by build (many-stacks.c:[[#LINE + 5]]){{[^:]*}}: {{20[0-9][0-9]}} allocations
// FAULT-SAME: -> Reuse one buffer, or take them from an arena that is freed as a whole.
// FAULT-NOT: [stack_instead]
// FAULT: [short_lived] points {{.*}} and {{[0-9]+}} more
// FAULT-NOT: [stack_instead]
// REPAIRED-NOT: [short_lived]
// KEPT-NOT: [short_lived]
// KEPT-NOT: [stack_instead]
// RECURSIVE-NOT: [short_lived]
// RECURSIVE-NOT: [stack_instead]
#include <stdlib.h>
#include <string.h>

static volatile int sum;
static int calls;

/* So many instructions that a group of chunks ends. */
__attribute__((noinline)) static void compute(void) {
  for (int i = 0; i < 40000; i++)
    sum += i;
}

#if defined(FAULT)
__attribute__((noinline)) static void build(size_t n) {
  int *table = malloc(n * sizeof *table);
  memset(table, 1, n * sizeof *table);
  for (size_t i = 0; i < n; i++)
    sum += table[i];
  sum++;
  free(table);
  sum++; /* no jump to free */
}
#elif defined(REPAIRED)
__attribute__((noinline)) static void build(size_t n) {
  static int table[2048];
  memset(table, 1, n * sizeof *table);
  for (size_t i = 0; i < n; i++)
    sum += table[i];
}
#elif defined(KEPT)
static int *kept;
__attribute__((noinline)) static void build(size_t n) {
  int *table = malloc(n * sizeof *table);
  memset(table, 1, n * sizeof *table);
  for (size_t i = 0; kept && i < 8; i++)
    sum += kept[i];
  free(kept);
  kept = table;
}
#else
__attribute__((noinline)) static void build(size_t n) {
  int *table = malloc(n * sizeof *table);
  memset(table, 1, n * sizeof *table);
  if (n < 1500)
    build(n + 1);
  for (size_t i = 0; i < 8; i++)
    sum += table[i];
  free(table);
  sum++;
}
#endif

#if defined(RECURSIVE)
static void walk(void) { build(900); }
#else
static void leaf(void) {
  build(calls % 8 ? 20 + (size_t)calls % 8 : 1000 + (size_t)calls % 1000);
  calls++;
  compute();
}
/* Four lines each, so that five functions have 1024 ways. */
#define WAYS(name, next)                                                       \
  __attribute__((noinline)) static void name(void) {                           \
    next();                                                                    \
    sum++;                                                                     \
    next();                                                                    \
    sum++;                                                                     \
    next();                                                                    \
    sum++;                                                                     \
    next();                                                                    \
    sum++;                                                                     \
  }
WAYS(fifth, leaf)
WAYS(fourth, fifth)
WAYS(third, fourth)
WAYS(second, third)
WAYS(walk, second)
#endif

int main(void) {
  for (int i = 0; i < 2; i++)
    walk();
  return sum == 0;
}
