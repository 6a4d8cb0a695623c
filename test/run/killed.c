// killed.c - what SIGKILL ends has the profile that it had at its last checkpoint, or none: the line at the end says which, and of
// other ends, by _exit or by libc's syscall, nothing more than where it is.  What ends by a system call of its own, as programs of
// Go do, is told like what was killed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gcc
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && gcc -O1 -g %s -o app
// RUN: cd %t.d && %heapprof_run --checkpoint-ms=20 -o $PWD/one ./app later killed 2> err; test $? = 137 && count 1 < err && FileCheck --check-prefix=ONE %s < err
// RUN: cd %t.d && %heapprof_score one/heapprof.app.* | FileCheck --check-prefix=SCORE %s
// RUN: cd %t.d && %heapprof_run --checkpoint-ms=3600000 -o $PWD/none ./app now killed 2> err; test $? = 137 && count 1 < err && FileCheck --check-prefix=NONE %s < err
// RUN: cd %t.d && %heapprof_run --checkpoint-ms=3600000 -o $PWD/executed sh -c 'exec ./app now killed' 2> err; test $? = 137 && count 1 < err && FileCheck --check-prefix=EXECUTED %s < err
// A shell that waits for it has a whole one.
// RUN: cd %t.d && %heapprof_run --checkpoint-ms=20 -o $PWD/two sh -c './app later killed; exit 4' 2> err; test $? = 4 && grep -c "^heapprof-run: 2 profiles, the program's in " err | grep -x 1
// RUN: cd %t.d && %heapprof_run --checkpoint-ms=20 -o $PWD/three ./app parent killed 2> err; test $? = 137 && FileCheck --check-prefix=TWO %s < err
// RUN: cd %t.d && for how in _exit system; do %heapprof_run -o $PWD/$how ./app now $how 2> err; test $? = 3 && count 1 < err && FileCheck --check-prefix=END %s < err || exit 1; done
// RUN: cd %t.d && %heapprof_run --checkpoint-ms=3600000 -o $PWD/raw ./app now raw 2> err; test $? = 3 && count 1 < err && FileCheck --check-prefix=RAW --match-full-lines %s < err
// ONE: heapprof-run: the profile, up to its last checkpoint, is in {{.*}}/one/heapprof.app.{{[0-9]+}}; next: heapprof score {{.*}}/one/heapprof.app.
// SCORE: ended: killed
// NONE: heapprof-run: no profile was written: the program was killed before its first checkpoint (--checkpoint-ms)
// RAW: heapprof-run: no profile was written: the program ended by a system call of its own, it seems, before its first checkpoint (--checkpoint-ms)
// EXECUTED: heapprof-run: the program was killed before its first checkpoint (--checkpoint-ms); the profile of what it was before is in {{.*}}/executed/heapprof.{{[a-z]*}}sh.
// TWO: heapprof-run: 2 profiles, the program's, up to its last checkpoint, in {{.*}}/three/heapprof.app.
// END: heapprof-run: the profile is in {{.*}}/heapprof.app.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A checkpoint was written: what is written last of one is there. */
static int has_checkpoint(void) {
  char path[4096], wanted[64];
  const char *options = getenv("HEAPPROF_OPTIONS");
  const char *at = NULL;
  for (const char *next = options; (next = strstr(next, "dump_dir='"));)
    at = next += strlen("dump_dir='"); /* the last one counts */
  if (!at)
    return 1;
  snprintf(wanted, sizeof wanted, "/heapprof.app.%d/aggregates", (int)getpid());
  snprintf(path, sizeof path, "%.*s%s", (int)strcspn(at, "'"), at, wanted);
  return access(path, F_OK) == 0;
}

int main(int argc, char **argv) {
  char *volatile p = malloc(100);
  p[0] = 1;
  if (argc < 3)
    return 1;
  if (strcmp(argv[1], "parent") == 0 && fork() == 0)
    return 0;
  while (strcmp(argv[1], "now") != 0 && !has_checkpoint())
    free(malloc(1000));
  if (strcmp(argv[1], "parent") == 0)
    wait(NULL);
  if (strcmp(argv[2], "killed") == 0)
    kill(getpid(), SIGKILL);
  if (strcmp(argv[2], "_exit") == 0)
    _exit(3);
  if (strcmp(argv[2], "raw") == 0)
    __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(3));
  syscall(SYS_exit_group, 3);
  return 1;
}
