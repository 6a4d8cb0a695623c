// ended-process.c - what a process never freed is gone when it ends: the time line of several processes does not add it to what others
// allocate later, as their peak does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O0 -g %s -o %t && %env_heapprof_opts=chunk_log=all %run %t && ls -d %dump/heapprof.* | count 2
// RUN: %heapprof_score --json %dump > %t.score.json && %heapprof_report --json %dump > %t.report.json
// RUN: %python %S/same_numbers.py %t.score.json %t.report.json
// RUN: %python -c 'import json, sys; d = json.load(open(sys.argv[1])); print(d["global"]["peak_bytes"], d["timeline"]["estimated"])' %t.report.json | FileCheck %s
// CHECK: 1500000 False
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0)
    return malloc(1000000) == NULL;
  waitpid(child, NULL, 0);
  usleep(20000);
  free(malloc(1500000));
  return 0;
}
