/* fork-from-thread.c - fork while other threads allocate: no lock stays taken in the child, which goes on allocating.
   Every child leaves a dump that can be read; nothing hangs.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread && %run %t 2>%t.err
// RUN: count 0 < %t.err
// RUN: ls %dump | count 21
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python -c "import json,sys; d=json.load(open(sys.argv[1])); sys.exit(not all(p['complete'] for p in d['processes']))" %t.json
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool stop;

static void *churn(void *arg) {
  while (!atomic_load(&stop)) {
    void *volatile p = malloc(100);
    p = realloc(p, 70000);
    free(p);
  }
  return arg;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    if (pthread_create(&threads[i], NULL, churn, NULL))
      return 1;
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child < 0)
      return 2;
    if (child == 0) {
      for (int k = 0; k < 100; k++) {
        void *volatile p = malloc((size_t)k * 1000);
        free(p);
      }
      return 0;
    }
    int status;
    if (waitpid(child, &status, 0) != child || status)
      return 3;
  }
  atomic_store(&stop, 1);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
