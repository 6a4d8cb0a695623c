// forked.c - of a merged dump the points that lived when one of its processes forked are shared, as in the dumps side by side; what began
// after the last fork is not, nor what only the child has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O1 -g %s -o app && HEAPPROF_OPTIONS=dump_dir=$PWD/dumps ./app && ls dumps | count 2
// RUN: cd %t.d && %heapprof_score --json dumps/* | %python -c "import json,sys; [print(p['site']['function'], 'shared' if p['accesses_shared'] else 'alone') for p in json.load(sys.stdin)['points'] if p['chunks']]" | sort > apart.txt && FileCheck --match-full-lines %s < apart.txt
// RUN: cd %t.d && %heapprof_merge -o merged dumps/* && %heapprof_score --json merged | %python -c "import json,sys; [print(p['site']['function'], 'shared' if p['accesses_shared'] else 'alone') for p in json.load(sys.stdin)['points'] if p['chunks']]" | sort | diff apart.txt -
// So of a merged dump of it and others.
// RUN: cd %t.d && HEAPPROF_OPTIONS=dump_dir=$PWD/more ./app && %heapprof_merge -o again merged more/* && %heapprof_score --json again | %python -c "import json,sys; [print(p['site']['function'], 'shared' if p['accesses_shared'] else 'alone') for p in json.load(sys.stdin)['points']]" | sort | diff apart.txt -
// One note says so of all its processes.
// RUN: cd %t.d && %heapprof_score again | tr -s '\n ' ' ' | grep -o 'chunks that lived when it forked' | count 1
// CHECK: after alone
// CHECK-NEXT: before shared
// CHECK-NEXT: only_child alone
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile kept;

__attribute__((noinline)) static void before(void) {
  kept = malloc(1000);
  kept[0] = 1;
}

__attribute__((noinline)) static void after(void) {
  char *volatile p = malloc(500);
  p[0] = 1;
  free(p);
}

__attribute__((noinline)) static void only_child(void) {
  char *volatile p = malloc(300);
  p[0] = 1;
  free(p);
}

int main(void) {
  before();
  const pid_t pid = fork();
  if (pid == 0) {
    only_child();
    return 0;
  }
  waitpid(pid, NULL, 0);
  after();
  free(kept);
  return 0;
}
