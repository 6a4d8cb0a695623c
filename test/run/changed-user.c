// changed-user.c - a server that begins as root, and whose worker becomes another user by the system call itself (user-changes.c: by libc's functions): in a directory
// that is everybody's each leaves a dump, in root's own it cannot, which the line at the end says and not the worker, whose status is what it would be.  A new root changes nothing of that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: root
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o server && mkdir -m 1777 everybody && mkdir -m 755 roots empty
// RUN: cd %t.d && %heapprof_run -o $PWD/everybody ./server 2> err | FileCheck %s && ls everybody | count 2 && ls -ln everybody | grep 'drwx------ .* 65534 '
// RUN: cd %t.d && %heapprof_score --csv everybody/* | grep -c ',worker,' | grep -x 1
// RUN: cd %t.d && %heapprof_run -o $PWD/roots ./server 2> err | FileCheck %s && ls roots | count 1 && count 1 < err && FileCheck --check-prefix=END %s < err
// Of several the first is named, and the file that they told is gone.
// RUN: cd %t.d && %heapprof_run -o $PWD/roots sh -c 'echo "$HEAPPROF_OPTIONS" > options; ./server 2> err2 && ./server 2>> err2' > out 2> err && count 0 < err2 && count 1 < err && FileCheck --check-prefix=TWO %s < err
// RUN: cd %t.d && f=$(sed "s/.*failure_file='\([^']*\)'.*/\1/" options) && test -n "$f" && not ls "$f" && not ls "$(dirname $f)"
// What is left is told as what it is.
// RUN: cd %t.d && env HEAPPROF_OPTIONS=only_programs=server %heapprof_run -o $PWD/left sh -c './server; exit 3' > out 2> err; test $? = 3 && FileCheck --check-prefix=LEFT %s < err
// Where nobody can be told, the worker speaks for itself.
// RUN: cd %t.d && touch mine && chmod 600 mine && for f in mine $PWD/mine /nowhere/file; do %heapprof_run --failure-file=$f -o $PWD/roots ./server 2> err && count 2 < err && grep -c '^==.*==heapprof: cannot write the dump: .*: Permission denied; set' err | grep -x 1 || exit 1; done
// RUN: cd %t.d && %heapprof_run -q -o $PWD/roots ./server 2> err && count 1 < err && grep -c '^==.*==heapprof: cannot write the dump: .*: Permission denied; set' err | grep -x 1
// RUN: cd %t.d && rm -rf everybody/* && %heapprof_run -o $PWD/everybody ./server $PWD/empty 2> err | FileCheck %s && ls everybody | count 2 && rmdir empty
// CHECK: the worker ended with 7
// END: heapprof-run: cannot write the dump: {{.*}}/roots/heapprof.server.{{[0-9]+}}: Permission denied; set -o DIR to a writable directory; the profile is in {{.*}}/roots/heapprof.server
// LEFT: heapprof-run: cannot write the dump: {{.*}}; the program left no profile, what it started one in {{.*}}/left/heapprof.server.
// TWO: heapprof-run: cannot write 2 dumps, the first: {{.*}}/roots/heapprof.server.{{[0-9]+}}: Permission denied; set -o DIR to a writable directory; 3 profiles, the program's in {{.*}}/roots/heapprof.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void worker(void) {
  char *volatile p = malloc(1000);
  p[0] = 1;
  free(p);
}

int main(int argc, char **argv) {
  int status;
  char *volatile p = malloc(10);
  p[0] = 1;
  if (fork() == 0) {
    if ((argc > 1 && (chroot(argv[1]) || chdir("/"))) || setgid(65534) ||
        syscall(SYS_setuid, 65534))
      return 1;
    worker();
    return 7;
  }
  wait(&status);
  printf("the worker ended with %d\n", WEXITSTATUS(status));
  return 0;
}
