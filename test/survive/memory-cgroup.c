// memory-cgroup.c - in a control group with less memory than it takes, the program is killed as without us.
// What it had done until the last checkpoint is in the dump; with enough, all is as ever.
// REQUIRES: memory-cgroup
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: %in_cgroup 96 %t.plain 40 > %t.out; test $? = 3 && grep -x "40 MiB" %t.out
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d %in_cgroup 96 %t 40 > %t.out; test $? = 3 && grep -x "40 MiB" %t.out
// RUN: %heapprof_score --json %t.d | FileCheck %s
// CHECK: "complete": true
// CHECK: "allocations": 40{{[0-9][0-9][0-9]}},
//
// RUN: %in_cgroup 96 %t.plain 400 > %t.out; test $? = 137 && count 0 < %t.out
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.d:checkpoint_ms=1 %in_cgroup 96 %t 400 %t.d > %t.out; test $? = 137 && count 0 < %t.out
// RUN: %heapprof_score --json %t.d | FileCheck --check-prefix=KILLED %s
// KILLED: "ended": "killed"
// KILLED: "allocations": {{[1-9][0-9]+}},
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Until there is a checkpoint that was begun after the call: one file after the other takes the place of the one before.
static void await_checkpoint(const char *dumps) {
  char path[4096];
  struct stat before = {0}, now;
  snprintf(path, sizeof path, "%s/heapprof.%s.%d/aggregates", dumps,
           program_invocation_short_name, (int)getpid());
  for (int left = 3; left;) {
    if (stat(path, &now) == 0 && now.st_ino != before.st_ino) {
      before = now;
      left--;
    }
    usleep(100);
  }
}

int main(int argc, char **argv) {
  int count = atoi(argv[1]);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 1000; k++) {
      char *volatile p = malloc(100);
      free(p);
    }
    memset(malloc(1 << 20), 1, 1 << 20);
    if (i == 0 && argc > 2)
      await_checkpoint(argv[2]);
  }
  printf("%d MiB\n", count);
  return 3;
}
