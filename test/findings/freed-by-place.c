/* freed-by-place.c - what some calls of a function could have on the stack, and others are not known to, as they lie in a recursion, is told together: it is freed at one line, by nobody else.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && rm -rf %dump && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: has_key (freed-by-place.c:[[#@LINE+9]]) allocates
// CHECK-SAME: freed by has_key (freed-by-place.c:[[#@LINE+13]]): {{[0-9]+}} allocations
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *names[] = {"one", "two", "three"};

__attribute__((noinline)) static int has_key(int number) {
  char *key = malloc(48);
  int found = 0;
  snprintf(key, 48, "%s-%d", names[number % 3], number);
  for (int i = 0; i < 3; i++)
    found += strncmp(key, names[i], 3) == 0;
  free(key);
  return found;
}

__attribute__((noinline)) static int walk(int depth) {
  const int here = has_key(depth);
  return depth > 1 ? here + walk(depth - 1) + walk(depth - 2) : here;
}

int main(void) {
  int found = 0;
  for (int i = 0; i < 500; i++)
    found += has_key(i);
  for (int i = 0; i < 20; i++)
    found += walk(9);
  return found ? 0 : 1;
}
