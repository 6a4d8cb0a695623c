// A limit of what is lost: kept, broken, and broken where it is not known.
// RUN: %clang_heapprof -g -O1 %s -o %t
// RUN: echo '{"schema": "heapprof.budget/1", "budget": [{"of": "whole", "max": {"lost_bytes": 0, "lost_chunks": 2}}]}' > %t.json
// RUN: %run %t
// RUN: not %heapprof_check --budget %t.json %dump | FileCheck --check-prefix=BROKEN %s
// RUN: %run %t kept
// RUN: %heapprof_check --budget %t.json %dump | FileCheck --check-prefix=KEPT %s
// RUN: %env_heapprof_opts=leak_check=0 %run %t kept
// RUN: not %heapprof_check --budget %t.json %dump | FileCheck --check-prefix=UNKNOWN %s
// BROKEN: FAIL whole: lost_bytes is 332, at most 0 allowed
// BROKEN: FAIL whole: lost_chunks is 4, at most 2 allowed
// KEPT: ok   whole: lost_bytes is 0, at most 0 allowed
// KEPT: ok   whole: lost_chunks is 0, at most 2 allowed
// UNKNOWN: FAIL whole: lost_bytes is not known, at most 0 allowed
#include <stdlib.h>

static void **volatile kept;

__attribute__((noinline)) static void lose(int keep) {
  for (int i = 0; i < 3; i++) {
    void **volatile p = malloc(2 * sizeof *p);
    p[0] = i == 2 ? malloc(284) : NULL;
    p[1] = keep ? (void *)kept : NULL;
    if (keep)
      kept = p;
    p = NULL;
  }
}

int main(int argc, char **argv) {
  (void)argv;
  lose(argc > 1);
  return 0;
}
