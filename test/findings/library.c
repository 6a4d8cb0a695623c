// library.c - a library that allocates at each call, and one that is never asked to give back.
// Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: by set_up
// CHECK: Fact:
// CHECK-SAME: from a library called by compile (library.c:[[#]]) are lost: nothing outside points to them at the end, {{[^>]*}}-> Call the library's function that gives them back, if it has one.
// CHECK: Likely:
// CHECK-SAME: compile (library.c:[[#]]) calls a library, which allocates chunks {{[^>]*}}-> Call it less often, or let it keep its memory
// REPAIRED-NOT: {{a library|by set_up}}
#include <locale.h>
#include <regex.h>
#include <stddef.h>

#ifdef REPAIRED
#define NUMBER 1
#else
#define NUMBER 1000
#endif

__attribute__((noinline)) static void compile(regex_t *expression) {
  if (regcomp(expression, "(a|b)*c[0-9]+", REG_EXTENDED) != 0)
    __builtin_trap();
}

__attribute__((noinline)) static void set_up(void) {
  setlocale(LC_ALL, "C.UTF-8"); /* keeps what it read: nothing to change */
}

__attribute__((noinline)) static int use(void) {
  regex_t expressions[1000];
  int sum = 0;
  for (int i = 0; i < NUMBER; i++)
    compile(&expressions[i]);
  sum += regexec(&expressions[0], "ababababc12", 0, NULL, 0) == 0;
#ifdef REPAIRED
  regfree(&expressions[0]);
#endif
  return sum;
}

int main(void) {
  set_up();
  return use() != 1;
}
