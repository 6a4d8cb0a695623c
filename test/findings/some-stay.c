// some-stay.c - values that are mostly gone at once, but one in twenty stays for long: no "one after the other".
// As XPath's objects in xsltproc; one twin has none that stay, in another they stay to the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DNONE_STAYS %s -o %t.none && %run %t.none
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DKEPT=1000 -DNEVER_FREED %s -o %t.never && %run %t.never
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NEVER %s
// CHECK: value_of (some-stay.c:[[#]]) allocates value of 72 B again and again, half of them for less than {{.*}}, though {{.*}} on average
// CHECK-SAME: 20000 allocations
// CHECK-SAME: -> Keep freed ones in a free list or a pool, or take them from an arena if they are freed together.
// CHECK-SAME: [short_lived]
// NONE: value_of (some-stay.c:[[#]]) allocates value of 72 B one after the other, {{each for|half of them}}
// NONE-SAME: or use a variable on the stack
// NEVER: value_of (some-stay.c:[[#]]) allocates value of 72 B again and again, {{each for|half of them}}
// NEVER-SAME: on average, but for 1000 that stay to the end; freed by
// NEVER-NOT: on the stack
#include <stdlib.h>

struct value {
  long number, more[8];
};

#ifndef KEPT
#define KEPT 100
#endif
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
#ifndef NEVER_FREED
  for (int i = 0; i < KEPT; i++)
    sum += drop(kept[i]);
#endif
  return sum == 1;
}
