/* filtered-children.c - what a process has under a filter of its own it has in its children, in copies, and in what it executes, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %build
// One of the runtime's calls, which kills or is refused, in a child: it ended by a signal.
// RUN: for way in rusage memory; do %survives ended=exit,exit,exit,exit,exit allocations=1000+ -- $way || exit 1; done
// The clock: the child waited for it to go on. It has no profile, as a line says.
// RUN: %survives ended=exit allocations=1000+ "stderr=this child may not make the system calls .*seccomp.* not profiled" -- clock
// A lock that was waited for as the process was copied: the child asked a thread to wake who waits that it does not have.
// RUN: rm -rf %t.d && env HEAPPROF_OPTIONS=dump_dir=%t.d:dump_after_ms=1:dump_repeat=1:profile_children=0 timeout 60 %t wake 2> %t.errors && not grep . %t.errors
// RUN: rm -rf %t.d && env HEAPPROF_OPTIONS=dump_dir=%t.d:dump_after_ms=1:dump_repeat=1 timeout 60 %t copies 2> %t.errors && not grep . %t.errors
// What is executed where nothing can be unmapped: it ended as it began. Where links cannot be read a line was said.
// RUN: for way in execute unnamed; do rm -rf %t.d; \
// RUN:   env HEAPPROF_OPTIONS=dump_dir=%t.d timeout 60 %t $way 2> %t.errors && not grep . %t.errors || exit 1; \
// RUN:   ls %t.d | grep -c . | grep -qx 2 && rm -rf %t.d && timeout 60 %heapprof_run --quiet -o %t.d %t.plain $way || exit 1; done
// A write that is answered as if it were interrupted, each time: it was made again for ever.
// RUN: rm -rf %t.d && env HEAPPROF_OPTIONS=dump_dir=%t.d timeout 60 %t write
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void forbid(unsigned number, unsigned action) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
    _exit(2);
}

static void allocate(void) {
  char *kept[16] = {0};
  for (size_t i = 0; i < 1000; i++) {
    char **at = &kept[i % 16];
    free(*at);
    *at = malloc(1 + i * 37 % 900);
    **(char *volatile *)at = 1;
    if (i % 7 == 0)
      *at = realloc(*at, 2000 + i * 50);
  }
  for (size_t i = 0; i < 16; i++)
    free(kept[i]);
}

static long copy(void) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static long fork_it(void) { return fork(); }

/* Whether as many children as that end well. */
static int children(int count, long (*begin)(void)) {
  while (count-- > 0) {
    int status;
    long child = begin();
    if (child == 0) {
      allocate();
      _exit(3);
    }
    allocate();
    if (child < 0 || waitpid((pid_t)child, &status, 0) != child ||
        !WIFEXITED(status) || WEXITSTATUS(status) != 3)
      return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *way = argc == 2 ? argv[1] : "";
  allocate();
  if (!strcmp(way, "rusage")) {
    forbid(SYS_getrusage, SECCOMP_RET_KILL_PROCESS);
    return children(4, fork_it);
  }
  if (!strcmp(way, "memory")) {
    forbid(SYS_madvise, SECCOMP_RET_ERRNO | ENOMEM);
    return children(4, fork_it);
  }
  if (!strcmp(way, "clock")) {
    forbid(SYS_clock_gettime, SECCOMP_RET_KILL_PROCESS);
    return children(1, fork_it);
  }
  if (!strcmp(way, "wake") || !strcmp(way, "copies")) {
    forbid(SYS_futex, SECCOMP_RET_ERRNO | EACCES);
    return children(200, *way == 'w' ? fork_it : copy);
  }
  if (!strcmp(way, "executed"))
    return 0;
  if (!strcmp(way, "write")) {
    forbid(SYS_write, SECCOMP_RET_ERRNO | EINTR);
    return children(1, fork_it);
  }
  forbid(*way == 'u' ? SYS_readlinkat : SYS_munmap, SECCOMP_RET_ERRNO | EPERM);
  execl("/proc/self/exe", argv[0], "executed", (char *)NULL);
  return 2;
}
