// process-ends.c - each way to end a process leaves one whole dump and the
// program's own exit status; a failed exec, vfork's child, and what is forked to
// execute another program and does nothing with the heap, leave none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin %s -o %t
// RUN: for way in return exit _exit _Exit quick_exit thread_exit \
// RUN:     pthread_exit handler_exit threads_exit threads_quick_exit \
// RUN:     threads_both; do \
// RUN:   %run %t $way > %t.out 2> %t.errors; status=$?; echo $way $status; \
// RUN:   test $status = 5 || test $way = pthread_exit -a $status = 0; \
// RUN:   test $? = 0 && count 0 < %t.errors && ls %dump | count 1 && \
// RUN:   %heapprof_score --json %dump > %t.json && \
// RUN:   grep -q '"ended": *"exit"' %t.json && \
// RUN:   grep -q '"allocations": *[1-9]' %t.json || exit 1; done
//
// RUN: for way in execve execv execvp execvpe execl execlp execle fexecve \
// RUN:     execveat; do \
// RUN:   %run %t $way > %t.out 2> %t.errors; status=$?; echo $way $status; \
// RUN:   test $status = 7 && count 0 < %t.errors && \
// RUN:   grep -qx 'exec done' %t.out && \
// RUN:   ls %dump | count 1 && %heapprof_score --json %dump > %t.json && \
// RUN:   grep -q '"ended": *"exec"' %t.json || exit 1; done
//
// RUN: for way in failed_exec vfork_exec vfork_exit spawn fork_exec; do \
// RUN:   %run %t $way > %t.out 2> %t.errors; status=$?; echo $way $status; \
// RUN:   test $status = 5 && count 0 < %t.errors && ls %dump | count 1 && \
// RUN:   %heapprof_score --json %dump > %t.json && \
// RUN:   grep -q '"ended": *"exit"' %t.json || exit 1; done
//
// RUN: for way in fork_malloc fork_free fork_exit; do \
// RUN:   %run %t $way; test $? = 5 && ls %dump | count 2 || exit 1; done
//
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char *way, const char *name) { return !strcmp(way, name); }

static void *exits(void *unused) {
  (void)unused;
  exit(5);
}

// All at once: none may end the process while another one writes the dump.
static pthread_barrier_t together;

static void *exits_together(void *way) {
  pthread_barrier_wait(&together);
  is(way, "threads_exit") ? exit(5) : quick_exit(5);
}

static void exit_together(const char *way) {
  for (int i = 0; i < 20000; i++)
    *(char *)malloc(16 + i % 3000) = 1;
  pthread_barrier_init(&together, NULL, 4);
  pthread_t thread;
  for (int i = 0; i < 3; i++)
    pthread_create(&thread, NULL, exits_together, (void *)way);
  exits_together((void *)(is(way, "threads_both") ? "threads_exit" : way));
}

static void exits_in_handler(int signal) {
  (void)signal;
  _exit(5);
}

static int status_of(pid_t child) {
  int status;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
    abort();
  return WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  char *volatile p = malloc(10);
  *p = 1;
  char *const command[] = {"sh", "-c", "echo exec done; exit 7", NULL};
  char *const quiet[] = {"sh", "-c", "exit 7", NULL};
  char *const environment[] = {"PATH=/bin:/usr/bin", NULL};
  if (is(way, "exit"))
    exit(5);
  if (is(way, "_exit"))
    _exit(5);
  if (is(way, "_Exit"))
    _Exit(5);
  if (is(way, "quick_exit"))
    quick_exit(5);
  if (is(way, "thread_exit")) {
    pthread_t thread;
    if (!pthread_create(&thread, NULL, exits, NULL))
      pause();
  }
  if (is(way, "pthread_exit"))
    pthread_exit(NULL);
  if (is(way, "handler_exit")) {
    signal(SIGUSR1, exits_in_handler);
    raise(SIGUSR1);
  }
  if (is(way, "execve"))
    execve("/bin/sh", command, environment);
  if (is(way, "execv"))
    execv("/bin/sh", command);
  if (is(way, "execvp"))
    execvp("sh", command);
  if (is(way, "execvpe"))
    execvpe("sh", command, environment);
  if (is(way, "execl"))
    execl("/bin/sh", "sh", "-c", "echo exec done; exit 7", NULL);
  if (is(way, "execlp"))
    execlp("sh", "sh", "-c", "echo exec done; exit 7", NULL);
  if (is(way, "execle"))
    execle("/bin/sh", "sh", "-c", "echo exec $WORD; exit 7", NULL,
           (char *const[]){"WORD=done", NULL});
  if (is(way, "fexecve"))
    fexecve(open("/bin/sh", O_RDONLY), command, environment);
  if (is(way, "execveat"))
    execveat(open("/bin", O_RDONLY), "sh", command, environment, 0);
  if (is(way, "failed_exec")) {
    if (execvp("no-such-command", command) != -1 || errno != ENOENT ||
        execv("/nonexistent/file", command) != -1 || errno != ENOENT ||
        execl("/", "sh", NULL) != -1 || errno != EACCES ||
        execlp("", "sh", NULL) != -1 || errno != ENOENT)
      return 1;
  }
  if (is(way, "vfork_exec")) {
    pid_t child = vfork();
    if (child == 0) {
      execv("/bin/sh", quiet);
      _exit(1);
    }
    if (status_of(child) != 7)
      return 1;
  }
  if (!strncmp(way, "threads_", 8))
    exit_together(way);
  if (is(way, "vfork_exit")) {
    pid_t child = vfork();
    if (child == 0)
      _exit(6);
    if (status_of(child) != 6)
      return 1;
  }
  if (!strncmp(way, "fork_", 5)) {
    pid_t child = fork();
    if (child == 0) {
      if (is(way, "fork_malloc"))
        p = malloc(20);
      if (is(way, "fork_free"))
        free(p);
      if (!is(way, "fork_exit"))
        execv("/bin/sh", quiet);
      _exit(7);
    }
    if (status_of(child) != 7)
      return 1;
  }
  if (is(way, "spawn")) {
    pid_t child;
    if (posix_spawn(&child, "/bin/sh", NULL, NULL, quiet, environment) ||
        status_of(child) != 7 || WEXITSTATUS(system("exit 8")) != 8)
      return 1;
  }
  return 5;
}
