/* refused-death.c - a fault where a filter refuses all that a process can die of by a signal: it ends, once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: timeout 60 %run %t > %t.out 2>&1; test $? = 139
// RUN: %clang -O1 -g %s -o %t.plain && rm -rf %t.d
// RUN: timeout 60 %heapprof_run --quiet -o %t.d %t.plain; test $? = 139
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define REFUSE(call)                                                           \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1),                       \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    REFUSE(getpid),
    REFUSE(rt_sigaction),
    REFUSE(kill),
    REFUSE(tkill),
    REFUSE(tgkill),
    REFUSE(rt_sigqueueinfo),
    REFUSE(rt_tgsigqueueinfo),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};

int main(void) {
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  char *volatile p = malloc(8);
  if (!p || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
    return 1;
  p = NULL;
  *p = 1;
  return 0;
}
