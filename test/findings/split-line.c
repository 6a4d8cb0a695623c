// split-line.c - particles whose position and mass, always used together, have a history between them; twins that lie side by side, and that use one of both.
// By what one hook accesses at once: seen in runs that count members.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 -g %s -o %t && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DREPAIRED %s -o %t.repaired && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DALONE %s -o %t.alone
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.repaired && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.alone && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// CHECK: Likely: x, mass of particle (split-line.c:{{[0-9]+}}) are used together, {{[0-9]+}} times in {{[0-9]+}} counted chunk{{s?}}, and lie over 136 bytes: in two cache lines.
// CHECK-SAME: -> Declare x, mass side by side.
// CHECK-SAME: [split_line]
// NONE-NOT: [split_line]
#include <stdlib.h>

enum { PARTICLES = 20000 };
struct particle {
  double x;
#ifdef REPAIRED
  double mass;
#endif
  double history[15];
#ifndef REPAIRED
  double mass;
#endif
};

static struct particle *all[PARTICLES];

__attribute__((noinline)) static void make(int i) {
  struct particle *particle = malloc(sizeof *particle);
  particle->x = i;
  particle->mass = 1;
  for (int k = 0; k < 15; k++)
    particle->history[k] = k;
  all[i] = particle;
}

__attribute__((noinline)) static double moment(double scale) {
  double sum = 0;
  for (int i = 0; i < PARTICLES; i++) {
#ifdef ALONE
    sum += scale * all[i]->x;
#else
    sum += scale * all[i]->x * all[i]->mass;
#endif
  }
  return sum;
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < PARTICLES; i++)
    make(i);
  for (int i = 0; i < 40; i++)
    sum += moment(i);
  for (int i = 0; i < PARTICLES; i++)
    sum += all[i]->history[i % 15] + (i % 100 == 0 ? all[i]->mass : 0);
  return sum == 1;
}
