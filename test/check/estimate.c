// The peak of several points together is an estimate if the log could not keep all chunks, and is called so.
// Of samples, everything is.
// RUN: %clang_heapprof -g -O0 %s -o %t
// RUN: echo '{"schema": "heapprof.budget/1", "budget": [{"of": "function", "name": "take", "max": {"peak_bytes": 9000000, "chunks": 2000}}]}' > %t.json
// RUN: %env_heapprof_opts=chunk_log=budget:chunk_log_point=64 %run %t
// RUN: %heapprof_check --budget %t.json %dump | FileCheck --check-prefix=ESTIMATE %s
// RUN: %env_heapprof_opts=chunk_log=all %run %t
// RUN: %heapprof_check --budget %t.json %dump | FileCheck --check-prefix=EXACT %s
// RUN: sed 's/"chunks": 2000/"chunks": 9000/' %t.json > %t.samples.json
// RUN: %env_heapprof_opts=sample_every=4 %run %t
// RUN: %heapprof_check --budget %t.samples.json %dump | FileCheck --check-prefix=SAMPLES %s
#include <stdlib.h>

__attribute__((noinline)) static void *take(size_t size) {
  return malloc(size);
}

// Two points, one after the other: the peak of both together is neither the sum
// of their peaks nor plain from the peak of the whole.
int main(void) {
  static void *kept[1000];
  for (int i = 0; i < 1000; i++)
    kept[i] = take(100);
  for (int i = 0; i < 1000; i++)
    free(kept[i]);
  for (int i = 0; i < 1000; i++)
    kept[i] = take(200);
  for (int i = 0; i < 1000; i++)
    free(kept[i]);
  return 0;
}
// ESTIMATE: ok   function take: peak_bytes is {{[0-9]+}} (an estimate), at most 9000000 allowed
// ESTIMATE: ok   function take: chunks is 2000, at most 2000 allowed
// SAMPLES: ok   function take: peak_bytes is {{[0-9]+}} (an estimate), at most 9000000 allowed
// SAMPLES: ok   function take: chunks is {{[0-9]+}} (an estimate), at most 9000 allowed
// EXACT: ok   function take: peak_bytes is 200000, at most 9000000 allowed
