/* fork-then-streams.c - the child of a process that had threads opens streams in one thread, then in another.
   libc makes the lock of its list of streams anew there, which must not be unlocked once more.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread && timeout 100 %run %t 2>%t.err
// RUN: count 0 < %t.err
// RUN: ls %dump | count 4
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *open_one(void *path) {
  FILE *stream = fopen(path, "r");
  if (stream)
    fclose(stream);
  return path;
}

static void in_a_thread(void) {
  pthread_t thread;
  if (!pthread_create(&thread, NULL, open_one, "/dev/null"))
    pthread_join(thread, NULL);
}

/* A child, its child, and so on: in each the main thread is the first one. */
static int fork_on(int depth) {
  if (!depth)
    return 0;
  pid_t child = fork();
  if (child == 0) {
    alarm(60); /* it ends a child that waits for ever */
    open_one("/dev/null");
    in_a_thread();
    fflush(NULL);
    in_a_thread();
    exit(fork_on(depth - 1));
  }
  int status;
  return waitpid(child, &status, 0) != child || status;
}

int main(void) {
  if (fork_on(1)) /* while there is one thread, libc leaves the lock as it is */
    return 1;
  in_a_thread();
  return fork_on(2);
}
