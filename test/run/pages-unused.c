/* pages-unused.c - chunks of a program without hooks of which no page was ever touched are unused, a fact.  The twin uses them.
   Slots that other chunks touched before are no exception.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: gcc
// DEFINE: %{findings} = %heapprof_run --page-facts ./app 2> err && %heapprof_score --findings heapprof.* > text && tr -s '\n ' ' ' < text | FileCheck %s
// RUN: for cc in gcc %clang; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   $cc -O2 -g %s -o app && %{findings} && %heapprof_score --json heapprof.* | FileCheck --check-prefix=JSON %s && rm -rf heapprof.* && \
// RUN:   $cc -O2 -g -DREPAIRED %s -o app && %{findings} --check-prefix=REPAIRED || exit 1; done
// Built with hooks it is said by its accesses.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang_heapprof -O2 -g %s -o app && HEAPPROF_OPTIONS=page_facts=1 ./app && %heapprof_score --findings heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=HOOKED %s
// The program takes memory from a chunk, which so may have been touched: nothing is said.
// RUN: cd %t && rm -rf heapprof.* && %clang -O2 -g -DGIVEN %s -o app && %{findings} --check-prefix=REPAIRED
// CHECK: Fact:
// CHECK-SAME: 120 chunks of 1.00 MiB from make_history (pages-unused.c:{{[0-9]+}}) are never read nor written (by pages: none was touched)
// CHECK-SAME: -> Remove the allocation
// CHECK-SAME: [unused]
// CHECK-NOT: make_table
// JSON: "rule": "unused", {{.*}}"certain": true, {{.*}}"by_pages": true
// REPAIRED-NOT: never read nor written
// HOOKED: 120 chunks of 1.00 MiB{{( \(char\))?}} from make_history (pages-unused.c:{{[0-9]+}}) are never read nor written:
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIZE ((size_t)1 << 20)

__attribute__((noinline)) char *make_history(void) {
  char *volatile p = aligned_alloc(4096, SIZE);
  return p;
}

__attribute__((noinline)) char *make_table(void) {
  char *volatile p = aligned_alloc(4096, SIZE);
  return p;
}

void *(*volatile set)(void *, int, size_t) = memset;

int main(void) {
  char *tables[10], *histories[60];
#ifdef GIVEN
  tables[0] = make_table();
  madvise(tables[0], SIZE, MADV_DONTNEED);
  free(tables[0]);
#endif
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 10; i++) {
      tables[i] = make_table();
      set(tables[i], 1, SIZE);
    }
    for (int i = 0; i < 10; i++)
      free(tables[i]);
    for (int i = 0; i < 60; i++) {
      histories[i] = make_history();
#ifdef REPAIRED
      set(histories[i], 1, SIZE);
#endif
    }
    for (int i = 0; i < 60; i++)
      free(histories[i]);
  }
  return 0;
}
