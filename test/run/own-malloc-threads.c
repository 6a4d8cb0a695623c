// own-malloc-threads.c - a program with a malloc of its own that must have one thread only: it has, and so has its child.
// Chromium's zygotes ask the kernel so, and end themselves if there are two. For a dump on demand there are others, of which one may not have begun.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -fno-builtin %s -o app && ./app > plain
// RUN: cd %t.d && %heapprof_run ./app > out 2> err && diff plain out && FileCheck %s < out && FileCheck --check-prefix=LINE %s < err && count 1 < err
// RUN: cd %t.d && %heapprof_run --dump-at-bytes=1000000000 ./app 2> err | FileCheck --check-prefix=DEMAND %s
// What has hooks, of a malloc that may wrap ours, asks the coarse clock, which a thread keeps.
// RUN: cd %t.d && %clang_heapprof -O1 -fno-builtin %s -o hooked && env HEAPPROF_OPTIONS=dump_dir=hooked.d ./hooked 2> err | FileCheck --check-prefix=DEMAND %s
// CHECK: parent: 1 thread
// CHECK-NEXT: child: 1 thread
// Who it is says the line at the end, not the process itself, whose stderr may be what another one reads; where nobody is left to say it, it does.
// RUN: cd %t.d && %heapprof_run sh -c './app; ./app' > out 2> err && FileCheck --check-prefix=TWO %s < err && count 1 < err
// RUN: cd %t.d && %heapprof_run -q sh -c './app; ./app' > out 2> err && count 2 < err && grep -c '^==.*==heapprof: the program has a malloc of its own' err | grep -x 2
// Nor does one begin where it forbids itself system calls that a dump needs, for which others have threads that make them; there is nothing to say of that.
// RUN: cd %t.d && for a in one all; do %heapprof_run ./app $a > out 2> err && FileCheck --check-prefix=CONFINED %s < out && FileCheck --check-prefix=CONFINED-LINE %s < err && count 1 < err || exit 1; done
// CONFINED: confined: 1 thread
// CONFINED-LINE: heapprof-run: app has a malloc of its own, so what it allocates was not profiled; the profile is in heapprof.app.
// LINE: heapprof-run: app has a malloc of its own, so what it allocates was not profiled; 2 profiles, the program's in heapprof.app.
// TWO: heapprof-run: app and 1 other process have a malloc of their own, so what they allocate was not profiled; 5 profiles, the program's in heapprof.
// DEMAND: parent: {{[23]}} threads
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char memory[1 << 20] __attribute__((aligned(16)));
static size_t used;

void *malloc(size_t n) {
  size_t *p = (size_t *)(memory + used);
  used += 16 + ((n + 15) & ~(size_t)15);
  p[1] = n;
  return p + 2;
}

void *calloc(size_t n, size_t size) {
  return memset(malloc(n * size), 0, n * size);
}

void *realloc(void *old, size_t n) {
  void *p = malloc(n);
  if (old)
    memcpy(p, old, ((size_t *)old)[-1] < n ? ((size_t *)old)[-1] : n);
  return p;
}

void free(void *p) { (void)p; }

static void say(const char *who) {
  struct stat tasks;
  if (stat("/proc/self/task", &tasks) != 0)
    exit(2);
  const unsigned threads = (unsigned)tasks.st_nlink - 2;
  printf("%s: %u thread%s\n", who, threads, threads == 1 ? "" : "s");
  fflush(stdout);
}

static int confine(int to_all) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {4, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
              to_all ? SECCOMP_FILTER_FLAG_TSYNC : 0, &program) != 0)
    return 99;
  say("confined");
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return confine(strcmp(argv[1], "all") == 0);
  char *text = malloc(100);
  strcpy(text, "child");
  say("parent");
  const pid_t child = fork();
  if (child == 0) {
    say(text);
    exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status != 0;
}
