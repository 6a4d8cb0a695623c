// exact_time and tick_us do what they say: the first leaves no error; with a
// step of the coarse clock of a second no chunk is known but the chosen ones;
// with the usual one chunks that live long enough are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O1 %s -o %t
// RUN: %env_heapprof_opts=exact_time=1 %run %t 100 > %t.own
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python %S/check_score.py %t.json %t.own exact
// RUN: %env_heapprof_opts=exact_time=1:tick_us=1000000 %run %t 100 > %t.own
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python %S/check_score.py %t.json %t.own exact
// RUN: %env_heapprof_opts=tick_us=1000000 %run %t 100 > %t.own
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python %S/check_score.py %t.json %t.own unknown
//
// A busy machine steps the clock late, and a chunk is known that lives for 20 of
// its longest steps: 75 ms for the first of these lives, 4.8 s for the last.
// RUN: for life in 1500 3000 6000 12000 24000 48000 96000; do \
// RUN:   %run %t $life > %t.own && %heapprof_score --json %dump > %t.json && \
// RUN:   %python %S/check_score.py %t.json %t.own honest || exit 1; \
// RUN:   %python %S/check_score.py %t.json %t.own known && exit 0; done; exit 1
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHUNKS 400

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  static char *chunks[CHUNKS];
  static double t0[CHUNKS], last[CHUNKS];
  if (argc != 2)
    return 2;
  double life = atof(argv[1]), sum = 0;
  for (int i = 0; i < CHUNKS; i++) {
    volatile char *p = malloc(16);
    t0[i] = last[i] = now();
    p[0] = 1;
    chunks[i] = (char *)p;
  }
  // Every other chunk is used all along, the others only at their start.
  for (double begin = now(); now() - begin < life;)
    for (int i = 0; i < CHUNKS; i += 2) {
      last[i] = now();
      ((volatile char *)chunks[i])[0] = 2;
    }
  for (int i = 0; i < CHUNKS; i++) {
    double t1 = now();
    free(chunks[i]);
    sum += (last[i] - t0[i]) / (t1 - t0[i]);
  }
  printf("%.6f\n", sum / CHUNKS);
  return 0;
}
