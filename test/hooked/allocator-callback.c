/* allocator-callback.c - a library without hooks allocates by a function of the program, as many can be told to.
   The function has hooks and the chunks are the library's.  Called from everywhere in there it is an allocator, and they
   are unknown; called from one place it may be a handler that allocates for itself: nothing is a fact, nor unknown.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: for o in -O0 -O2; do \
// RUN:   %clang -O1 -fno-inline -fno-optimize-sibling-calls -fno-omit-frame-pointer -fPIC -shared -DLIBRARY %s -o %t.lib.so && \
// RUN:   %clang_heapprof $o %s -o %t %t.lib.so && %run %t && \
// RUN:   %heapprof_score --json %dump/heapprof.* > %t.json && \
// RUN:   %python %S/Inputs/unknown.py take < %t.json | FileCheck --check-prefix=LENT %s && \
// RUN:   %python %S/Inputs/unknown.py handle < %t.json | FileCheck --check-prefix=HANDLER %s && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | FileCheck %s || exit 1; done
// CHECK: note: what is said of accesses is likely
// CHECK-NOT: Fact:
// LENT-NOT: known True
// LENT-COUNT-4: take: known False, usage None, useful None, flags [], lifetime known
// HANDLER: handle: known True
#include <stdio.h>
#include <stdlib.h>

long library_work(void *(*allocate)(size_t), long (*handler)(long));
#ifdef LIBRARY
static long use(long *cells) {
  long sum = 0;
  for (int k = 0; k < 100; k++)
    cells[k] = k;
  for (int k = 0; k < 100; k++)
    sum += cells[k];
  free(cells);
  return sum;
}
static long first(void *(*allocate)(size_t)) { return use(allocate(800)); }
static long second(void *(*allocate)(size_t)) { return use(allocate(808)); }
static long third(void *(*allocate)(size_t)) { return use(allocate(816)); }
static long fourth(void *(*allocate)(size_t)) { return use(allocate(824)); }
long library_work(void *(*allocate)(size_t), long (*handler)(long)) {
  long sum = 0;
  for (int i = 0; i < 100; i++)
    sum += first(allocate) + second(allocate) + third(allocate) +
           fourth(allocate) + handler(i);
  return sum;
}
#else
__attribute__((noinline)) static void *take(size_t size) {
  void *volatile taken = malloc(size);
  return taken;
}
__attribute__((noinline)) static long handle(long event) {
  long *volatile state = malloc(64);
  state[0] = event;
  long result = state[0];
  free(state);
  return result;
}
int main(void) {
  printf("%ld\n", library_work(take, handle));
  return 0;
}
#endif
