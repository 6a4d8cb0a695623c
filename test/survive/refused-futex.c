/* refused-futex.c - a filter that refuses futex by an error: who is to be woken by a thread under it would sleep for ever, so the end never came.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %build
// RUN: %survives ended=exit allocations=2000+ -- exit
// RUN: %survives "ended=signal 6" allocations=2000+ -- abort
// A child, whose threads would all be under it, has no profile, which a line says.
// RUN: rm -rf %t.d && env HEAPPROF_OPTIONS=dump_dir=%t.d timeout 60 %t fork 2> %t.errors
// RUN: grep -c . %t.errors | grep -qx 1 && ls -d %t.d/* | grep -c . | grep -qx 1
// RUN: rm -rf %t.d && timeout 60 %heapprof_run --quiet -o %t.d %t.plain exit
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};

static void allocate(void) {
  for (size_t i = 0; i < 1000; i++) {
    char *volatile chunk = malloc(i + 1);
    memset(chunk, 1, i);
    free(chunk);
  }
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  allocate();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
    return 1;
  if (!strcmp(argv[1], "fork") && fork())
    return wait(NULL) < 0;
  allocate();
  if (!strcmp(argv[1], "abort"))
    abort();
  return 0;
}
