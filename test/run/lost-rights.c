/* lost-rights.c - a process that gave up what it takes to write a dump and to open a file: by a new root that another process with the
   same root took for it, as Chromium's sandbox does, and as another user. The line at the end says so.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: root
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app
// RUN: cd %t.d && for how in root user; do %heapprof_run -o $PWD/out ./app $how > out.txt 2> err; test $? = 7 && echo "$how: $(cat out.txt) $(cat err)" && count 1 < err || exit 1; done > all && FileCheck %s < all
// So of many.
// RUN: cd %t.d && %heapprof_run sh -c 'for i in 1 2 3 4 5 6 7 8; do ./app root & done; wait' > out.txt 2> err && count 1 < err && FileCheck --check-prefix=MANY %s < err
// Without somebody who says it at the end the process does, and one that outlives the run.
// RUN: cd %t.d && %heapprof_run -q -o $PWD/out ./app root > out.txt 2> err; test $? = 7 && grep -c '^==.*==heapprof: cannot write the dump' err | grep -x 1
// RUN: cd %t.d && %heapprof_run sh -c './app root late > late.txt 2> late.err & sleep 0.3' 2> err && count 1 < err && sleep 2 && grep -c '^==.*==heapprof: cannot write the dump' late.err | grep -x 1
// CHECK: root: done heapprof-run: cannot write the dump: {{.*}}/heapprof.app.{{[0-9]+}}: No such process; set {{.*}}; no profile was written
// CHECK: user: done heapprof-run: cannot write the dump: {{.*}}/heapprof.app.{{[0-9]+}}: No such process; set {{.*}}; no profile was written
// MANY: heapprof-run: cannot write 8 dumps, the first: {{.*}}
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Nobody sees the calls of a process that shares our root; where it is gone, nothing can be made. */
static int take_root(void *unused) {
  (void)unused;
  return syscall(SYS_chroot, "/proc/self/fdinfo") || syscall(SYS_chdir, "/");
}

static int root(void) {
  static char stack[65536];
  int status = 1;
  const pid_t other =
      clone(take_root, stack + sizeof stack, CLONE_FS | SIGCHLD, NULL);
  return other > 0 && waitpid(other, &status, 0) == other && status == 0;
}

int main(int argc, char **argv) {
  char *volatile p = malloc(100);
  p[0] = 1;
  const int done = root();
  if (strcmp(argv[1], "user") == 0 && setuid(65534) != 0)
    return 1;
  if (argc > 2)
    sleep(1);
  free(p);
  puts(done ? "done" : "not done");
  return done ? 7 : 1;
}
