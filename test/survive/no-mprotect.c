// no-mprotect.c - a filter of system calls that refuses mprotect, also as if there were no memory: the program has its memory all the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: for opts in "" sample_every=3; do %survives allocations=3000+ opts=$opts -- || exit 1; done
// RUN: %survives allocations=3000+ -- limited
// RUN: %survives allocations=3000+ -- unlimited 12
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static int refuse_mprotect(int error) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  static char *chunks[3000];
  if (argc == 2) {
    struct rlimit limit = {1u << 30, 1u << 30};
    setrlimit(RLIMIT_DATA, &limit);
  }
  free(malloc(100)); // what was there before is kept
  char *volatile before = strcpy(malloc(100000), "before");
  printf("filter: %d\n", refuse_mprotect(argc > 2 ? atoi(argv[2]) : EPERM));
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < 3000; i++) {
      size_t size = i % 100 == 99 ? 300000 : i * 37 % 5000;
      chunks[i] = i % 2 ? malloc(size) : calloc(1, size);
      if (!chunks[i])
        return 1;
      for (size_t k = 0; i % 2 == 0 && k < size; k++)
        if (chunks[i][k])
          return 2;
      memset(chunks[i], i, size);
    }
    for (int i = 0; i < 3000; i++)
      for (size_t k = 0; k < (i % 100 == 99 ? 300000 : i * 37 % 5000); k += 7)
        if (chunks[i][k] != (char)i)
          return 3;
    for (int i = 0; i < 3000; i++)
      free(chunks[i]);
  }
  printf("%s %d\n", before, errno);
  return 3;
}
