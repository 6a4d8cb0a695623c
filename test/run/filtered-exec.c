/* filtered-exec.c - what a program executes under its own filter of system calls must not be killed for calls that the
   runtime makes before it can know of the filter, nor wait for who was killed as it stopped threads.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o plain -pthread
// RUN: cd %t.d && for o in "" --allocator=program; do rm -rf heapprof.*; %heapprof_run $o ./plain only-start ./plain done > out && FileCheck --check-prefix=DONE %s < out && ls -d heapprof.* | count 1 || exit 1; done
// By a name that is looked for in PATH, too.
// RUN: cd %t.d && rm -rf heapprof.* && PATH=".:$PATH" %heapprof_run ./plain only-start plain done > out && FileCheck --check-prefix=DONE %s < out && ls -d heapprof.* | count 1
// Only ptrace kills: all is profiled, but threads are not stopped for a look.
// RUN: cd %t.d && for o in "" --allocator=program; do rm -rf heapprof.*; timeout 60 %heapprof_run $o ./plain no-ptrace ./plain threads > out && FileCheck --check-prefix=DONE %s < out && ls -d heapprof.* | count 2 && for d in heapprof.*; do %heapprof_score --json $d; done > json && FileCheck --check-prefix=LOOK %s < json || exit 1; done
// DONE: done
// LOOK: threads that still run cannot be stopped by ptrace
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NUMBER(n, action)                                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (n), 0, 1),                              \
      BPF_STMT(BPF_RET | BPF_K, (action))
#define MAY(n) NUMBER(n, SECCOMP_RET_ALLOW)

/* What the linker and this program need. */
static struct sock_filter only_start[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    MAY(SYS_execve),
    MAY(SYS_brk),
    MAY(SYS_mmap),
    MAY(SYS_munmap),
    MAY(SYS_mprotect),
    MAY(SYS_openat),
    MAY(SYS_read),
    MAY(SYS_pread64),
    MAY(SYS_close),
    MAY(SYS_newfstatat),
    MAY(SYS_fstat),
    MAY(SYS_access),
    MAY(SYS_arch_prctl),
    MAY(SYS_set_tid_address),
    MAY(SYS_set_robust_list),
    MAY(SYS_rseq),
    MAY(SYS_prlimit64),
    MAY(SYS_getrandom),
    MAY(SYS_ioctl),
    MAY(SYS_futex),
    MAY(SYS_write),
    MAY(SYS_exit_group),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
static struct sock_filter no_ptrace[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    NUMBER(SYS_ptrace, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};

static void *stay(void *unused) {
  pause();
  return unused;
}

int main(int count, char **argument) {
  struct sock_fprog program = {sizeof no_ptrace / sizeof *no_ptrace, no_ptrace};
  pthread_t thread;
  if (count == 2) {
    if (strcmp(argument[1], "threads") == 0 &&
        pthread_create(&thread, NULL, stay, NULL) != 0)
      return 1;
    puts("done");
    return 0;
  }
  if (strcmp(argument[1], "only-start") == 0)
    program =
        (struct sock_fprog){sizeof only_start / sizeof *only_start, only_start};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return 2;
  execvp(argument[2], argument + 2);
  return 3;
}
