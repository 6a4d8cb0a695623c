// fatal-signals.c - a signal that kills a process kills it as it would have, and the dump is whole before.
// Also where the stack is full, where a thread other than main dies, and where others allocate meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: for way in null wild; do %survives "ended=signal 11" allocations=1 -- $way || exit 1; done
// RUN: %survives "ended=signal 6" allocations=1 -- abort
// RUN: %survives "ended=signal 8" allocations=1 -- divide
// RUN: %survives "ended=signal 4" allocations=1 -- trap
// RUN: %survives "ended=signal 11" allocations=1 -- overflow
// RUN: %survives "ended=signal 11" allocations=2+ -- thread_overflow
// RUN: for number in 1 2 3 5 7 10 12 13 14 15 16 24 26 27 29 30 31 34 64; do \
// RUN:   env --default-signal %survives "ended=signal $number" allocations=1 -- $number || exit 1; done
// RUN: for time in 1 2 3 4 5; do \
// RUN:   %survives "ended=signal 11" allocations=2+ -- busy || exit 1; done
//
// What is ignored or has another default does what it does.
// RUN: for number in 17 18 23 28; do %survives -- $number || exit 1; done
// RUN: (trap '' HUP TERM; for number in 1 15; do %survives allocations=1 -- $number || exit 1; done)
//
// Without the dump, if so wished.
// RUN: for option in dump_at_death=0 dump_at_exit=0; do \
// RUN:   %survives unread opts=$option -- null && ls %dump | count 0 || exit 1; done
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *volatile kept;
static int rounds;

static int overflow(volatile char *p) {
  volatile char room[1000];
  room[0] = *p;
  return overflow(room) + room[0];
}

static void *overflows(void *p) {
  kept = malloc(20);
  return (void *)(long)overflow(p);
}

static void *allocates(void *unused) {
  for (;;) {
    free(malloc(100));
    __atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
  }
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  pthread_t thread;
  kept = malloc(10);
  if (!strcmp(way, "null"))
    *(volatile int *)8 = 1;
  if (!strcmp(way, "wild"))
    *(volatile int *)0x7777000000000000 = 1;
  if (!strcmp(way, "abort"))
    abort();
  if (!strcmp(way, "trap"))
    __builtin_trap();
  if (!strcmp(way, "divide")) {
    volatile int zero = 0;
    return 7 / zero;
  }
  if (!strcmp(way, "overflow"))
    return overflow(kept);
  if (!strcmp(way, "thread_overflow")) {
    pthread_create(&thread, NULL, overflows, kept);
    pthread_join(thread, NULL);
  }
  if (!strcmp(way, "busy")) {
    for (int i = 0; i < 3; i++)
      pthread_create(&thread, NULL, allocates, NULL);
    while (__atomic_load_n(&rounds, __ATOMIC_RELAXED) < 1000)
      ;
    *(volatile int *)8 = 1;
  }
  raise(atoi(way));
  return 3;
}
