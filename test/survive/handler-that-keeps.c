/* handler-that-keeps.c - a handler of a signal allocates what it keeps, in the middle of malloc and free, and frees what others allocated.
   No chunk is handed out twice, and all are counted.
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

enum { HANDLED = 2000, EACH = 4, SIZE = 48 };

static unsigned char *volatile kept[HANDLED * EACH];
static volatile unsigned handled;
static unsigned wrong;

static unsigned char *filled(unsigned char byte) {
  unsigned char *p = malloc(SIZE);
  memset(p, byte, SIZE);
  return p;
}

static void check_and_free(unsigned char *p, unsigned char byte) {
  for (int i = 0; i < SIZE; i++)
    wrong += p[i] != byte;
  free(p);
}

/* Keeps more than it frees at first, then frees more than it allocates. */
static void handler(int number) {
  (void)number;
  if (handled == HANDLED)
    return;
  for (unsigned i = 0; i < EACH; i++)
    kept[handled * EACH + i] = filled((unsigned char)handled);
  if (handled % 2)
    for (unsigned i = 0; i < EACH; i++) {
      check_and_free(kept[(handled - 1) * EACH + i],
                     (unsigned char)(handled - 1));
      kept[(handled - 1) * EACH + i] = NULL;
    }
  handled++;
}

int main(void) {
  struct sigaction action;
  struct itimerval timer = {{0, 50}, {0, 50}}, none = {{0, 0}, {0, 0}};
  unsigned long own = 0;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  if (sigaction(SIGALRM, &action, NULL))
    return 1;
  setitimer(ITIMER_REAL, &timer, NULL);
  unsigned char *mine[64];
  while (handled < HANDLED) {
    for (int i = 0; i < 64; i++)
      mine[i] = filled(0x55);
    for (int i = 0; i < 64; i++)
      check_and_free(mine[i], 0x55);
    own += 64;
  }
  setitimer(ITIMER_REAL, &none, NULL);
  for (unsigned i = 0; i < HANDLED * EACH; i++)
    if (kept[i])
      check_and_free(kept[i], (unsigned char)(i / EACH));
  char line[100];
  snprintf(line, sizeof line, "program: %lu chunks, %u of them wrong\n",
           own + HANDLED * EACH, wrong);
  fputs(line, stderr);
  return 0;
}
