// privileged.c - chroot and a change of user: the program's result is its own, the dump follows the rules of both.
// Only the superuser can do these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: root
// RUN: %build
// The dump lies where it would without chroot, and nothing below the new root, which can be removed.
// RUN: rm -rf %t.root && mkdir %t.root && %survives allocations=1+ -- chroot %t.root && rmdir %t.root
// RUN: %heapprof_score %dump | FileCheck %s
// CHECK: privileged.c.tmp (pid
// One that is refused does no harm, nor one of a program that writes no dump.
// RUN: rm -rf %t.root && %survives allocations=1+ -- no_chroot %t.root
// RUN: mkdir %t.root && %survives opts=dump_at_exit=0 unread -- chroot %t.root && rmdir %t.root && rmdir %dump
// One that was begun goes on where it is.
// RUN: rm -rf %t.root && mkdir %t.root && %survives opts=checkpoint_ms=1 allocations=1+ ended=exit -- chroot_later %t.root
//
// The dump is begun before root is left, and given to the user.
// RUN: %survives allocations=1+ ended=exit -- user && ls -ln %dump | grep "drwx------ .* 65534 "
// Our own threads follow, too.
// RUN: %survives opts=checkpoint_ms=1 allocations=1+ ended=exit -- user_later && ls -ln %dump | grep "drwx------ .* 65534 "
// RUN: %survives allocations=1+ -- user_writable && ls -ln %dump | grep "drwx------ .* 65534 "
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Until a checkpoint is there, if there will be one.
static void await_dump(void) {
  glob_t found;
  char pattern[4096];
  snprintf(pattern, sizeof pattern, "%s/*/aggregates", getenv("DUMP_DIR"));
  while (getenv("HEAPPROF_OPTIONS") && glob(pattern, 0, NULL, &found))
    usleep(100);
}

// Until every thread of the process is another user's.
static void await_threads(void) {
  struct stat file;
  for (int left = 1; left;) {
    glob_t found;
    left = 0;
    if (glob("/proc/self/task/*/status", 0, NULL, &found))
      exit(4);
    for (size_t i = 0; i < found.gl_pathc; i++) {
      char line[256];
      FILE *f = fopen(found.gl_pathv[i], "r");
      while (f && fgets(line, sizeof line, f))
        left +=
            !strncmp(line, "Uid:", 4) && !strstr(line, "\t65534\t65534\t65534");
      if (f)
        fclose(f);
    }
    globfree(&found);
  }
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  char *volatile p = malloc(10);
  if (strstr(way, "_later"))
    await_dump();
  if (!strncmp(way, "chroot", 6) && (chroot(argv[2]) || chdir("/")))
    return 1;
  if (!strcmp(way, "no_chroot"))
    printf("%d\n", chroot(argv[2]));
  if (!strcmp(way, "user_writable"))
    chmod(getenv("DUMP_DIR"), 01777);
  if (!strncmp(way, "user", 4)) {
    chmod(getenv("DUMP_DIR"), strcmp(way, "user") ? 01777 : 0700);
    if (setgid(65534) || setuid(65534))
      return 2;
    printf("%d\n", (int)getuid());
    if (!strcmp(way, "user_later"))
      await_threads();
  }
  return 3;
}
