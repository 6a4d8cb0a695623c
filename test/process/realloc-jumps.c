// realloc-jumps.c - what realloc did to sizes, by call: how often, in place or moved, by how much, and the largest jump; exact, with hooks
// and without, from one thread and from several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O1 -g %s -o built -pthread && %clang -O1 -g %s -o plain -pthread
// RUN: cd %t.d && ./built && %heapprof_score --limit 0 --json heapprof.built.* > json && %python %S/Inputs/resizes.py < json | FileCheck %s
// RUN: cd %t.d && %heapprof_run ./plain 2> err && %heapprof_score --limit 0 --json heapprof.plain.* > json && %python %S/Inputs/resizes.py < json | FileCheck %s
// CHECK:      grows: 3 calls, 3 grew by 3984, 0 shrank by 0, largest 1000 to 4000
// CHECK-NEXT: shrinks: 2 calls, 1 grew by 50, 1 shrank by 900, largest 100 to 150
// CHECK-NEXT: stays: 10 calls, 0 grew by 0, 0 shrank by 0, largest 0 to 0
// CHECK-NEXT: starts: none
// CHECK-NEXT: fails: none
// CHECK-NEXT: together: 40000 calls, 40000 grew by 4000000, 0 shrank by 0, largest 100 to 200
// Merged, sums add up and the largest jump is one of them.
// RUN: cd %t.d && %heapprof_merge -o both heapprof.built.* heapprof.plain.* && %heapprof_score --limit 0 --csv --by function both | FileCheck --check-prefix=BOTH %s
// BOTH: ,grows,{{.*}},6,{{[0-6]}},{{[0-9]+}},7968,0,1000,4000
// RUN: cd %t.d && COLUMNS=200 %heapprof_score --stacks --limit 0 heapprof.plain.* | FileCheck --check-prefix=TABLE %s
// TABLE: resized 3 times, {{[0-3]}} of them in place: 3.89KiB more, 0B less, {{.*}} moved; at most from 1000B to 3.91KiB
// RUN: cd %t.d && %heapprof_score --csv --limit 0 heapprof.plain.* | sed 's/\r//' | FileCheck --check-prefix=CSV %s
// CSV: ,reallocs,reallocs_in_place,realloc_moved_bytes,realloc_grown_bytes,realloc_shrunk_bytes,realloc_jump_from,realloc_jump_to
// CSV-DAG: ,grows,{{.*}},3,{{[0-3]}},{{[0-9]+}},3984,0,1000,4000,{{.*}}
// CSV-DAG: ,starts,{{.*}},,,,,,,{{$}}
// RUN: cd %t.d && %heapprof_report --json heapprof.plain.* > report && %python %S/../report/same_numbers.py json report
// Of samples nothing is known.
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run --sample-every=3 ./plain 2> err && %heapprof_score --json heapprof.plain.* | FileCheck --check-prefix=SAMPLED %s
// SAMPLED-NOT: "resizes": {
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define SITE __attribute__((noinline))

SITE static char *grows(char *p, size_t size) {
  char *volatile q = realloc(p, size);
  return q;
}
SITE static char *shrinks(char *p, size_t size) {
  char *volatile q = realloc(p, size);
  return q;
}
SITE static char *stays(char *p, size_t size) {
  char *volatile q = realloc(p, size);
  return q;
}
SITE static char *starts(size_t size) {
  char *volatile q = realloc(NULL, size);
  return q;
}
SITE static void fails(char *p) {
  char *volatile q = realloc(p, (size_t)1 << 60);
  if (q)
    abort();
}
SITE static char *together(char *p) {
  char *volatile q = realloc(p, 200);
  return q;
}

static void *repeat(void *arg) {
  for (int i = 0; i < 10000; i++)
    free(together(malloc(100)));
  return arg;
}

int main(void) {
  static const size_t larger[] = {40, 1000, 4000}, smaller[] = {100, 150};
  char *p = malloc(16);
  for (int i = 0; i < 3; i++)
    p = grows(p, larger[i]);
  fails(p);
  free(p);
  p = malloc(1000);
  for (int i = 0; i < 2; i++)
    p = shrinks(p, smaller[i]);
  free(p);
  p = starts(70);
  for (int i = 0; i < 10; i++)
    p = stays(p, 70);
  free(p);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], NULL, repeat, NULL))
      return 1;
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
