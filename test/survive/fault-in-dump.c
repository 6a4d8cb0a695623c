// fault-in-dump.c - the runtime cannot read a chunk's record while it puts a dump together, or a thread of the program faults then.
// The process ends by the signal that it was to end by, and what was written before stays readable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 -pthread %s -o %t
// Nothing else asks for the records: no checkpoint.
// RUN: %env_heapprof_opts=checkpoint_ms=0 %run %t exit; test $? = 139 && %heapprof_score --json %dump/heapprof.*.1 | FileCheck %s
// RUN: %env_heapprof_opts=checkpoint_ms=0 %run %t abort; test $? = 134 && %heapprof_score --json %dump/heapprof.*.1 | FileCheck %s
// CHECK: "complete": true
// CHECK: "allocations": 100,
//
// RUN: for time in 1 2 3 4 5; do %run %t thread; test $? = 139 && \
// RUN:   %heapprof_score --json %dump > %t.json && FileCheck --check-prefix=THREAD %s < %t.json || exit 1; done
// THREAD-NOT: "complete": false
// THREAD: "ended": "signal 11", "complete": true
// THREAD-NOT: "complete": false
#include <pthread.h>
#include <sanitizer/heapprof_interface.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static char *volatile kept[100];
static int dumps;

static void *faults(void *unused) {
  while (__atomic_load_n(&dumps, __ATOMIC_RELAXED) < 3)
    ;
  *(volatile int *)8 = 1;
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  for (int i = 0; i < 100; i++)
    kept[i] = malloc(100);
  if (__heapprof_dump())
    return 1;
  if (!strcmp(argv[1], "thread")) {
    pthread_create(&thread, NULL, faults, NULL);
    while (__atomic_add_fetch(&dumps, 1, __ATOMIC_RELAXED) < 20)
      if (__heapprof_dump())
        return 1;
    pthread_join(thread, NULL); // it had no processor until now
    return 2;
  }
  // The half of the record that is in front of the chunk.
  if (mprotect((void *)((uintptr_t)(kept[0] - 1) & -4096), 4096, PROT_NONE))
    return 1;
  if (!strcmp(argv[1], "abort"))
    abort();
  return 3;
}
