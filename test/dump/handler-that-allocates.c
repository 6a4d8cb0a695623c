/* handler-that-allocates.c - a handler of a signal allocates and frees in the middle of malloc and free.
   Every chunk is counted, none is handed out twice.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: rm -rf %t.dump && mkdir %t.dump
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.dump':stats=1" %t 2>&1 | FileCheck %s
// CHECK: program: [[#CHUNKS:]] chunks, 0 of them wrong
// CHECK: stats: events: [[#CHUNKS]] chunks begun, [[#CHUNKS]] ended;
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile unsigned handled, wrong;

/* Nobody else may write to a chunk while it is ours. */
static void use(int byte) {
  volatile unsigned char *p = malloc(100);
  for (int i = 0; i < 100; i++)
    p[i] = (unsigned char)byte;
  for (int i = 0; i < 100; i++)
    wrong += p[i] != byte;
  free((void *)p);
}

static void handler(int number) {
  (void)number;
  if (handled < 1000)
    for (int i = 0; i < 3; i++)
      use(0xaa);
  handled += handled < 1000;
}

int main(void) {
  struct sigaction action;
  struct itimerval timer = {{0, 100}, {0, 100}};
  char line[100];
  unsigned long own = 0;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  if (sigaction(SIGALRM, &action, NULL))
    return 1;
  setitimer(ITIMER_REAL, &timer, NULL);
  for (; handled < 1000; own++)
    use(0x55);
  signal(SIGALRM, SIG_IGN);
  int size =
      snprintf(line, sizeof line, "program: %lu chunks, %u of them wrong\n",
               own + 3ul * handled, wrong);
  return write(2, line, (size_t)size) != size;
}
