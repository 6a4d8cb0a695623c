/* unnamed-program.c - executes itself by a descriptor of a file whose mount is in no directory, as crun does, whose path is "/", or of
   a copy in memory: the profile has the name that it was called by.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: root
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app
// RUN: cd %t.d && if ./app; then %heapprof_run ./app 2> err && count 1 < err && FileCheck %s < err && ls -d heapprof.* | count 2 && %heapprof_score --json heapprof.caller.* | grep -c '"program": "%t.d/caller"' | grep -x 1; fi
// RUN: rm -rf %t.m && cd %t.d && %heapprof_run -o %t.m ./app memory 2> err && grep -c "2 profiles, the program's in %t.m/heapprof.caller" err | grep -x 1
// CHECK: heapprof-run: 2 profiles, the program's in heapprof.caller.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

#define MAKE_COPY 1 /* OPEN_TREE_CLONE, which older headers lack */

static int copy_in_memory(void) {
  const int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const int to = memfd_create("copy", MFD_CLOEXEC);
  while (sendfile(to, from, NULL, 1 << 20) > 0)
    ;
  return to;
}

int main(int count, char **arguments) {
  char *again[] = {"caller", "again", NULL};
  free(strdup(arguments[0]));
  if (count > 1 && strcmp(arguments[1], "memory") == 0)
    return fexecve(copy_in_memory(), again, environ);
  if (count > 1)
    return 0;
  const long file = syscall(428 /* open_tree */, AT_FDCWD, "/proc/self/exe",
                            MAKE_COPY | O_CLOEXEC);
  if (file >= 0)
    fexecve((int)file, again, environ);
  return 1; /* not allowed here */
}
