// callers.cpp - what each thread did, and how often each allocation function was called: counts are exact.
// The thread leaves chunks to main, which frees some of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clangxx_heapprof -w -fno-builtin -O1 %s -o built -pthread && %clangxx -w -fno-builtin -O1 %s -o plain -pthread
// RUN: cd %t.d && ./built && %heapprof_score --json heapprof.built.* > built.json && %python %S/Inputs/check_callers.py built.json
// RUN: cd %t.d && %heapprof_run ./plain 2> err && %heapprof_score --json heapprof.plain.* > plain.json && %python %S/Inputs/check_callers.py plain.json
//
// RUN: cd %t.d && %heapprof_score --by thread heapprof.built.* | FileCheck --check-prefix=THREADS %s
// THREADS: thread allocations bytes frees of others live peak time
// THREADS-NEXT: {{^1 main}}
// THREADS-NEXT: {{^2 +100 +97.7KiB +30 +0 +19.5KiB +97.7KiB }}
// RUN: cd %t.d && %heapprof_score --by thread --limit 1 heapprof.built.* | tail -1 | grep -x '1 more'
// RUN: cd %t.d && %heapprof_score --by call heapprof.built.* | FileCheck --check-prefix=CALLS %s
// CALLS: function calls bytes mean error median p99 timed
// CALLS: {{^realloc +200 }}
// CALLS: {{^aligned_alloc +1 +640B }}
// CALLS-NEXT: {{^operator new +10000 +39.1KiB +[0-9.]+(ns|us) }}
// CALLS: {{^operator delete +10500 }}
// CALLS-NEXT: one call in 64 is timed
//
// A merged dump has those of each process; one of samples says that all but the times are estimates.
// RUN: cd %t.d && ./built && %heapprof_merge -o merged heapprof.built.* && %heapprof_score --by thread merged | grep -c '^2  .* 19.5KiB ' | grep -x 2
// RUN: cd %t.d && rm -rf heapprof.* && env HEAPPROF_OPTIONS=sample_every=10 ./built && %heapprof_score --by call heapprof.built.* | grep 'estimates from samples'
//
// They are tables of their own.
// RUN: not %heapprof_score --by thread --csv %t.d/merged 2>&1 | FileCheck --check-prefix=OWN %s
// RUN: not %heapprof_score --by call --filter x %t.d/merged 2>&1 | FileCheck --check-prefix=OWN %s
// OWN: heapprof-score: threads, calls, mappings and globals are tables of their own; leave --csv, --findings, --process, --filter and --sort out; see
#include <pthread.h>
#include <stdlib.h>

static void *left[100];

static void *run(void *) {
  for (int i = 0; i < 100; i++)
    left[i] = malloc(1000);
  for (int i = 0; i < 30; i++)
    free(left[i]);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_join(thread, nullptr);
  for (int i = 30; i < 80; i++)
    free(left[i]);
  for (int i = 0; i < 10000; i++)
    delete new int(i);
  for (int i = 0; i < 500; i++)
    delete[] new int[i + 1];
  void *p = calloc(10, 10);
  for (int i = 0; i < 200; i++)
    p = realloc(p, 100 + i * 100);
  free(p);
  free(aligned_alloc(64, 640));
  return 0;
}
