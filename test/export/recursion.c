// A recursion passes its cost on once: in callgrind's graph no function costs more than the whole.
// REQUIRES: callgrind_annotate
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %heapprof_export --format=callgrind -o %t.callgrind %dump
// RUN: %python %S/Inputs/check_callgrind.py %t.json %t.callgrind
// RUN: callgrind_annotate --inclusive=yes --threshold=100 --auto=no %t.callgrind | FileCheck %s
#include <stdlib.h>

// 100 bytes at each of the depths 5 to 1, odd and even in turn.  What odd does
// through even is its own: 500 bytes; even is left with the 200 it asks for.
// CHECK-DAG: {{^ *}}500 (100.0%) {{.*}}recursion.c:main
// CHECK-DAG: {{^ *}}500 (100.0%) {{.*}}recursion.c:odd
// CHECK-DAG: {{^ *}}200 (40.00%) {{.*}}recursion.c:even
static void even(int depth);
static void odd(int depth) {
  free(malloc(100));
  if (depth > 1)
    even(depth - 1);
}
static void even(int depth) {
  free(malloc(100));
  odd(depth - 1);
}
int main(void) {
  odd(5);
  return 0;
}
