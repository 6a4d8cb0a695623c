// stack-lines.c - two lines of one function that want variables on the stack are one finding, as they have one cause; those
// of two functions stay two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: for twin in FAULT REPAIRED APART; do \
// RUN:   cd %t.d && rm -rf heapprof.* && %clang_heapprof -O0 -g -fno-builtin -D$twin %s -o app && ./app || exit 1; \
// RUN:   %heapprof_score --findings heapprof.app.* | tr -s '\n ' ' ' > out && FileCheck %s --check-prefix=$twin < out || { echo $twin; cat out; exit 1; }; done
// FAULT: 1. Likely: paste (stack-lines.c:[[#]]) allocates {{[a-z]+}} of up to 64 B for itself, and frees each, it seems in the same call
// FAULT-SAME: and so at 1 other line of it: 10000 allocations
// FAULT-SAME: -> Use a variable on the stack
// FAULT-SAME: [stack_instead] points
// FAULT-NOT: 2. Likely
// REPAIRED: no findings
// APART: {{paste|name}} (stack-lines.c:[[#]]) allocates {{[a-z]+}} of {{48|64}} B for itself
// APART-SAME: 5000 allocations
// APART: 2. Likely: {{paste|name}} (stack-lines.c:[[#]]) allocates {{[a-z]+}} of {{48|64}} B for itself
// APART-SAME: 5000 allocations
#include <stdlib.h>
#include <string.h>

static volatile int sum;

__attribute__((noinline)) static void fill(char *text, size_t size) {
  memset(text, 1, size);
  for (size_t i = 0; i < size; i++)
    sum += text[i];
}

__attribute__((noinline)) static void name(void) {
#ifdef APART
  char *text = malloc(48);
  fill(text, 48);
  free(text);
#endif
}

__attribute__((noinline)) static void paste(void) {
#ifdef REPAIRED
  char left[64], right[48];
  fill(left, 64);
  fill(right, 48);
#else
  char *left = malloc(64);
  fill(left, 64);
#ifdef FAULT
  char *right = malloc(48);
  fill(right, 48);
  free(right);
#endif
  free(left);
#endif
}

int main(void) {
  for (int i = 0; i < 5000; i++) {
    paste();
    name();
  }
  return 0;
}
