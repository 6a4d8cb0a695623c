// resident-timeline.c - the timeline says what of the process was resident, beside what was live: a chunk takes memory when it is
// touched, and gives it back when it is freed.  Each dump is a look, so that no time is waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O1 %s -o built && %clang -O1 %s -o plain
// RUN: cd %t.d && ./built && %heapprof_score --json heapprof.built.*[0-9][0-9] > json && %python %S/Inputs/check_resident_timeline.py score < json
// RUN: cd %t.d && %heapprof_run ./plain 2> err && %heapprof_score --json heapprof.plain.*[0-9][0-9] > json && %python %S/Inputs/check_resident_timeline.py score < json
// RUN: cd %t.d && %heapprof_export --format=chrome -o trace heapprof.plain.*[0-9][0-9] && FileCheck %s < trace
// CHECK: "resident bytes, most"
// Of several processes a report adds up what each had.
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run ./plain child 2> err && %heapprof_merge -o merged heapprof.plain.*[0-9][0-9] && \
// RUN:   %heapprof_report --json merged > json && %python %S/Inputs/check_resident_timeline.py report < json
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE ((size_t)64 << 20)

int __heapprof_dump(void) __attribute__((weak));

static void use(void) {
  char *volatile p = malloc(SIZE);
  if (__heapprof_dump)
    __heapprof_dump();
  memset(p, 1, SIZE);
  if (__heapprof_dump)
    __heapprof_dump();
  free(p);
}

int main(int argc, char **argv) {
  use();
  if (argc > 1 && strcmp(argv[1], "child") == 0) {
    if (fork() == 0) {
      use();
      return 0;
    }
    wait(NULL);
  }
  return 0;
}
