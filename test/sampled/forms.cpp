// forms.cpp - a sampled run executes a function's form for samples, which is shown as the function, whatever names it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for g in -g -gline-tables-only -g0; do \
// RUN:   %clangxx_heapprof -mllvm -heapprof-inline-above=0 -mllvm -heapprof-sampled-forms $g -O2 -rdynamic %s -o %t && rm -rf %t.d && mkdir %t.d && \
// RUN:   env HEAPPROF_OPTIONS="dump_dir='%t.d'" %t | FileCheck %s --check-prefix=FULL && \
// RUN:   env HEAPPROF_OPTIONS="dump_dir='%t.d':sample_every=1" %t | FileCheck %s --check-prefix=SAMPLES && \
// RUN:   for d in %t.d/*; do %heapprof_score --stacks $d | FileCheck %s || exit 1; done || exit 1; \
// RUN: done
// FULL: called by list::grow
// SAMPLES: called by another
// CHECK-NOT: {{[a-z] ?}}.sampled
// CHECK: #{{[0-9]}} list::grow(long)
// CHECK-NOT: {{[a-z] ?}}.sampled
//
// RUN: %clangxx_heapprof -mllvm -heapprof-inline-above=0 -g0 -O2 -rdynamic -mllvm -heapprof-sampled-forms=0 %s -o %t.one
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d':sample_every=1" %t.one | FileCheck %s --check-prefix=FULL
// RUN: llvm-size %t %t.one | awk 'NR > 1 {text[NR] = $1} END {exit !(text[3] < text[2])}'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

struct list {
  list *next;
  long a, b, c;
  __attribute__((noinline)) list *grow(long n);
};

__attribute__((noinline)) static void note() {
  Dl_info info = {};
  dladdr(__builtin_return_address(0), &info);
  const bool known =
      info.dli_sname && std::strcmp(info.dli_sname, "_ZN4list4growEl") == 0;
  std::printf("called by %s\n", known ? "list::grow" : "another");
}

list *list::grow(long n) {
  list *more = static_cast<list *>(std::malloc(sizeof(list)));
  more->next = this;
  next = more;
  a += n;
  note();
  b += a;
  c += more->next->a;
  note();
  more->a = more->b = more->c = c;
  return more;
}

int main() {
  list *first = static_cast<list *>(std::calloc(1, sizeof(list)));
  list *last = first;
  for (long i = 0; i < 10; i++)
    last = last->grow(i);
  return last == first;
}
