// A program that is built anew where the old one was: what scoring left in the old dump names its frames, those without lines, too.
// RUN: %clang_heapprof -g -O1 %s -o %t && %run %t && rm -rf %t.old && mv %dump %t.old && %heapprof_score %t.old > %t.score
// RUN: %clang_heapprof -g -O1 -DLATER %s -o %t && %run %t
// RUN: %heapprof_diff --threshold 0 --all %t.old %dump > %t.out && FileCheck %s < %t.out
// RUN: %heapprof_diff --threshold 0 --json %t.old %dump | FileCheck --check-prefix=JSON %s
// RUN: %heapprof_diff --no-cache --threshold 0 --json %t.old %dump | FileCheck --check-prefix=ADVICE %s
// ADVICE: its frames stay addresses; score a dump before the next build, or give --sysroot with the old one
#include <stdlib.h>

#ifdef LATER
#define TIMES 30
#else
#define TIMES 10
#endif

// JSON: its build id is not the dump's (rebuilt since the run), its frames have only names kept with the dump
// CHECK-NOT: {{^(gone|new) }}
// CHECK: 800B 2.34KiB +1.56KiB +20 {{ *}}0 {{.*}}rebuilt.c:
// CHECK-NOT: {{^(gone|new) }}
void *volatile made;

int main(void) {
  for (int i = 0; i < TIMES; i++) {
    made = malloc(80);
    free(made);
  }
  return 0;
}
// JSON-NOT: "status": "{{added|removed}}"
