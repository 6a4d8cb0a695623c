// kept-lines.c - a function allocates the parts of a curve at a line each; all are kept after their last use: one cause, one finding.
// The twin gives the parts back after that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// What is used once more while a larger buffer lives, which makes the peak, could not be given back ahead of that.
// RUN: %clang_heapprof -O2 -g -DBUFFER %s -o %t.buffer && %env_heapprof_opts=exact_time=1 %run %t.buffer
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: 1. Likely: 300 chunks from set_up (kept-lines.c:[[#]]) are kept long after the last use, and so at 2 other lines of it; freed by
// CHECK-SAME: [freed_late] points
// CHECK-NOT: [freed_late]
// REPAIRED: points
// REPAIRED-NOT: [freed_late]
#include <stdlib.h>
#include <time.h>

#define CURVES 100
#define POINTS 40

struct curve {
  double *places;
  int *corners;
  float *weights;
};

static struct curve curves[CURVES];

__attribute__((noinline)) static void set_up(struct curve *c) {
  c->places = malloc(POINTS * sizeof *c->places);
  c->corners = malloc(POINTS * sizeof *c->corners);
  c->weights = malloc(POINTS * sizeof *c->weights);
  for (int i = 0; i < POINTS; i++) {
    c->places[i] = i;
    c->corners[i] = i % 3;
    c->weights[i] = 1;
  }
}

__attribute__((noinline)) static double length_of(const struct curve *c) {
  double sum = 0;
  for (int i = 0; i < POINTS; i++)
    sum += c->places[i] * c->corners[i] * c->weights[i];
  return sum;
}

__attribute__((noinline)) static void take_down(struct curve *c) {
  free(c->places);
  free(c->corners);
  free(c->weights);
}

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Longer than a program would wait for a processor. */
static void do_other_work(int ms) {
  for (const long long end = now_ns() + ms * 1000000LL; now_ns() < end;)
    continue;
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < CURVES; i++) {
    set_up(&curves[i]);
    sum += length_of(&curves[i]);
  }
#ifdef BUFFER
  char *buffer = malloc(300000);
  for (int i = 0; i < 300000; i++)
    buffer[i] = (char)i;
  do_other_work(100);
  for (int i = 0; i < CURVES; i++)
    sum += length_of(&curves[i]) + buffer[i * i];
  free(buffer);
#endif
#ifdef REPAIRED
  for (int i = 0; i < CURVES; i++)
    take_down(&curves[i]);
#endif
  do_other_work(400);
#ifndef REPAIRED
  for (int i = 0; i < CURVES; i++)
    take_down(&curves[i]);
#endif
  return sum < 0;
}
