// fork-in-exit.c - a child that is forked while exit is at work, behind the program's own destructors, or by another thread
// while the dump is written: it goes on, ends, and has a profile of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %clang -w -fno-builtin -O1 -pthread %s %t.so -o %t.plain
// RUN: %clang_heapprof -w -fno-builtin -O1 -pthread %s %t.so -o %t
//
// Without us a child of a thread that forks while another one exits may wait for ever for a lock of libc's, so there is
// none then.
//
// A destructor of a library forks: those of the program were called.
// RUN: %survives ended=exit,exit allocations=3 -- alone
// A thread forks just when exit waits for the dump that it has asked for.
// RUN: for i in 1 2 3 4 5; do \
// RUN:   %survives ended=exit,exit allocations=200002+ -- beside || exit; done
// A thread is between the handlers of fork, as another one has libc's list of streams, when those of the program go.
// RUN: %survives ended=exit,exit allocations=3+ -- between
#define _GNU_SOURCE
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY

void (*at_the_end)(void);
__attribute__((destructor)) static void end(void) {
  if (at_the_end)
    at_the_end();
}

#else

extern void (*at_the_end)(void);
extern int __heapprof_dump(void) __attribute__((weak));
enum { MANY = 200000 };
static void *volatile kept[MANY];
static int go;

static void allocate(void) { *(char *volatile)malloc(50) = 1; }

static void forks(void) {
  pid_t child = fork();
  int status = -1;
  if (child == 0) {
    alarm(20);
    allocate();
    return;
  }
  if (waitpid(child, &status, 0) != child || status != 3 << 8)
    _exit(1);
}

static void *dumps_and_forks(void *unused) {
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  __heapprof_dump();
  if (fork() == 0) {
    alarm(20);
    allocate();
    exit(4);
  }
  for (;;)
    pause();
}

// Until a dump is on its way to the disk; who writes it has the profile.
static void await_dump(void) {
  glob_t found;
  char pattern[4096];
  snprintf(pattern, sizeof pattern, "%s/*.1", getenv("DUMP_DIR"));
  while (glob(pattern, 0, NULL, &found))
    usleep(100);
}

enum { ROOM = 65536, BEYOND = 1000 }; // of a pipe
static int ends[2];
static pid_t child;

static void *flushes(void *stream) {
  fflush(NULL);
  return stream;
}

static void *forks_between(void *unused) {
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  pid_t forked = fork();
  if (forked == 0) {
    alarm(20);
    allocate();
    return NULL;
  }
  __atomic_store_n(&child, forked, __ATOMIC_RELEASE);
  return unused;
}

static void let_flush(void) {
  static char drained[ROOM];
  for (ssize_t left = ROOM + BEYOND, n; left > 0; left -= n)
    if ((n = read(ends[0], drained, sizeof drained)) <= 0)
      _exit(1);
  while (!__atomic_load_n(&child, __ATOMIC_ACQUIRE))
    usleep(100);
}

static void begin(void *(*run)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, NULL))
    _exit(2);
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  allocate();
  if (!strcmp(way, "alone")) {
    allocate();
    at_the_end = forks;
    return 3;
  }
  if (!__heapprof_dump)
    return 3;
  if (!strcmp(way, "between")) {
    FILE *stream = pipe(ends) ? NULL : fdopen(ends[1], "w");
    static char buffer[2 * ROOM];
    setvbuf(stream, buffer, _IOFBF, sizeof buffer);
    fwrite(buffer, 1, ROOM + BEYOND, stream);
    begin(flushes);
    for (int there = 0; there < ROOM; usleep(100))
      ioctl(ends[0], FIONREAD, &there);
    begin(forks_between);
    while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
      ;
    usleep(50000);
    at_the_end = let_flush;
    return 3;
  }
  for (int i = 0; i < MANY; i++)
    kept[i] = malloc(16);
  at_the_end = await_dump;
  begin(dumps_and_forks);
  while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
    ;
  return 3;
}

#endif
