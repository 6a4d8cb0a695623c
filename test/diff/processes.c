// Runs of several processes: a note says how to add them up, and with each way nothing has changed.
// RUN: %clang_heapprof -g -O1 %s -o %t && %run %t && rm -rf %t.merged && %heapprof_merge -o %t.merged %dump
// RUN: %heapprof_diff %dump %t.merged | FileCheck --check-prefix=NOTE %s
// RUN: %heapprof_diff --threshold 0 --by place %dump %dump | FileCheck %s
// RUN: %heapprof_diff --threshold 0 %t.merged %t.merged | FileCheck %s
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// NOTE: new: {{.*}}.merged (4 processes)
// NOTE-NEXT: note:
// NOTE: note: each process has points of its own, which go together with those of any
// NOTE-NEXT: process; to add them up give --by place, or what heapprof-merge makes of
// NOTE-NEXT: each run
// CHECK-NOT: note: each process
// CHECK: no change of 0% of a total or more
void *volatile kept;

int main(void) {
  for (int i = 0; i < 3; i++)
    if (fork() == 0) {
      kept = malloc(100);
      free(kept);
      exit(0);
    }
  while (wait(NULL) > 0)
    continue;
  return 0;
}
