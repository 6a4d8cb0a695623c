// tiny-chunks.c - a name of 10 bytes for each of 20000 marks, which nobody reads: what is promised of the
// peak is what malloc gives back, more than three times as much.  Its twin makes none; plainly it counts by mallinfo2.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=JSON %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang -O2 -DPLAIN %s -o %t.plain && %t.plain > %t.made
// RUN: %clang -O2 -DPLAIN -DREPAIRED %s -o %t.plain && %t.plain > %t.none
// RUN: test $(($(cat %t.made) - $(cat %t.none))) -eq 640000
// CHECK: Fact: 20000 chunks of 10 B (char) from make_name (tiny-chunks.c:[[#]]) are written and never read:
// CHECK-SAME: 20000 allocations ({{[0-9]+}} % of all), 195 KiB for nobody ({{[0-9]+}} % of all), 625 KiB of malloc's memory at the peak ({{[0-9]+}} % of it), for 195 KiB requested.
// JSON: "peak_touched_bytes": 360000, "peak_memory_bytes": 803840,
// JSON: "saves": {"chunks": 20000, "peak_bytes": 200000, "peak_memory_bytes": 640000,
// JSON-SAME: "shares": {"allocations": {{[0-9.]+}}, "peak": 0.5{{[0-9]*}}, "memory": 0.{{79|8}}
// NONE: no findings
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

struct mark {
  char *name;
};

__attribute__((noinline)) static char *make_name(int number) {
  char *name = malloc(10);
  for (int i = 0; i < 10; i++)
    ((volatile char *)name)[i] = (char)(number >> i);
  return name;
}

int main(void) {
  struct mark *marks = calloc(20000, sizeof *marks);
#ifndef REPAIRED
  for (int i = 0; i < 20000; i++)
    marks[i].name = make_name(i);
#endif
#ifdef PLAIN
  printf("%zu\n", mallinfo2().uordblks);
#endif
  int unnamed = 0;
  for (int i = 0; i < 20000; i++) {
    unnamed += !((struct mark volatile *)marks)[i].name;
    free(marks[i].name);
  }
  free(marks);
  return unnamed != 0 && unnamed != 20000;
}
