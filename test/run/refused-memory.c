/* refused-memory.c - a filter that refuses memory, where no limit is set: what is said of the dump does not ask to raise a limit.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app && %heapprof_run ./app 2> err && FileCheck --check-prefix=FILTER %s < err && count 1 < err
// RUN: cd %t.d && rm -rf heapprof.* && bash -c 'ulimit -d 40000 && exec %heapprof_run ./app' 2> err && FileCheck --check-prefix=LIMIT %s < err && count 1 < err
// FILTER: heapprof-run: cannot write the dump: {{.*}}: Cannot allocate memory; free memory, or run it without the filter of system calls (seccomp) that refuses it; {{.*}}
// LIMIT: heapprof-run: cannot write the dump: {{.*}}: Cannot allocate memory; raise the memory limit of the program (ulimit -v); {{.*}}
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};

static char *kept[2000];

static void allocate(void) {
  for (size_t i = 0; i < 20000; i++) {
    char *chunk = malloc(10 + i % 3000);
    free(kept[i % 2000]);
    kept[i % 2000] = chunk;
  }
}

int main(void) {
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  allocate();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
    return 1;
  allocate();
  return 0;
}
