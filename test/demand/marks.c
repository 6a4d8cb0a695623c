// marks.c - names that a program gives to moments: in later dumps, in order, until a reset; and where they end.
// Also from a handler of a signal, by several threads, and in a process that a signal kills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 -pthread %s -o %t
// RUN: %run %t && %heapprof_score --json %dump/heapprof.*.1 > %t.first && %heapprof_score --json %dump > %t.last
// RUN: %python %S/Inputs/marks.py %t.first | FileCheck %s --match-full-lines --check-prefix=FIRST
// FIRST: 2 in order within the window
// FIRST-NEXT: 'begin' 5
// FIRST-NEXT: 'handler' 7
// RUN: %python %S/Inputs/marks.py %t.last | FileCheck %s --match-full-lines --check-prefix=LAST
// LAST: 2 in order within the window
// LAST-NEXT: 'after the reset' 15
// LAST-NEXT: '{{x+}}' 119
//
// RUN: %run %t threads && %heapprof_score --json %dump > %t.json
// RUN: %python %S/Inputs/marks.py %t.json | grep -x '1024 in order within the window'
// RUN: %heapprof_score %dump | tr '\n' ' ' | grep '976 marks  *beyond  *the  *first  *1024  *are  *missing'
//
// RUN: not --crash %run %t crash && %heapprof_score --json %dump > %t.json
// RUN: %python %S/Inputs/marks.py %t.json | grep "'before the crash'"
#include <errno.h>
#include <pthread.h>
#include <sanitizer/heapprof_interface.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void handle(int number) { __heapprof_mark("handler"); }

static void *marks(void *unused) {
  for (int i = 0; i < 500; i++)
    __heapprof_mark("thread");
  return NULL;
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  free(malloc(10));
  if (!strcmp(way, "threads")) {
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
      pthread_create(&thread[i], NULL, marks, NULL);
    for (int i = 0; i < 4; i++)
      pthread_join(thread[i], NULL);
    return 0;
  }
  if (!strcmp(way, "crash")) {
    __heapprof_mark("before the crash");
    abort();
  }
  errno = 77;
  __heapprof_mark(NULL);
  __heapprof_mark("begin");
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  __heapprof_dump();
  __heapprof_mark("forgotten");
  __heapprof_reset();
  __heapprof_mark("after the reset");
  char name[201];
  memset(name, 'x', 200);
  name[200] = '\0';
  __heapprof_mark(name);
  free(malloc(20));
  return errno != 77;
}
