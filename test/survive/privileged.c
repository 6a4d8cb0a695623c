// privileged.c - chroot and a change of user: the program's result is its own, the dump follows the rules of both.
// Only the superuser can do these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: root
// RUN: %build
// The dump lies below the new root, in the directory of the same name; it names the program.
// RUN: rm -rf %t.root && mkdir %t.root && %survives unread -- chroot %t.root
// RUN: %heapprof_score %t.root/%dump | FileCheck %s
// CHECK: privileged.c.tmp (pid
//
// RUN: %survives unread "stderr=cannot write the dump: .*: Permission denied; .*dump_dir=" -- user
// RUN: %survives allocations=1+ -- user_writable && ls -ln %dump | grep "drwx------ .* 65534 "
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *way = argv[1];
  char *volatile p = malloc(10);
  if (!strcmp(way, "chroot") && (chroot(argv[2]) || chdir("/")))
    return 1;
  if (!strcmp(way, "user_writable"))
    chmod(getenv("DUMP_DIR"), 01777);
  if (!strncmp(way, "user", 4)) {
    chmod(getenv("DUMP_DIR"), strcmp(way, "user") ? 01777 : 0700);
    if (setgid(65534) || setuid(65534))
      return 2;
    printf("%d\n", (int)getuid());
  }
  return 3;
}
