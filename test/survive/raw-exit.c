// raw-exit.c - threads that end by the system call exit, not exit_group: the process ends when the program's last thread
// has, with its status, and our own threads do not keep it.  While one is left it goes on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -O1 %s -o %t
// RUN: for opts in "" sample_every=3 exact_time=1 checkpoint_ms=0 dump_at_exit=0; do for way in first fork threads; do \
// RUN:   %env_heapprof_opts=$opts timeout 100 %run %t $way > %t.out 2> %t.err ; test $? = 6 && count 0 < %t.err || \
// RUN:   { echo "$opts $way"; exit 1; }; done; done
// RUN: FileCheck %s < %t.out
// CHECK: the other thread goes on
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void end(int status) { syscall(SYS_exit, status); }

static char first_state(void) {
  char text[1000];
  FILE *f = fopen("/proc/self/stat", "r");
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  return strrchr(text, ')')[2];
}

// For longer than our threads take to look.
static void *goes_on(void *unused) {
  (void)unused;
  while (first_state() != 'Z')
    ;
  for (time_t until = time(NULL) + 3; time(NULL) < until;)
    free(malloc(100));
  puts("the other thread goes on");
  fflush(stdout);
  end(6);
  return NULL;
}

int main(int argc, char **argv) {
  char *volatile p = malloc(100);
  p[0] = 1;
  pthread_t thread;
  if (!strcmp(argv[1], "fork")) {
    if (fork() == 0) {
      free(malloc(50));
      end(7);
    }
    int status;
    wait(&status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
      return 1;
  }
  if (!strcmp(argv[1], "threads"))
    pthread_create(&thread, NULL, goes_on, NULL);
  end(6);
}
