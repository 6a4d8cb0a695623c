/* unnamed-callers.c - of a stripped program those that call a place have no names: they are told by their addresses, and
   main is not said to call what a function does that it calls.  Where the program begins is no caller.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.dump && %clang -O1 -rdynamic %s -o %t.app && strip %t.app
// RUN: %heapprof_run -o %t.dump %t.app 2> /dev/null && %heapprof_score --findings %t.dump/heapprof.* | FileCheck %s
// CHECK: from make_record are lost
// CHECK: make_record ({{.*}}.app+0x{{[0-9a-f]+}})
// CHECK-NEXT: called by {{[^ ]*}}.app+0x{{[0-9a-f]+}} <- main ({{[^ ]*}}.app){{$}}
#include <stdlib.h>

char *volatile kept;

__attribute__((noinline)) char *make_record(size_t n) {
  char *record = malloc(n);
  if (record)
    record[0] = 1;
  return record;
}

__attribute__((noinline)) static size_t lose_some(size_t n) {
  for (int i = 0; i < 100; i++)
    kept = make_record(n);
  return n;
}

int main(int count, char **arguments) {
  (void)arguments;
  const size_t n = lose_some((size_t)count * 100);
  kept = NULL;
  return n != 100;
}
