/* killed.c - SIGKILL leaves what the last checkpoint wrote, and the log up to it.
   The program waits for a checkpoint that was begun after its 100 chunks, and dies.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -g %s -o %t
// RUN: rm -rf %t.dump && mkdir %t.dump
// RUN: not --crash env HEAPPROF_OPTIONS="dump_dir='%t.dump':checkpoint_ms=50" \
// RUN:   %t %t.dump
// RUN: %heapprof_score %t.dump 2>&1 | FileCheck %s
// CHECK: ended: killed
// CHECK: main killed.c:{{[0-9]+}} {{.*}} 100 68.4KiB
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nanosecond of the file of the last checkpoint; 0: there was none. */
static long checkpoint(const char *directory, const char *program) {
  char path[4096];
  struct stat status;
  snprintf(path, sizeof path, "%s/heapprof.%s.%d/aggregates", directory,
           strrchr(program, '/') + 1, (int)getpid());
  return stat(path, &status) == 0 ? 1 + status.st_mtim.tv_nsec : 0;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  for (int i = 0; i < 100; i++)
    free(malloc(700));
  /* The first that comes now may have been begun before. */
  long before = checkpoint(argv[1], argv[0]), now;
  for (int left = 2; left; left -= now != before, before = now) {
    free(malloc(1)); /* an event, at which a checkpoint may be due */
    now = checkpoint(argv[1], argv[0]);
  }
  kill(getpid(), SIGKILL);
  return 1;
}
