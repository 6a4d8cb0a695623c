/* wrapper-own-size.c - what always makes chunks of one size is no wrapper, however many call it: it is the place of what is lost,
   once. So are its callers if they say how much, if they say of what type, or if it says of itself that it makes room.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DASKED %s -o %t.asked && %run %t.asked && %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=CALLERS %s
// RUN: %clang_heapprof -O1 -g -Dmake_note=alloc_note %s -o %t.named && %run %t.named && %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=CALLERS %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired && %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK:     1. Fact: 400 chunks of 40 B {{(\(char\) )?}}from make_note (wrapper-own-size.c:[[#@LINE+20]]) are lost
// CHECK:     called by {{(first|second|third|fourth) \(}}
// CHECK-NOT: are lost
// CALLERS-DAG: from first (wrapper-own-size.c:[[#]]) are lost
// CALLERS-DAG: from second (wrapper-own-size.c:[[#]]) are lost
// CALLERS-DAG: from third (wrapper-own-size.c:[[#]]) are lost
// CALLERS-DAG: from fourth (wrapper-own-size.c:[[#]]) are lost
// REPAIRED-NOT: are lost
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

#ifdef ASKED
#define BYTES(kind) ((size_t)40 + 16 * (kind))
#else
#define BYTES(kind) ((size_t)40)
#endif

APART static void *make_note(int kind, size_t bytes) {
  char *note = malloc(bytes);
  return memset(note, kind, bytes);
}

APART static int read_note(char *note, int at) {
  const int value = note[at];
#ifdef REPAIRED
  free(note);
#endif
  return value;
}

APART static int first(int i) { return read_note(make_note(1, BYTES(1)), i); }
APART static int second(int i) { return read_note(make_note(2, BYTES(2)), i); }
APART static int third(int i) { return read_note(make_note(3, BYTES(3)), i); }
APART static int fourth(int i) { return read_note(make_note(4, BYTES(4)), i); }

int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += first(i % 40) + second(i % 40) + third(i % 40) + fourth(i % 40);
  return sum != 1000;
}
