// ended-process-page.c - the time line of the page, filtered by single chunks: what a process never freed is gone when that ended.
// Without Chromium and its driver there is no such test; ended-process.c has the numbers of the document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver, llvm-22
// RUN: %clang_heapprof -O0 -g %s -o %t && %env_heapprof_opts=chunk_log=all %run %t && ls -d %dump/heapprof.* | count 2
// RUN: %heapprof_report %dump -o %t.html && %python %S/Inputs/use_ended_process.py %t.html
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Small ones, too, so that the filter has a part of the point. */
static int keep_and_drop(size_t kept, size_t dropped) {
  char *small = malloc(10);
  for (int i = 0; i < 2; i++) {
    char *memory = malloc(i ? kept + dropped : 10);
    if (!memory)
      return 1;
    if (dropped)
      free(memory);
  }
  free(small);
  return 0;
}

int main(void) {
  pid_t child = fork();
  if (child == 0)
    return keep_and_drop(1000000, 0);
  waitpid(child, NULL, 0);
  usleep(20000);
  return keep_and_drop(0, 1500000);
}
