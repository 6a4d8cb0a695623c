/* invalid-free.c - free of a foreign, an inner and an already freed pointer: reported with a stack, ignored.
   The exit code and stdout are the program's, the profile stays valid, and the counts of others are right.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g -w %s -o %t
// RUN: %run %t foreign 2>%t.err >%t.out; test $? = 5
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.err
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.out
// RUN: sed -n 's/.*tmp+\(0x[0-9a-f]*\)).*/\1/p' %t.err | llvm-symbolizer --obj=%t | FileCheck %s --check-prefix=STACK
// RUN: %expect %dump
// RUN: %run %t inner 2>%t.err >%t.out; test $? = 5
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.err
// RUN: %expect %dump
// RUN: %run %t twice 2>%t.err >%t.out; test $? = 5
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.err
// RUN: %expect %dump
// RUN: %run %t realloc 2>%t.err >%t.out; test $? = 5
// RUN: FileCheck %s --check-prefix=REALLOC --input-file=%t.err
// RUN: %expect %dump
// RUN: %heapprof_score %dump 2>&1 | FileCheck %s --check-prefix=SCORE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void bad_free(void *p) { free(p); }

int main(int argc, char **argv) {
  (void)argc;
  static char own[64];
  char *p = malloc(48);
  p[0] = 1;
  if (!strcmp(argv[1], "foreign"))
    bad_free(own + 16);
  if (!strcmp(argv[1], "inner"))
    bad_free(p + 16);
  if (!strcmp(argv[1], "realloc")) {
    void *volatile q = realloc(own + 16, 10);
    (void)q;
  }
  free(p);
  if (!strcmp(argv[1], "twice"))
    bad_free(p);
  char *q = malloc(49), *r = malloc(49);
  if (q == r) /* as a corrupted free list would hand out */
    return 1;
  if (write(1, "done\n", 5) != 5)
    return 2;
  return 5;
}
// REPORT: {{^}}=={{[0-9]+}}==heapprof: free of 0x{{[0-9a-f]+}}, which is no live heap chunk
// REPORT-NEXT: #0 {{.*}}.tmp+0x{{[0-9a-f]+}})
// REPORT-NEXT: #1 {{.*}}.tmp+0x{{[0-9a-f]+}})
// REPORT-NOT: heapprof:
// STACK: {{^}}bad_free
// STACK: {{^}}main
// REALLOC: heapprof: {{.*}}realloc of 0x
// OUT: done
// EXPECT: process.invalid_frees == 1 and process.exit_status == 5
// EXPECT: process.allocations == 3 and process.frees == 1
// EXPECT: chunk(size=48).writes == 1 and "LIVE" not in chunk(size=48).flags
// EXPECT: len(chunks(size=49)) == 2
// SCORE: freed
