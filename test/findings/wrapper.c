// wrapper.c - a fault behind an xmalloc: finding and table name the caller, not xmalloc.
// Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score %dump/heapprof.* | FileCheck --check-prefix=TABLE --implicit-check-not=xmalloc %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact:
// CHECK-SAME: 100 chunks of 4.00 KiB (page) from open_page (wrapper.c:{{[0-9]+}}) are never read
// CHECK-NOT: xmalloc (
// CHECK: [unused] point
// TABLE: {{^}}open_page wrapper.c:[[#]] page
// REPAIRED: no findings
#include <stdlib.h>

struct name {
  char text[32];
};
struct value {
  long number;
};
struct page {
  char bytes[4096];
};
struct row {
  struct name *name;
  struct value *value;
  struct page *page;
};

__attribute__((noinline)) void *xmalloc(size_t size) {
  void *memory = malloc(size);
  if (!memory)
    abort();
  return memory;
}

__attribute__((noinline)) struct name *make_name(int i) {
  struct name *name = xmalloc(sizeof *name);
  for (int k = 0; k < 32; k++)
    name->text[k] = i + k;
  return name;
}

__attribute__((noinline)) struct value *make_value(int i) {
  struct value *value = xmalloc(sizeof *value);
  value->number = i;
  return value;
}

__attribute__((noinline)) struct page *open_page(void) {
  struct page *page = xmalloc(sizeof *page);
  return page;
}

int main(void) {
  struct row *rows = xmalloc(100 * sizeof *rows);
  long sum = 0;
  for (int i = 0; i < 100; i++) {
    rows[i].name = make_name(i);
    rows[i].value = make_value(i);
#ifdef REPAIRED
    rows[i].page = NULL;
#else
    rows[i].page = open_page();
#endif
  }
  for (int i = 0; i < 100; i++) {
    for (int k = 0; k < 32; k++)
      sum += rows[i].name->text[k];
    sum += rows[i].value->number;
    free(rows[i].name);
    free(rows[i].value);
    free(rows[i].page);
  }
  free(rows);
  return sum == 1;
}
