// dump-files.c - dumps are their user's alone, never overwrite, and never follow a link that was planted.
// The program plants what an attacker would who knew its process id.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// Whatever the umask is; that of the program stays.
// RUN: for mask in 0 077 0777; do \
// RUN:   (umask $mask; %survives unread -- umask) && ls -d %dump/heapprof.* | count 1 && \
// RUN:   test -z "$(find %dump/heapprof.* -type d ! -perm 0700)" && \
// RUN:   test -z "$(find %dump/heapprof.* -type f ! -perm 0600)" || exit 1; done
//
// RUN: for way in file link dangling directory; do %survives unread -- $way %t.victim && \
// RUN:   ls -d %dump/heapprof.*-2/end && test ! -e %t.victim/header && test ! -e %t.victim/end || exit 1; done
// The other user's files are as they were.
// RUN: %survives unread -- directory %t.victim && grep -x mine %dump/heapprof.*[0-9]/header && \
// RUN:   %heapprof_score --json %dump/heapprof.*-2 > %t.json
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *way = argv[1];
  char name[4096], inner[4200];
  snprintf(name, sizeof name, "%s/heapprof.%s.%d", getenv("DUMP_DIR"),
           strrchr(argv[0], '/') + 1, (int)getpid());
  snprintf(inner, sizeof inner, "%s/header", name);
  chmod(getenv("DUMP_DIR"), 0777);
  if (!strcmp(way, "umask")) {
    mode_t mask = umask(0);
    umask(mask);
    printf("%o\n", mask);
  }
  if (!strcmp(way, "file"))
    fclose(fopen(name, "w"));
  if (!strcmp(way, "link") || !strcmp(way, "dangling")) {
    rmdir(argv[2]);
    if (!strcmp(way, "link"))
      mkdir(argv[2], 0777);
    symlink(argv[2], name);
  }
  if (!strcmp(way, "directory")) {
    mkdir(name, 0777);
    FILE *f = fopen(inner, "w");
    fputs("mine\n", f);
    fclose(f);
  }
  free(malloc(10));
  return 3;
}
