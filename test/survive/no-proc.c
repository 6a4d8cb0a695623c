/* no-proc.c - a program that sees no /proc, as in a bare container, says what the plain one says, and has its dump.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: root
// RUN: rm -rf %t.dump && %clang %s -o %t.plain && %clang_heapprof -O1 -g %s -o %t
// RUN: unshare -m sh -c 'umount -l /proc && exec %t.plain' > %t.expected 2>&1
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.dump unshare -m sh -c 'umount -l /proc && exec %t' > %t.said 2>&1
// RUN: cmp %t.expected %t.said
// RUN: %heapprof_score --json %t.dump/heapprof.no-proc.* | FileCheck %s
// CHECK: "chunks": 100,
// The program is the file that it was started as, if that has its build id.
// RUN: rm -rf %t.dump && %clang_heapprof -O1 -g -Wl,--build-id %s -o %t.named
// RUN: cd $(dirname %t) && env HEAPPROF_OPTIONS=dump_dir=%t.dump unshare -m sh -c 'umount -l /proc && exec ./$(basename %t.named)'
// RUN: %heapprof_score --json %t.dump/heapprof.no-proc.* > %t.json && FileCheck --check-prefix=NAMED %s < %t.json
// NAMED: "program": "{{.*}}no-proc.c.tmp.named"
// NAMED: "warnings": []
// NAMED: "function": "allocate"
// RUN: %clang_heapprof -O1 -g -Wl,--build-id=0x1234 %s -o %t.named
// RUN: %heapprof_score --json %t.dump/heapprof.no-proc.* | FileCheck --check-prefix=OTHER %s
// OTHER: its build id is not the dump's
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static char *allocate(void) {
  char *volatile p = malloc(100);
  return p;
}

int main(void) {
  for (int i = 0; i < 100; i++) {
    char *p = allocate();
    p[0] = 1;
    free(p);
  }
  puts("done");
  return 0;
}
