// split-line.c - particles whose position and mass, always used together, have a history between them; twins that lie side by side, and that use one of both.
// By what one hook accesses at once: seen in runs that count members. So it is of records in one array that loops walk through.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 -g %s -o %t && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DREPAIRED %s -o %t.repaired && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DALONE %s -o %t.alone
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.repaired && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.alone && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 -g -DARRAY %s -o %t.array && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DARRAY -DALONE %s -o %t.one
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.array && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.one && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// CHECK-NOT: never read
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

#ifdef ARRAY
static struct particle *array;
#define AT(i) (&array[i])
#else
static struct particle *all[PARTICLES];
#define AT(i) all[i]
#endif

__attribute__((noinline)) static void make(int i) {
#ifdef ARRAY
  if (!array)
    array = malloc(PARTICLES * sizeof *array);
  struct particle *particle = &array[i];
#else
  struct particle *particle = malloc(sizeof *particle);
  all[i] = particle;
#endif
  particle->x = i;
  particle->mass = 1;
  for (int k = 0; k < 15; k++)
    particle->history[k] = k;
}

__attribute__((noinline)) static double moment(double scale) {
  double sum = 0;
  for (int i = 0; i < PARTICLES; i++) {
#ifdef ALONE
    sum += scale * AT(i)->x;
#else
    sum += scale * AT(i)->x * AT(i)->mass;
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
    sum += AT(i)->history[i % 15] + (i % 100 == 0 ? AT(i)->mass : 0);
  return sum == 1;
}
