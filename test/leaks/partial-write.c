/* partial-write.c - a write of which a pipe has taken a part waits on while the process ends: it would return that part if its thread were stopped.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread
// RUN: %run %t > %t.out 2>&1 && FileCheck --match-full-lines --allow-empty --implicit-check-not={{.}} %s < %t.out
// RUN: %heapprof_score --json %dump | FileCheck --check-prefix=LEAK %s
// LEAK: "leak_check": "a thread waits in a write of which a part may be done"
// RUN: %run %t small && %heapprof_score --json %dump | FileCheck --check-prefix=DONE %s
// DONE: "leak_check": "done"
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AT_ONCE = 4096 }; /* of a pipe: has no parts */
static int ends[2];
static size_t bytes = 1 << 20;
static volatile pid_t writer;

static void *fill(void *text) {
  writer = (pid_t)syscall(SYS_gettid);
  for (;;) {
    const ssize_t n = write(ends[1], text, bytes);
    if (n != (ssize_t)bytes)
      printf("wrote %zd of %zu\n", n, bytes);
  }
  return NULL;
}

/* Until that thread waits in its write. */
static void wait_for_writer(void) {
  char path[64], call[64] = "";
  while (!writer)
    ;
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)writer);
  while (strncmp(call, "1 ", 2) != 0) {
    const int file = open(path, O_RDONLY);
    const ssize_t n = read(file, call, sizeof call - 1);
    call[n > 0 ? n : 0] = 0;
    close(file);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    bytes = AT_ONCE;
  pthread_t thread;
  char *text = calloc(1, bytes);
  if (!text || pipe(ends) || pthread_create(&thread, NULL, fill, text))
    return 1;
  wait_for_writer();
  return 0;
}
