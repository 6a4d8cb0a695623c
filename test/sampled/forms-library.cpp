// forms-library.cpp - forms for samples count what the others do: in libraries, of inline functions and behind exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for how in -O1 -O2 '-O2 -flto=thin -fuse-ld=lld' '-O2 -fprofile-instr-generate' '-O2 -mllvm -heapprof-inline-above=0'; do \
// RUN:   %clangxx_heapprof -mllvm -heapprof-sampled-forms $how -DLIBRARY -fPIC -shared %s -o %t.so && \
// RUN:   %clangxx_heapprof -mllvm -heapprof-sampled-forms $how %s %t.so -o %t && rm -rf %t.d && mkdir %t.d || exit 1; \
// RUN:   for every in 0 1; do \
// RUN:     env LLVM_PROFILE_FILE=%t.profraw HEAPPROF_OPTIONS="dump_dir='%t.d/$every':sample_every=$every" %t | FileCheck %s && \
// RUN:     %heapprof_score --json %t.d/$every | grep '"size": {"min": 32, "mean": 32,' | \
// RUN:       grep -o '"reads": [0-9]*, "writes": [0-9]*' | sort > %t.$every || exit 1; \
// RUN:   done; \
// RUN:   FileCheck %s --check-prefix=COUNTS < %t.0 && cmp %t.0 %t.1 || exit 1; \
// RUN: done
// RUN: llvm-nm %t | grep 'thrower.*\.sampled'
// RUN: llvm-nm %t.so | grep 'library\.sampled'
// CHECK: caught 3
// CHECK-NEXT: 9
// COUNTS: "reads": {{[1-9][0-9]*}}, "writes": {{[1-9][0-9]*}}
#include <cstdio>
#define NOINLINE __attribute__((noinline))

struct counters {
  long a, b, c, d;
};

NOINLINE inline long both(counters *p, counters *q, counters *r, counters *s) {
  p->a++;
  q->b++;
  r->c++;
  s->d++;
  return p->a + s->d;
}

extern "C" long library(counters *, counters *, counters *, counters *);

#ifdef LIBRARY
long library(counters *p, counters *q, counters *r, counters *s) {
  p->a = 1;
  q->b = 2;
  r->c = 3;
  s->d = 4;
  return both(p, q, r, s);
}
#else
NOINLINE static long thrower(counters *p, counters *q, counters *r,
                             counters *s) {
  p->b++;
  q->c++;
  r->d++;
  if (s->a++ == 0)
    throw 3;
  return both(p, q, r, s);
}

int main() {
  counters *all[4];
  for (counters *&one : all)
    one = new counters();
  long n = library(all[0], all[1], all[2], all[3]);
  try {
    n += thrower(all[0], all[1], all[2], all[3]);
  } catch (int thrown) {
    std::printf("caught %d\n", thrown);
  }
  n = thrower(all[0], all[1], all[2], all[3]);
  std::printf("%ld\n", n);
  for (counters *one : all)
    delete one;
}
#endif
