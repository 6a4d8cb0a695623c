/* refused-getpid.c - a filter that refuses getpid by an error, or kills for it: each process has its dump, by its own number, and a child of vfork none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %build
// RUN: for action in refuse kill; do for way in alone beside vfork; do \
// RUN:   %survives ended=exit allocations=2000+ -- $action $way || exit 1; done; done
// RUN: for action in refuse kill; do %survives ended=exit,exit allocations=3000+ -- $action fork && test ! -e %t.dump/*-2 && test ! -e %t.dump/*.18446744073709551615 || exit 1; done
// Who looks for lost chunks while other threads stand still does so with these calls: it waited for ever.
// RUN: for action in refuse kill; do %survives ended=exit allocations=2000+ -- $action beside,parent || exit 1; done
// So it is of a program that is executed under the filter, which nobody reads.
// RUN: %survives ended=exec,exit allocations=3000+ -- refuse exec
// RUN: rm -rf %t.d && %heapprof_run --quiet -o %t.d %t.plain refuse fork
// RUN: %heapprof_score --json %t.d/* | grep -oE "\"pid\": ?[1-9][0-9]{0,9}," | sort -u | grep -c . | grep -qx 2
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

static struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpid, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};

static void allocate(void) {
  for (size_t i = 0; i < 1000; i++) {
    char *volatile chunk = malloc(i + 1);
    memset(chunk, 1, i);
    free(chunk);
  }
}

static void *end_beside(void *unused) {
  allocate();
  exit(0);
  return unused;
}

static void go_on(const char *way, char **argv) {
  int status = 1;
  if (!strcmp(way, "fork") && !fork()) {
    allocate();
    exit(0);
  }
  if (!strcmp(way, "vfork") && !vfork())
    _exit(0);
  if (strstr(way, "fork"))
    wait(&status);
  if (!strcmp(way, "exec")) {
    argv[2] = "alone";
    execv(argv[0], argv);
  }
  pthread_t thread;
  if (strstr(way, "beside") && !pthread_create(&thread, NULL, end_beside, NULL))
    pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  if (!strcmp(argv[1], "kill"))
    steps[2].k = SECCOMP_RET_KILL_PROCESS;
  if (strstr(argv[2], "parent"))
    steps[1].k = SYS_getppid;
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  allocate();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
    return 1;
  go_on(argv[2], argv);
  allocate();
  return 0;
}
