// overrun-assembly.c - inline assembly that goes beyond its chunk: by an operand, by an address in a register, by a string instruction.
// Each is named with its line. The twin stays inside; that an operand's type is larger than what an instruction accesses says nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for o in -O0 -O2; do \
// RUN:   %clang_heapprof $o -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s || exit 1; done
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: 1 chunk of 40 B (int) from main (overrun-assembly.c:[[#]]) is written beyond the end, by at least 4 B, first written by store (overrun-assembly.c:[[#]])
// CHECK-DAG: 1 chunk of 36 B (int) from main (overrun-assembly.c:[[#]]) is read and written beyond the end, by at least 4 B, first written by add (overrun-assembly.c:[[#]])
// CHECK-DAG: 1 chunk of 44 B (int) from main (overrun-assembly.c:[[#]]) is read beyond the end, by at least 4 B, first read by load (overrun-assembly.c:[[#]])
// CHECK-DAG: 1 chunk of 21 B (char) from main (overrun-assembly.c:[[#]]) is written beyond the end, by at least 1 B, first written by fill (overrun-assembly.c:[[#]])
// CHECK-DAG: 1 chunk of 22 B (char) from main (overrun-assembly.c:[[#]]) is read beyond the end, by at least 2 B, first read by copy (overrun-assembly.c:[[#]])
// CHECK-NOT: of 28 B
// REPAIRED-NOT: [overrun]
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#ifdef REPAIRED
#define MORE 1
#else
#define MORE 0
#endif

NOINLINE static void store(int *at, int number) {
  __asm__ volatile("movl %1, %0" : "=m"(*at) : "r"(number));
}

NOINLINE static void add(int *from, int number) {
  __asm__ volatile("lock; addl %1, 4(%0)"
                   :
                   : "r"(from), "r"(number)
                   : "memory", "cc");
}

NOINLINE static int load(const int *from) {
  int number;
  __asm__ volatile("movl 4(%1), %0" : "=r"(number) : "r"(from));
  return number;
}

NOINLINE static void fill(char *bytes, size_t size) {
  __asm__ volatile("cld; rep stosb"
                   : "+D"(bytes), "+c"(size)
                   : "a"(1)
                   : "memory");
}

NOINLINE static void copy(char *to, const char *from, size_t size) {
  size_t words = size / 4;
  __asm__ volatile("rep; movsl"
                   : "+D"(to), "+S"(from), "+c"(words)
                   :
                   : "memory");
}

/* As old kernels say that what is there is volatile. */
struct dummy {
  unsigned long a[100];
};

NOINLINE static int exchange(int *at, int number) {
  __asm__ volatile("xchgl %0, %1"
                   : "+r"(number)
                   : "m"(*(struct dummy *)at)
                   : "memory");
  return number;
}

NOINLINE static void fetch(const int *at) {
  __asm__ volatile("prefetcht0 %0; prefetchnta 64(%1)" : : "m"(*at), "r"(at));
}

int main(void) {
  int *stored = malloc((10 + MORE) * sizeof *stored);
  for (int i = 0; i <= 10; i++)
    store(&stored[i], i);
  int *added = calloc(9 + MORE, sizeof *added);
  add(&added[8], 1);
  int *loaded = calloc(11 + MORE, sizeof *loaded);
  int sum = load(&loaded[10]);
  char *filled = malloc(21 + MORE);
  fill(filled, 22);
  char *source = calloc(22 + 2 * MORE, 1), *target = malloc(24);
  copy(target, source, 24);
  int *exchanged = calloc(7, sizeof *exchanged);
  sum += exchange(exchanged, 0);
  fetch(exchanged + 7);
  sum += stored[0] + added[0] + filled[0] + target[0];
  free(stored);
  free(added);
  free(loaded);
  free(filled);
  free(source);
  free(target);
  free(exchanged);
  return sum == 100;
}
