/* no-proc.c - a program that sees no /proc, as in a bare container, says what the plain one says, and has its dump.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: root
// RUN: rm -rf %t.dump && %clang %s -o %t.plain && %clang_heapprof -O1 -g %s -o %t
// RUN: unshare -m sh -c 'umount -l /proc && exec %t.plain' > %t.expected 2>&1
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.dump unshare -m sh -c 'umount -l /proc && exec %t' > %t.said 2>&1
// RUN: cmp %t.expected %t.said
// RUN: %heapprof_score --json %t.dump/heapprof.* | FileCheck %s
// CHECK: "chunks": 100,
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 100; i++) {
    char *volatile p = malloc(100);
    p[0] = 1;
    free(p);
  }
  puts("done");
  return 0;
}
