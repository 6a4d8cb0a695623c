// Where the result goes: returned, to a member, by a condition, an array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"

union U {
  long l;
  double d;
};
struct Q *global;
struct {
  struct R *member;
} holder;

static struct Q *returned(size_t n) { return malloc(n); }

static void filled(struct R *r) { keep(r); }

int main(void) {
  volatile int one = 1;
  keep(returned(110));  // TYPE 110 argument Q
  global = malloc(111); // TYPE 111 argument Q
  keep(global);
  holder.member = malloc(112); // TYPE 112 argument R
  keep(holder.member);
  struct Q *maybe = one ? malloc(113) : NULL; // TYPE 113 argument Q
  keep(maybe);
  struct Q *block = ({ // TYPE 114 argument Q
    one = 2;
    malloc(114);
  });
  keep(block);
  keep(malloc(sizeof(struct Q[19]))); // TYPE 152 argument Q[19] = 1 of 152
  union U *either = malloc(115);      // TYPE 115 argument U
  keep(either);
  filled(malloc(117));                   // TYPE 117 argument R
  keep((struct Q *)(void *)malloc(118)); // TYPE 118 argument Q
  // A variable that is nothing but this memory, and is taken for one type.
  void *later = malloc(121); // TYPE 121 argument R
  if (!later)
    return 1;
  struct R *now = later;
  keep(now);
  void *two = malloc(122); // TYPE 122 -
  struct R *r = two;
  struct Q *q = two;
  keep(one ? (void *)r : (void *)q);
  return 0;
}
