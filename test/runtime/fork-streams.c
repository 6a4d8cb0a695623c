// fork-streams.c - threads fork, flush all streams and read lines at once: each waits in libc for another, and
// none may wait for what fork holds of ours.  Children allocate, write a dump and end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 %s -o %t
// RUN: timeout 200 %run %t 2> %t.errors && count 0 < %t.errors
// RUN: ls %dump | count 26 && %heapprof_score --json %dump > /dev/null
// RUN: for opts in sample_every=5 exact_time=1 dump_at_exit=0; do \
// RUN:   %env_heapprof_opts=$opts timeout 200 %run %t 2> %t.errors && count 0 < %t.errors || exit 1; done
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop, forks_left = 2;

// In the child: the heap is whole, and streams and fork can be used.
static int child(void) {
  char *kept[200];
  for (int i = 0; i < 200; i++)
    memset(kept[i] = malloc(i * 700 + 1), i, i * 700 + 1);
  for (int i = 0; i < 200; i++) {
    for (int k = 0; k <= i * 700; k += 100)
      if (kept[i][k] != (char)i)
        return 1;
    free(kept[i]);
  }
  FILE *f = fopen("/proc/self/exe", "r");
  char *line = NULL;
  size_t n = 0;
  if (getdelim(&line, &n, 'Q', f) < 0)
    return 2;
  free(line);
  fclose(f);
  fflush(NULL);
  return 17;
}

static void *forks(void *unused) {
  (void)unused;
  for (int i = 0; i < 12; i++) {
    pid_t pid = fork();
    if (!pid)
      _exit(child());
    int status = 0;
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 17) {
      fprintf(stderr, "child: %x\n", status);
      _exit(1);
    }
  }
  if (!__atomic_sub_fetch(&forks_left, 1, __ATOMIC_SEQ_CST))
    stop = 1;
  return NULL;
}

static void *reads(void *unused) {
  (void)unused;
  FILE *f = fopen("/proc/self/exe", "r");
  while (!stop) {
    char *line = NULL;
    size_t n = 0;
    rewind(f);
    getdelim(&line, &n, 'Q', f);
    free(line);
  }
  fclose(f);
  return NULL;
}

static void *flushes(void *unused) {
  (void)unused;
  while (!stop)
    fflush(NULL);
  return NULL;
}

static void *allocates(void *unused) {
  (void)unused;
  while (!stop) {
    char *p[30];
    for (int i = 0; i < 30; i++)
      memset(p[i] = malloc(i * 5000 + 1), 1, i + 1);
    for (int i = 0; i < 30; i++)
      free(p[i]);
  }
  return NULL;
}

int main(void) {
  static void *(*const bodies[])(void *) = {forks, forks,   reads,    reads,
                                            reads, flushes, allocates};
  pthread_t threads[7];
  for (int i = 0; i < 7; i++)
    pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 7; i++)
    pthread_join(threads[i], NULL);
  // A process of one thread that forks locks the streams, too.
  pid_t pid = fork();
  if (!pid)
    exit(child() == 17 ? 0 : 1);
  int status;
  waitpid(pid, &status, 0);
  fflush(NULL);
  return status != 0;
}
