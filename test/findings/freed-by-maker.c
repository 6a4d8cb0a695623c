// freed-by-maker.c - a function drops a record of three parts and makes it anew, for two callers: it is the one who frees.
// It is called from both lines for whatever three places make, as a wrapper of free is, and its callers were told to free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: freed by update (freed-by-maker.c:[[@LINE+42]]) and perhaps others:
// CHECK-NOT: freed by {{(walk|unwind|main)}}
#include <stdlib.h>

#define APART __attribute__((noinline))
#define PARTS 3

struct profile {
  void *parts[PARTS];
};

APART static double *make_weights(int turn) {
  double *weights = malloc(40 * sizeof *weights);
  for (int i = 0; i < 40; i++)
    weights[i] = turn;
  return weights;
}

APART static int *make_codes(int turn) {
  int *codes = malloc(30 * sizeof *codes);
  for (int i = 0; i < 30; i++)
    codes[i] = turn;
  return codes;
}

APART static float *make_rates(int turn) {
  float *rates = malloc(50 * sizeof *rates);
  for (int i = 0; i < 50; i++)
    rates[i] = (float)turn;
  return rates;
}

APART static float profile_free(struct profile *p) {
  float first = p->parts[2] ? *(float *)p->parts[2] : 0;
  for (int i = 0; i < PARTS; i++) {
    free(p->parts[i]);
    p->parts[i] = NULL;
  }
  return first;
}

APART static float update(struct profile *p, int turn) {
  float sum = profile_free(p);
  p->parts[0] = make_weights(turn);
  p->parts[1] = make_codes(turn);
  p->parts[2] = make_rates(turn);
  return sum + (float)(*(double *)p->parts[0] + *(int *)p->parts[1]);
}

/* The other caller of profile_free. */
APART static void renew(struct profile *p, int turn) {
  profile_free(p);
  p->parts[1] = make_codes(turn);
}

APART static float walk(struct profile *p, int turn) {
  return update(p, turn) + 1;
}

APART static float unwind(struct profile *p, int turn) {
  return update(p, turn) + 2;
}

int main(void) {
  struct profile profile = {{NULL}}, other = {{NULL}};
  float sum = 0;
  for (int i = 0; i < 1000; i++) {
    sum += i < 600 ? walk(&profile, i) : unwind(&profile, i);
    if (i % 10 == 0)
      renew(&other, i);
  }
  sum += profile_free(&profile) + profile_free(&other);
  return sum < 0;
}
