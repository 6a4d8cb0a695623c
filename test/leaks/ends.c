/* ends.c - at which ends it is known what is lost: by exit, return and quick_exit, in a forked child, too.
   At others it is said why not, and exit status and output stay as they are.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread
// RUN: %run %t return && %check_leaks
// RUN: not %run %t exit && %check_leaks
// RUN: not %run %t quick_exit && %check_leaks
// RUN: %env_heapprof_opts=profile_children=1 %run %t fork
// RUN: %heapprof_score --json %dump/heapprof.*.[0-9]* | FileCheck --check-prefix=FORK %s
// RUN: not %run %t thread && %check_leaks
// RUN: not %run %t _exit && %python %S/Inputs/check_leaks.py --prefix=LEFT %heapprof_score %s %dump
// RUN: %run %t fork_exit
// RUN: %heapprof_score --json %dump/heapprof.*.[0-9]* | FileCheck --check-prefix=CHILD %s
// RUN: %run %t exec && %python %S/Inputs/check_leaks.py --prefix=KILLED %heapprof_score %s %dump
// RUN: %env_heapprof_opts=leak_check=0 %run %t return && %python %S/Inputs/check_leaks.py --prefix=OFF %heapprof_score %s %dump
// RUN: not %run %t refused && %python %S/Inputs/check_leaks.py --prefix=REFUSED %heapprof_score %s %dump
// Where nobody looked, the findings say so.
// RUN: %heapprof_score --findings %dump | FileCheck --check-prefix=UNSEARCHED %s
// RUN: not %run %t exit && %heapprof_score --findings %dump | FileCheck --check-prefix=SEARCHED %s
// UNSEARCHED: not looked for: lost chunks, as threads that still run cannot
// SEARCHED-NOT: not looked for
// LEAK lose lost=5
// FORK-COUNT-2: "leak_check": "done"
// LEFT lose
// LEFT_CHECK the process ended by _exit
// CHILD-DAG: "leak_check": "done"
// CHILD-DAG: "leak_check": "the process ended by _exit"
// KILLED lose
// KILLED_CHECK the process did not end by exit
// OFF lose
// OFF_CHECK none
// REFUSED lose
// REFUSED_CHECK threads that still run cannot be stopped by ptrace
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void lose(void) {
  void *volatile gone;
  for (int i = 0; i < 5; i++)
    gone = malloc(100);
  gone = NULL;
}

__attribute__((noinline)) static void last(void) {
  void *volatile gone = malloc(50);
  gone = NULL;
}

static void *stay(void *arg) {
  for (;;)
    pause();
  return arg;
}

static void refuse_ptrace(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    abort();
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "return";
  pthread_t thread;
  int status = 0;
  lose();
  last();
  if (strcmp(how, "exit") == 0)
    exit(3);
  if (strcmp(how, "quick_exit") == 0)
    quick_exit(3);
  if (strcmp(how, "_exit") == 0)
    _exit(3);
  if (strcmp(how, "exec") == 0)
    execl("/bin/true", "true", NULL);
  if (strcmp(how, "fork_exit") == 0 && fork() == 0)
    _exit(0);
  if (strcmp(how, "refused") == 0)
    refuse_ptrace();
  if (strcmp(how, "refused") == 0 || strcmp(how, "thread") == 0) {
    if (pthread_create(&thread, NULL, stay, NULL) != 0)
      return 0;
    return 3;
  }
  if (strcmp(how, "fork") == 0 && fork() == 0)
    exit(0);
  wait(&status);
  return status;
}
