/* zeroed.c - memory that is not given back, as the program has locked it or a filter refuses, is zero all the same for calloc.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %build
// RUN: for way in lock later chunk refuse; do %survives ended=exit allocations=1000+ -- $way || exit 1; done
// RUN: for way in lock later chunk refuse; do HEAPPROF_MORE=sample_every=3 %survives ended=exit allocations=10+ -- $way || exit 1; done
// Without new memory, too, there is no dump.
// RUN: rm -rf %t.d && env HEAPPROF_OPTIONS=dump_dir=%t.d %t refuse-both
// RUN: for way in lock later chunk refuse refuse-both; do rm -rf %t.d && timeout 60 %heapprof_run --quiet -o %t.d %t.plain $way || exit 1; done
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static int refuse(unsigned one, unsigned other) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static size_t size_of(unsigned step) {
  return ((size_t)1 << step % 19) + step * 7919 % 5000;
}

/* Chunks of all sizes one after the other, each zero where it was full before. */
static int is_zeroed(int locks) {
  static char *live[16];
  for (unsigned step = 0; step < 4000; step++) {
    char **chunk = &live[step * 7 % 16];
    free(*chunk);
    const size_t size = size_of(step);
    *chunk = calloc(1, size);
    if (!*chunk)
      return 0;
    for (size_t i = 0; i < size; i++)
      if ((*chunk)[i])
        return 0;
    memset(*chunk, 1, size);
    if (locks)
      mlock(*chunk, size);
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2 || !is_zeroed(0))
    return 2;
  /* Who may lock no memory has none to be told of. */
  if (!strcmp(argv[1], "lock"))
    mlockall(MCL_CURRENT);
  if (!strcmp(argv[1], "later"))
    mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
  if (!strcmp(argv[1], "refuse") && refuse(SYS_madvise, SYS_madvise))
    return 3;
  if (!strcmp(argv[1], "refuse-both") && refuse(SYS_madvise, SYS_mmap))
    return 3;
  return !is_zeroed(!strcmp(argv[1], "chunk"));
}
