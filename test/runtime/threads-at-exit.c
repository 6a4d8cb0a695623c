// threads-at-exit.c - the process ends while other threads allocate and free:
// by return, by _exit, by a handler that interrupts malloc; totals still agree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 %s -o %t
// RUN: for way in return _exit exec; do for time in 1 2 3 4; do \
// RUN:   %run %t $way 2> %t.errors; test $? = 0 && count 0 < %t.errors && \
// RUN:   %heapprof_score --json %dump > %t.json && \
// RUN:   %python -c 'import json, sys; d = json.load(open(sys.argv[1])); \
// RUN:     p = d["processes"][0]; points = d["points"]; \
// RUN:     chunks = sum(x["chunks"] for x in points); \
// RUN:     live = sum(x["live_chunks"] for x in points); \
// RUN:     print(p["allocations"] - chunks, p["allocations"] - p["frees"] - live, \
// RUN:       chunks > 100)' %t.json | grep -qx "0 0 True" || exit 1; done; done
//
// A handler may come at any instruction of the allocator, so only that there
// is a dump and no hang is certain.
// RUN: for time in 1 2 3 4 5 6 7 8; do \
// RUN:   %run %t handler 2> %t.errors; test $? = 5 && count 0 < %t.errors && \
// RUN:   %heapprof_score --json %dump > %t.json || exit 1; done
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static int rounds;

static void *allocates(void *unused) {
  for (;;) {
    char *p = malloc(100);
    p[0] = 1;
    free(p);
    p = malloc(200000);
    p[1] = 1;
    p = realloc(p, 300000);
    free(p);
    __atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
  }
}

static void exits(int signal) { _exit(5); }

int main(int argc, char **argv) {
  if (!strcmp(argv[1], "handler")) {
    signal(SIGVTALRM, exits);
    // 5 ms of computing, all of it in the allocator.
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value = {0, 5000}}, NULL);
    allocates(NULL);
  }
  pthread_t thread;
  for (int i = 0; i < 3; i++)
    pthread_create(&thread, NULL, allocates, NULL);
  while (__atomic_load_n(&rounds, __ATOMIC_RELAXED) < 100)
    ;
  if (!strcmp(argv[1], "_exit"))
    _exit(0);
  if (!strcmp(argv[1], "exec"))
    execl("/bin/true", "true", NULL);
  return 0;
}
