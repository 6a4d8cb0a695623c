// The useful-lifetime score of the default clock against the truth of the same run: chunks of one point that are used in
// very different ways, a few of them unlike all others, or whole generations that a collector frees at once.
// Two runs could not tell: what the collector frees when is not the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O1 %s -o %t
// RUN: %env_heapprof_opts=exact_time=1:chunk_log=all %run %t
// RUN: %python %S/check_error.py %heapprof_score %t.made %dump/* | FileCheck %s
// CHECK: {{[0-9]+}} scores with an error, {{[0-9]+}} beyond it
#include <stdint.h>
#include <stdlib.h>

// Points of their own, by how many chunks they have.
#define POINT(chunks)                                                          \
  __attribute__((noinline)) static long *of_##chunks(void) {                   \
    long *volatile p = malloc(64);                                             \
    return p;                                                                  \
  }
POINT(150)
POINT(300)
POINT(600)
POINT(1200)
POINT(2400)

static volatile long sum;

static void use(long *p, int times) {
  for (int i = 0; i < times; i++)
    sum += p[i % 8] += i;
}

// Of RARE one is used throughout; the others at their start only.
static void few_unlike(long *(*point)(void), int chunks, int rare) {
  for (int i = 0; i < chunks; i++) {
    long *p = point(), *all = p, idle[8] = {0};
    use(p, 1);
    use(i % rare == rare / 2 ? all : idle, 60);
    free(p);
  }
}

// Generations of arrays that grow and are read for a while; all are freed when
// there are many.
static void collected(int generations) {
  enum { MANY = 64 };
  long *kept[MANY];
  for (int g = 0; g < generations; g++) {
    for (int i = 0; i < MANY; i++) {
      kept[i] = malloc(32);
      use(kept[i], 4);
      kept[i] = realloc(kept[i], 64);
      use(kept[i / 2], g % 7 * 4);
    }
    for (int i = 0; i < MANY; i++)
      free(kept[i]);
  }
}

int main(void) {
  few_unlike(of_150, 150, 20);
  few_unlike(of_300, 300, 20);
  few_unlike(of_600, 600, 40);
  few_unlike(of_1200, 1200, 40);
  few_unlike(of_2400, 2400, 60);
  collected(30);
}
