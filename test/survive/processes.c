// processes.c - fork in a loop, children that crash, daemon(3), a thread storm, dlopen in a loop, dumps meanwhile.
// Each process ends as without us and leaves a dump of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -O1 -shared -fPIC -DLIBRARY %s -o %t.plain.so
// RUN: %clang_heapprof -w -fno-builtin -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %build
//
// Three generations: a child and a grandchild in each of 20 rounds.
// RUN: %survives "ended=$(yes exit | head -41 | paste -sd,)" allocations=101 -- forks && ls %dump | count 41
// RUN: %survives "ended=exit,signal 11,signal 11,signal 11,signal 15,signal 15" allocations=6 -- crashes
// The parent of the daemon ends at once, by _exit; the daemon works on from "/".
// RUN: %survives ended=exit,exit,exit allocations=3 -- daemon
//
// 10000 threads, up to 50 at a time.
// RUN: %survives allocations=20001+ -- storm
// They end while dumps are written.
// RUN: %survives allocations=2001+ opts=dump_after_ms=3:dump_repeat=1 -- small_storm
//
// RUN: %survives allocations=201+ -- dlopen %t.so %t.plain.so
// RUN: %survives allocations=201+ opts=dump_after_ms=3:dump_repeat=1 -- dlopen %t.so %t.plain.so
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY

static char *volatile kept;
__attribute__((constructor)) static void begin(void) { kept = malloc(100); }
__attribute__((destructor)) static void end(void) { free(kept); }
int use(int n) {
  kept[n % 100] = 1;
  return n + kept[n % 100];
}

#else

static int is(const char *way, const char *name) { return !strcmp(way, name); }

static int status_of(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child ? status : -1;
}

static int forks(void) {
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      char *volatile p = malloc(30), *volatile q = malloc(40);
      free(p);
      pid_t grandchild = fork();
      p = malloc(50);
      free(q);
      if (grandchild == 0)
        _exit(3);
      exit(status_of(grandchild) == 3 << 8 ? 4 : 5);
    }
    char *volatile r = malloc(60);
    if (status_of(child) != 4 << 8)
      return 1;
    free(r);
  }
  return 0;
}

static int crashes(void) {
  for (int i = 0; i < 5; i++) {
    pid_t child = fork();
    if (child == 0) {
      char *volatile p = malloc(20);
      if (i % 2)
        raise(SIGTERM);
      *(volatile int *)8 = 1;
    }
    if ((status_of(child) & 0x7f) != (i % 2 ? SIGTERM : SIGSEGV))
      return 1;
  }
  return 0;
}

// Says on the pipe when it is over: stdout and stderr are gone.
static int becomes_daemon(void) {
  int ends[2];
  char word;
  if (pipe(ends))
    return 1;
  pid_t child = fork();
  if (child == 0) {
    char *volatile p = malloc(20);
    if (daemon(0, 0))
      _exit(1);
    free(p);
    p = malloc(30);
    exit(6);
  }
  close(ends[1]);
  if (status_of(child) != 0)
    return 1;
  return read(ends[0], &word, 1); // until the daemon has ended
}

static void *allocates(void *unused) {
  char *volatile p = malloc(100), *volatile q = malloc(5000);
  p[1] = q[1] = 1;
  free(p);
  free(q);
  return NULL;
}

static int storm(int threads) {
  enum { WIDTH = 50 };
  pthread_t thread[WIDTH];
  for (int i = 0; i < threads; i += WIDTH) {
    for (int k = 0; k < WIDTH; k++)
      if (pthread_create(&thread[k], NULL, allocates, NULL))
        return 1;
    for (int k = 0; k < WIDTH; k++)
      pthread_join(thread[k], NULL);
  }
  return 0;
}

static int opens(const char *path) {
  int sum = 0;
  for (int i = 0; i < 200; i++) {
    void *library = dlopen(path, RTLD_NOW);
    int (*use)(int) = library ? (int (*)(int))dlsym(library, "use") : NULL;
    if (!use)
      return 1;
    sum += use(i);
    if (dlclose(library))
      return 2;
  }
  printf("%d\n", sum);
  return 0;
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  char *volatile p = malloc(10);
  if (is(way, "forks"))
    return forks();
  if (is(way, "crashes"))
    return crashes();
  if (is(way, "daemon"))
    return becomes_daemon();
  if (is(way, "storm"))
    return storm(10000);
  if (is(way, "small_storm"))
    return storm(1000);
  if (is(way, "dlopen"))
    return opens(strstr(argv[0], ".plain") ? argv[3] : argv[2]);
  return 9;
}

#endif
