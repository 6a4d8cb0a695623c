/* distances.c - chunks that a structure names by how far they are from itself, one hanging from the other, also where the
   program has no hooks; beside them what nothing names, and numbers that lead to no beginning.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %check_leaks
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %check_leaks
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app && %heapprof_run ./app && %heapprof_score --json --limit 0 heapprof.app.* | %python %S/../run/Inputs/lost.py named packed forgotten | FileCheck %s
// CHECK: named: 3 chunks, 0 lost
// CHECK: packed: 5 chunks, 0 lost
// CHECK: forgotten: 10 chunks, at least 6 lost
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pattern {
  int64_t parts; /* from here on */
  int64_t count;
};

#define KIND(name, size)                                                       \
  __attribute__((noinline)) static char *name(void) {                          \
    char *volatile chunk = calloc(1, size);                                    \
    return chunk;                                                              \
  }
KIND(holder, sizeof(struct pattern)) // LEAK holder reachable=1
KIND(named, 3000)                    // LEAK named reachable=3
KIND(packed, 3000)                   // LEAK packed reachable=5
KIND(forgotten, 3000)                // LEAK forgotten lost=10
KIND(misled, 3000)                   // LEAK misled lost=1
KIND(last, 3000) // may still be in a register that nobody uses

struct pattern *kept;
char odd[64]; /* pointers that are not aligned */

__attribute__((noinline)) static void fill(void) {
  kept = (struct pattern *)holder();
  struct pattern *at = kept;
  for (int i = 0; i < 3; i++) {
    char *part = named();
    at->parts = part - (char *)at;
    at = (struct pattern *)part;
    forgotten(); /* the next one is at least 4 KiB away */
    forgotten();
  }
  for (int i = 0; i < 5; i++) {
    char *held = packed();
    memcpy(odd + 1 + i * sizeof held, &held, sizeof held);
  }
  for (int i = 0; i < 4; i++)
    forgotten();
  kept->count = misled() + 8 - (char *)kept; /* not its beginning */
  char *p = last();
  __asm__ volatile("" : : "r"(p) : "memory");
}

/* What was on the stack below is not there any more. */
__attribute__((noinline)) static void sweep(void) {
  volatile char room[1 << 16];
  memset((char *)room, 0, sizeof room);
}

int main(void) {
  fill();
  sweep();
  return 0;
}
