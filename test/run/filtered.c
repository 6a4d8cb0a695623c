/* filtered.c - a filter of system calls that refuses to send a signal on must not make a dying process wait for itself.
   Built with heapprof, and run as it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o plain && %clang_heapprof -O1 -g %s -o built
// RUN: cd %t.d && for p in plain built; do for refuse in 1 2 3; do \
// RUN:   rm -rf heapprof.*; %python %S/Inputs/ending.py %heapprof_run --log-path=log ./$p $refuse > out && FileCheck --check-prefix=LEFT$refuse --match-full-lines %s < out || exit 1; done; done
// What a filter was made for, as man's, starts with it: where it may make no directory the line says why there is no dump.
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run --only echo ./plain 0 > out 2> err && FileCheck --check-prefix=OUT --match-full-lines %s < out && FileCheck --check-prefix=LINE %s < err && count 1 < err
// OUT: done
// LINE: heapprof-run: cannot write the dump: {{.*}}/heapprof.echo.{{[0-9]+}}: Function not implemented; run it without the filter of system calls (seccomp) that refuses it; no profile was written
// Where it refuses to block signals, as tor's, libc gives back a mask that nobody filled, from the stack: not one that the runtime left there.  A thread that is
// still there at the end is not stopped for a look, as that blocks signals.
// RUN: cd %t.d && for p in plain built; do for o in "" --allocator=program; do for how in threads thread-stays; do %heapprof_run -q $o ./$p $how 2> err || exit 1; done; done; done
// LEFT1: -13
// LEFT2: -13
// LEFT3: 141
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool stays;
static void *rest(void *unused) {
  if (stays)
    pause();
  return unused;
}

/* As deep as libc goes there may be any mask. */
__attribute__((noinline)) static void leave_masks(void) {
  char room[4096];
  memset(room, 0xff, sizeof room);
  __asm__ volatile("" : : "r"(room) : "memory");
}

/* 0: no signal is blocked behind it. */
static int make_thread(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIG_BLOCK, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  pthread_t thread;
  sigset_t mask;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return 99;
  leave_masks();
  if (pthread_create(&thread, NULL, rest, NULL) != 0)
    return 98;
  if (sigprocmask(SIG_SETMASK, NULL, &mask) != 0)
    return 97;
  return sigismember(&mask, SIGINT) || sigismember(&mask, SIGHUP);
}

/* Refuses the first COUNT of these; or, if it is 0, that what is executed makes directories. */
int main(int argc, char **argv) {
  stays = argc > 1 && strcmp(argv[1], "thread-stays") == 0;
  if (stays || (argc > 1 && strcmp(argv[1], "threads") == 0))
    return make_thread();
  static const unsigned calls[] = {SYS_rt_tgsigqueueinfo, SYS_tgkill, SYS_kill};
  static const unsigned directories[] = {SYS_mkdir, SYS_mkdirat};
  struct sock_filter filter[16] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  unsigned short size = 1;
  int ends[2], count = argc > 1 ? atoi(argv[1]) : 0;
  const bool executes = count == 0;
  for (int i = 0; i < (executes ? 2 : count); i++) {
    filter[size++] = (struct sock_filter)BPF_JUMP(
        BPF_JMP | BPF_JEQ | BPF_K, executes ? directories[i] : calls[i], 0, 1);
    filter[size++] = (struct sock_filter)BPF_STMT(
        BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (executes ? ENOSYS : EPERM));
  }
  filter[size++] =
      (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {size, filter};
  free(malloc(10));
  signal(SIGPIPE, SIG_DFL);
  if (pipe(ends) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return 99;
  if (executes)
    return execlp("echo", "echo", "done", NULL);
  close(ends[0]);
  if (write(ends[1], "x", 1) < 0)
    _exit(98);
  return 97;
}
