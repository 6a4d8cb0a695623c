/* files-open.c - a program opens one file after the other and closes none: libc can reach all of them, so that none is lost.
   Its twin closes them; with FEW it opens a few at the start, which it uses to the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: for twin in CLOSED FEW; do %clang_heapprof -O2 -g -D$twin %s -o %t.twin && %run %t.twin && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=TWIN %s || exit 1; done
// CHECK-DAG: 100 chunks of 4.00 KiB (stdio buffer) from a library called by first_of (files-open.c:[[#]]) are still allocated at the end, as their files were not closed: {{[^:]*}} -> Close each file after its last use, by fclose.
// CHECK-DAG: 100 chunks of {{[0-9]+}} B (FILE) from a library called by look (files-open.c:[[#]]) are still allocated at the end, as their files were not closed
// TWIN-NOT: [never_freed]
#include <stdio.h>
#include <time.h>

enum { FILES = 100, MILLISECOND = 1000000 };

__attribute__((noinline)) static int first_of(FILE *file) { return getc(file); }

__attribute__((noinline)) static int look(const char *path) {
  FILE *file = fopen(path, "r");
  int sum = 0;
  if (!file)
    return 0;
#ifdef FEW
  for (int i = 0; i < 4; i++) {
    rewind(file);
    sum += first_of(file);
  }
#else
  sum = first_of(file);
#endif
#ifdef CLOSED
  fclose(file);
#endif
  return sum;
}

int main(int argc, char **argv) {
  int sum = argc;
  for (int i = 0; i < FILES; i++) {
    sum += look(argv[0]);
#ifndef FEW
    nanosleep(&(struct timespec){.tv_nsec = 10 * MILLISECOND}, NULL);
#endif
  }
#ifdef FEW
  for (int i = 0; i < FILES; i++)
    nanosleep(&(struct timespec){.tv_nsec = 20 * MILLISECOND}, NULL);
#endif
  return sum == 1;
}
