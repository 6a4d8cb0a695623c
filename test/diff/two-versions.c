// Two builds of one program: lines have moved, one loop does more, one allocation is new.
// RUN: %clang_heapprof -g -O1 %s -o %t && %run %t && rm -rf %t.old && mv %dump %t.old
// RUN: (for i in 1 2 3 4 5 6 7; do echo; done; cat %s) > %t.c
// RUN: %clang_heapprof -g -O1 -DLATER %t.c -o %t.later && %run %t.later
// RUN: %heapprof_diff --threshold 0 %t.old %dump > %t.out && FileCheck %s < %t.out
// RUN: %heapprof_diff --threshold 0 --all --stacks %t.old %dump | FileCheck --check-prefix=STACKS %s
// RUN: %heapprof_diff --threshold 0 --by place %t.old %dump | FileCheck --check-prefix=PLACES %s
// RUN: %heapprof_diff --threshold 0 --by site %t.old %dump | FileCheck --check-prefix=SITES %s
// RUN: %heapprof_diff --threshold 0 --json %t.old %dump | FileCheck --check-prefix=JSON %s
#include <stdlib.h>

#ifdef LATER
#define TIMES 30
#define one another
#else
#define TIMES 10
#endif

__attribute__((noinline)) static void *xmalloc(size_t size) {
  return malloc(size);
}

void *volatile kept;

__attribute__((noinline)) static void one(void) {
  kept = malloc(8);
  free(kept);
}

// CHECK: 11 {{ *}}32 {{ *}}+21 {{ *}}+190.9%
int main(void) {
  // Each call of xmalloc is a point of its own, and of two the first stays first.
  // The place is this line, not that of xmalloc, which only passes memory on.
  // CHECK: 800B 2.34KiB +1.56KiB +20 {{ *}}0 {{.*}}.c:[[#@LINE+18]]
  // PLACES: main two-versions{{.*}}:[[#@LINE+17]]
  // SITES: xmalloc two-versions
  // STACKS: 800B 2.34KiB
  // STACKS-NEXT: old point #{{[0-9]+}}, new point #{{[0-9]+}}
  // STACKS-NEXT: #0 xmalloc {{.*}}two-versions
  // STACKS-NEXT: #1 main {{.*}}.c:[[#@LINE+12]]
  // STACKS-NEXT: ... {{[0-9]}} frames of
  // STACKS: #0 another {{[^ ]*}} (was one){{$}}
  // STACKS-NEXT: #1 main
  for (int i = 0; i < TIMES; i++)
    free(xmalloc(80));
#ifdef LATER
  // CHECK: new {{ *}}0B {{ *}}500B +500B
  free(xmalloc(500));
#endif
  one();
  return 0;
}
// CHECK-NOT: {{gone|new}}
// JSON: "status": "changed"
// JSON: "place": {"function": "main"
// JSON: "status": "added"
// JSON: "status": "same"
// JSON-NOT: "status"
