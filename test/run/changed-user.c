// changed-user.c - a server that begins as root, and whose worker is another user's: in a directory that is everybody's each leaves a dump, in
// root's own the worker says in one line that it cannot; its status is what it would be.  A new root changes nothing of that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: root
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o server && mkdir -m 1777 everybody && mkdir -m 755 roots empty
// RUN: cd %t.d && %heapprof_run -o $PWD/everybody ./server 2> err | FileCheck %s && ls everybody | count 2 && ls -ln everybody | grep 'drwx------ .* 65534 '
// RUN: cd %t.d && %heapprof_score --csv everybody/* | grep -c ',worker,' | grep -x 1
// RUN: cd %t.d && %heapprof_run -o $PWD/roots ./server 2> err | FileCheck %s && ls roots | count 1 && grep -c 'cannot write the dump: .*: Permission denied' err | grep -x 1
// RUN: cd %t.d && rm -rf everybody/* && %heapprof_run -o $PWD/everybody ./server $PWD/empty 2> err | FileCheck %s && ls everybody | count 2 && rmdir empty
// CHECK: the worker ended with 7
#include <stdio.h>
#include <stdlib.h>
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
        setuid(65534))
      return 1;
    worker();
    return 7;
  }
  wait(&status);
  printf("the worker ended with %d\n", WEXITSTATUS(status));
  return 0;
}
