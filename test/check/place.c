// Where a broken limit is shown: past a function that only passes memory on, and nowhere where what has most has no lines.
// RUN: %clang_heapprof -g -O1 %s -o %t && %run %t && rm -rf %t.some && mv %dump %t.some && %run %t most
// RUN: echo '{"schema": "heapprof.budget/1", "budget": [{"of": "whole", "max": {"chunks": 1}}, {"of": "function", "name": "xmalloc", "max": {"chunks": 1}}]}' > %t.json
// RUN: not %heapprof_check --budget %t.json %t.some | FileCheck %s
// RUN: not %heapprof_check --budget %t.json %dump | FileCheck --check-prefix=NONE %s
// The first budget limits who calls it, which is told where more chunks come from.
// RUN: %heapprof_check --write-budget -o %t.first %t.some && FileCheck --check-prefix=FIRST %s < %t.first && %heapprof_check --budget %t.first %t.some
// RUN: not %heapprof_check --budget %t.first %dump | FileCheck --check-prefix=MORE %s
// FIRST-NOT: xmalloc
// FIRST: {"of": "place", "name": "main", "max": {"chunks": 33,
// FIRST-NOT: xmalloc
// MORE: ok   place main: chunks is 30, at most 33 allowed
#include <stdlib.h>

__attribute__((noinline)) static void *xmalloc(size_t size) {
  // CHECK-DAG: FAIL function xmalloc: chunks is 30, at most 1 allowed ({{.*}}place.c:[[#@LINE+1]])
  void *p = malloc(size);
  if (!p)
    abort();
  return p;
}

// NONE: FAIL whole: chunks is {{[0-9]+}}, at most 1 allowed{{$}}
__attribute__((noinline, nodebug)) static void without_lines(void **to) {
  *to = malloc(1000000);
}

void *kept[32];

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 20; i++)
    // CHECK-DAG: FAIL whole: chunks is {{[0-9]+}}, at most 1 allowed ({{.*}}place.c:[[#@LINE+1]])
    kept[i] = xmalloc(5000);
  for (int i = 20; i < 30; i++)
    kept[i] = xmalloc(100);
  if (argc > 1)
    without_lines(&kept[30]);
  for (int i = 0; i < 31; i++)
    free(kept[i]);
  return 0;
}
