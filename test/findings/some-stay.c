// some-stay.c - values that are mostly gone at once, but one in twenty stays for long: no "one after the other".
// As XPath's objects in xsltproc; the twin has none that stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DNONE_STAYS %s -o %t.none && %run %t.none
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// CHECK: value_of (some-stay.c:[[#]]) allocates value of 72 B again and again, each for
// CHECK-SAME: 20000 allocations
// CHECK-SAME: -> Keep freed ones in a free list or a pool, or take them from an arena if they are freed together.
// CHECK-SAME: [short_lived]
// NONE: value_of (some-stay.c:[[#]]) allocates value of 72 B one after the other, each for
// NONE-SAME: or use a variable on the stack
#include <stdlib.h>

struct value {
  long number, more[8];
};

#define KEPT 100
static struct value *kept[KEPT];

__attribute__((noinline)) struct value *value_of(long number) {
  struct value *v = malloc(sizeof *v);
  v->number = number;
  for (int i = 0; i < 8; i++)
    v->more[i] = number;
  return v;
}

__attribute__((noinline)) long drop(struct value *v) {
  long sum = v ? v->number : 0;
  for (int i = 0; v && i < 8; i++)
    sum += v->more[i];
  free(v);
  return sum;
}

int main(void) {
  long sum = 0;
  for (long i = 0; i < 20000; i++) {
    struct value *v = value_of(i);
#ifndef NONE_STAYS
    if (i % 20 == 0) {
      struct value **place = &kept[i / 20 % KEPT];
      sum += drop(*place);
      *place = v;
      continue;
    }
#endif
    sum += drop(v);
  }
  for (int i = 0; i < KEPT; i++)
    sum += drop(kept[i]);
  return sum == 1;
}
