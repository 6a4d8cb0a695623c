// growth-largest.c - an array that grows in five steps, and others at the same line that grow in four to far more:
// what these end as is told, too.  With ALIKE defined the first ends as the largest, with FEWER the others are small.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DALIKE %s -o %t.alike && %run %t.alike
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=ALIKE %s
// RUN: %clang_heapprof -O2 -g -DALIKE -DFEWER %s -o %t.fewer && %run %t.fewer
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=FEWER %s
// CHECK: Fact: 3 buffers in enlarge (growth-largest.c:{{[0-9]+}}) grow up to 5 times, from 32 B to 1.00 KiB, others to 50.0 KiB, and are copied
// CHECK-SAME: -> Allocate the final size at once, here up to 50.0 KiB, or grow in larger steps.
// ALIKE: from 3.12 KiB to 100 KiB, and are copied
// ALIKE-SAME: final size at once, here up to 100 KiB,
// FEWER: Fact: 3 buffers in enlarge (growth-largest.c:{{[0-9]+}}) grow up to 5 times, from 3.12 KiB to 100 KiB, and are copied
// FEWER-SAME: final size at once, here up to 100 KiB,
#include <stdlib.h>
#include <string.h>

struct array {
  char *bytes;
  size_t size, element, count, room;
};

__attribute__((noinline)) static void enlarge(struct array *a) {
  a->room *= 2;
  a->bytes = realloc(a->bytes, a->element * a->room);
}

__attribute__((noinline)) static void push(struct array *a, int value) {
  if (a->count == a->room)
    enlarge(a);
  memset(a->bytes + a->element * a->count++, value, a->element);
}

static void begin(struct array *a, size_t element) {
  a->element = element;
  a->room = 32;
  a->bytes = malloc(element * a->room);
}

#ifdef ALIKE
#define CHARACTER 100
#else
#define CHARACTER 1
#endif

#ifdef FEWER
#define ENTRIES 200
#else
#define ENTRIES 500
#endif

int main(void) {
  struct array text = {0}, tables[2] = {{0}, {0}};
  begin(&text, CHARACTER);
  for (int i = 0; i < 1000; i++)
    push(&text, i);
  for (int t = 0; t < 2; t++) {
    begin(&tables[t], 100);
    for (int i = 0; i < ENTRIES; i++)
      push(&tables[t], i);
  }
  long sum = 0;
  for (int i = 0; i < 500; i++)
    sum += text.bytes[i] + tables[0].bytes[i] + tables[1].bytes[i];
  free(text.bytes);
  free(tables[0].bytes);
  free(tables[1].bytes);
  return sum == 1;
}
