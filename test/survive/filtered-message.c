// filtered-message.c - a message that fits into no file, under a filter that kills for what would take its signal back.
// So OpenSSH's process without privileges has it: files of 0 bytes at most, and no rt_sigtimedwait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -O1 %s -o %t && %run %t 2>%t.err >%t.out
// RUN: grep -x alive %t.out && not grep . %t.err
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int confine(void) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigtimedwait, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(void) {
  struct rlimit limit;
  char *volatile p = malloc(40);
  if (getrlimit(RLIMIT_FSIZE, &limit))
    return 2;
  limit.rlim_cur = 0;
  if (setrlimit(RLIMIT_FSIZE, &limit) || confine())
    return 3;
  free(p);
  free(p); // told of, on stderr, which is a file
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_FSIZE, &limit))
    return 4;
  return write(1, "alive\n", 6) != 6;
}
