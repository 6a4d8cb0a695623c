/* lost-rights.c - a process that gave up what it takes to write a dump and to open a file: by a new root that another process with the
   same root took for it, as Chromium's sandbox does, and as another user. The line at the end says so.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: root
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app
// RUN: cd %t.d && for how in root user; do %heapprof_run -o $PWD/out ./app $how > out.txt 2> err; test $? = 7 && echo "$how: $(cat out.txt) $(cat err)" && count 1 < err || exit 1; done > all && FileCheck %s < all
// So of many.
// RUN: cd %t.d && %heapprof_run sh -c 'for i in 1 2 3 4 5 6 7 8; do ./app root & done; wait' > out.txt 2> err && count 1 < err && FileCheck --check-prefix=MANY %s < err
// heapprof-run waits a moment for what ends soon after the program, so that it is told of that, and counts its profile.
// RUN: cd %t.d && %heapprof_run sh -c './app root soon > soon.txt 2> soon.err & while ! test -s soon.txt; do :; done' 2> err && count 1 < err && count 0 < soon.err && grep -c 'cannot write the dump: .*/heapprof.app' err | grep -x 1
// RUN: cd %t.d && rm -rf heapprof.* soon.txt && %heapprof_run sh -c './app none soon > soon.txt & while ! test -s soon.txt; do :; done' 2> err && grep -c "^heapprof-run: 3 profiles, the program's in heapprof" err | grep -x 1
// Where all files are read-only, as in a container, there is still the pipe.
// RUN: cd %t.d && mkdir mounted && printf '%%s\n' 'mount --rbind / mounted && mount -o remount,bind,ro mounted && ! touch mounted/$PWD/file 2> no && test -d mounted/tmp && "$@"' > script
// RUN: cd %t.d && if unshare -m sh script true 2> err; then rm -rf heapprof.* && (%heapprof_run unshare -m sh script chroot mounted sh -c "cd $PWD && exec ./app none" > out.txt 2> err; test $? = 7) && echo done | diff - out.txt && count 1 < err && grep -c '^heapprof-run: cannot write .*: Read-only file system; set -o DIR' err | grep -x 1; fi
// Without somebody who says it at the end the process does, and one that outlives the run, unless a checkpoint has told it.
// RUN: cd %t.d && %heapprof_run -q -o $PWD/out ./app root > out.txt 2> err; test $? = 7 && grep -c '^==.*==heapprof: cannot write the dump' err | grep -x 1
// RUN: cd %t.d && rm -f go && mkfifo go && env HEAPPROF_OPTIONS=checkpoint_ms=0 %heapprof_run sh -c './app root late 0<> go > late.txt 2> late.err & while ! test -s late.txt; do :; done' 2> err && count 1 < err && echo > go && while ! test -s late.err; do :; done && grep -c '^==.*==heapprof: cannot write the dump' late.err | grep -x 1
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
  const pid_t parent = getppid();
  char *volatile p = malloc(100);
  p[0] = 1;
  const int done = strcmp(argv[1], "none") == 0 || root();
  if (strcmp(argv[1], "user") == 0 && setuid(65534) != 0)
    return 1;
  puts(done ? "done" : "not done");
  fflush(stdout);
  /* Soon behind the program, or once heapprof-run is gone. */
  if (argc > 2 && strcmp(argv[2], "soon") == 0)
    while (getppid() == parent)
      sched_yield();
  else if (argc > 2 && read(0, p, 1) != 1)
    return 1;
  free(p);
  return done ? 7 : 1;
}
