/* refused-probe.c - a filter that refuses to make memory writable, and to change the mask of signals in a way that it does not know, as tor's does: memory is still to be had.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %clang -O1 -g %s -o %t.plain && rm -rf %t.d
// RUN: %heapprof_run --quiet -o %t.d %t.plain
// RUN: %heapprof_run --quiet --allocator=program -o %t.d %t.plain
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define LOAD(what)                                                             \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define IF(test, value, yes, no)                                               \
  BPF_JUMP(BPF_JMP | (test) | BPF_K, (value), (yes), (no))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
enum { CHUNKS = 20000, ROUNDS = 7, UNBLOCK = 1, SET = 2 };

static struct sock_filter steps[] = {LOAD(nr),
                                     IF(BPF_JEQ, SYS_mprotect, 0, 2),
                                     LOAD(args[2]),
                                     IF(BPF_JSET, PROT_WRITE, 4, 5),
                                     IF(BPF_JEQ, SYS_rt_sigprocmask, 0, 4),
                                     LOAD(args[0]),
                                     IF(BPF_JEQ, UNBLOCK, 2, 0),
                                     IF(BPF_JEQ, SET, 1, 0),
                                     RETURN(SECCOMP_RET_ERRNO | EPERM),
                                     RETURN(SECCOMP_RET_ALLOW)};

static char *chunks[CHUNKS];

static void fill(int round) {
  for (size_t i = 0; i < CHUNKS; i++) {
    const size_t size = 1 + i % (300 * ((size_t)round + 1));
    chunks[i] = malloc(size);
    memset(chunks[i], round, size);
  }
  for (size_t i = 0; i < CHUNKS; i++)
    free(chunks[i]);
}

int main(void) {
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
    return 1;
  for (int round = 0; round < ROUNDS; round++)
    fill(round);
  return 0;
}
