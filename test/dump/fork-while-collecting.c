/* fork-while-collecting.c - children are forked while other threads fill rings and merge them.
   Each child's dump has its own chunks and nothing of its parent's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t -lpthread
// RUN: rm -rf %t.dump && mkdir %t.dump
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.dump':chunk_log=budget:checkpoint_ms=1" %t
// RUN: %heapprof_score --json %t.dump | %python %S/Inputs/children.py 8 3000
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;

static void *work(void *unused) {
  while (!stop)
    free(malloc(100));
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, work, NULL))
      return 1;
  for (int i = 0; i < 8; i++) {
    int status;
    pid_t child = fork();
    if (child == 0) {
      for (int k = 0; k < 3000; k++)
        free(malloc(50));
      _exit(5);
    }
    if (child < 0 || waitpid(child, &status, 0) != child ||
        !WIFEXITED(status) || WEXITSTATUS(status) != 5)
      return 2;
  }
  stop = 1;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
