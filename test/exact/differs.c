/* differs.c - compare_runs.py sees each difference: here the two forms are built of programs that are not the same.
   A chunk's size, interval, counts, order and type; a point; the output.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %forms %t %s && %compare %t | FileCheck %s
// CHECK: 3 points, 4 chunks, 2 reads, 5 writes, 0 differ
//
// RUN: %clang_heapprof -g -DREADS=2 %s -o %t/profiled && not %compare %t | FileCheck %s --check-prefix=READS
// READS: differs: char < argument < 1 < False < main:
// READS-NEXT: reads: naive 1, profiled 2
// READS-NEXT: chunk 0 of 1:
// READS-NEXT: naive    size 20, lo 7, hi 8, reads 1, writes 1, thread 1, free_thread 1
// READS-NEXT: profiled size 20, lo 7, hi 8, reads 2, writes 1, thread 1, free_thread 1
// READS: 1 differ
// RUN: %clang_heapprof -g -DSIZE=21 %s -o %t/profiled && not %compare %t | FileCheck %s --check-prefix=SIZE
// SIZE: bytes: naive 20, profiled 21
// SIZE: 1 differ
// RUN: %clang_heapprof -g -DPLACE=6 %s -o %t/profiled && not %compare %t | FileCheck %s --check-prefix=PLACE
// PLACE: naive    size 20, lo 7, hi 8, reads 1
// PLACE-NEXT: profiled size 20, lo 6, hi 7, reads 1
// RUN: %clang_heapprof -g -DFIRST=2 %s -o %t/profiled && not %compare %t | FileCheck %s --check-prefix=ORDER
// ORDER: chunk 0 of 2:
// ORDER-NEXT: naive    size 4, {{.*}} writes 1,
// ORDER-NEXT: profiled size 4, {{.*}} writes 2,
// ORDER: 1 differ
// RUN: %clang_heapprof -g -DTYPE=long %s -o %t/profiled && not %compare %t | FileCheck %s --check-prefix=TYPE
// TYPE: differs: long < {{.*}}main:
// TYPE-NEXT: not in naive
// TYPE: differs: short < {{.*}}main:
// TYPE-NEXT: not in profiled
// TYPE: 2 differ
// RUN: %clang_heapprof -g -DKEPT %s -o %t/profiled && not %compare %t | FileCheck %s --check-prefix=KEPT
// KEPT: totals differ:
// KEPT: live_chunks: naive 0, profiled 1
// KEPT: 2 differ
// RUN: %clang_heapprof -g -DSTATUS=1 %s -o %t/profiled && not %compare %t 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: output differs:
// OUTPUT-NEXT: (0,
// OUTPUT-NEXT: (1,
#include <stdlib.h>

#ifndef READS
#define READS 1
#endif
#ifndef SIZE
#define SIZE 20
#endif
#ifndef PLACE
#define PLACE 7
#endif
#ifndef FIRST
#define FIRST 1
#endif
#ifndef TYPE
#define TYPE short
#endif
#ifndef STATUS
#define STATUS 0
#endif

int main(void) {
  volatile char *text = malloc(SIZE);
  text[PLACE] = 1;
  for (int i = 0; i < READS; i++)
    (void)text[PLACE];
  free((void *)text);
  for (int i = 0; i < 2; i++) {
    volatile int *number = malloc(sizeof *number);
    for (int j = 0; j < (i ? 3 - FIRST : FIRST); j++)
      *number = j;
    free((void *)number);
  }
  volatile TYPE *one = calloc(1, 8);
  *one += 1;
#ifndef KEPT
  free((void *)one);
#endif
  return STATUS;
}
