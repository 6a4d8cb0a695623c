// user-changes.c - a process that begins its dump as root and becomes another user goes on writing it: it is given to that user, for ever, or stays
// root's where the process may become root again.  So it is where its user may make nothing, as a dump is begun before root is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: root, gcc
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && gcc -O1 -g %s -o app && mkdir -m 700 out && chmod 711 .
// RUN: cd %t.d && for how in setuid setreuid setresuid; do %heapprof_run --checkpoint-ms=10 --chunk-log=all -o $PWD/out ./app $how waits 2> err; test $? = 7 && count 1 < err && FileCheck %s < err && grep -c 'heapprof score' err && %python %S/Inputs/owners.py out/heapprof.* 65534 && %heapprof_score out/heapprof.* | FileCheck --check-prefix=WHOLE %s && rm -r out/* || exit 1; done
// RUN: cd %t.d && for how in setuid setreuid setresuid; do %heapprof_run -o $PWD/out ./app $how now 2> err; test $? = 7 && count 1 < err && FileCheck %s < err && %python %S/Inputs/owners.py out/heapprof.* 65534 && %heapprof_score out/heapprof.* | FileCheck --check-prefix=WHOLE %s && rm -r out/* || exit 1; done
// One that may become root again, and one that does.
// RUN: cd %t.d && for how in "seteuid waits" "seteuid now" "back waits" "back now" "saved waits" "saved now"; do %heapprof_run --checkpoint-ms=10 -o $PWD/out ./app $how 2> err; test $? = 7 && count 1 < err && FileCheck %s < err && %python %S/Inputs/owners.py out/heapprof.* 0 && %heapprof_score out/heapprof.* | FileCheck --check-prefix=WHOLE %s && rm -r out/* || exit 1; done
// A worker that was forked; a new root, too, which is empty.
// RUN: cd %t.d && mkdir empty && for how in worker "worker $PWD/empty"; do %heapprof_run -o $PWD/out ./app setuid $how 2> err; test $? = 7 && count 1 < err && FileCheck --check-prefix=TWO %s < err && %heapprof_score --csv out/heapprof.* | grep -c ',after,' | grep -x 1 && rm -r out/* || exit 1; done && rmdir empty
// What the new user executes begins its own dump, as that user, and must be allowed to.
// RUN: cd %t.d && %heapprof_run -o $PWD/out ./app setuid exec $PWD/app 2> err; test $? = 7 && count 1 < err && FileCheck --check-prefix=EXEC %s < err && rm -r out/* && mkdir -m 1777 everybody && %heapprof_run -o $PWD/everybody ./app setuid exec $PWD/app 2> err; test $? = 7 && count 1 < err && grep -c 'heapprof-run: 2 profiles' err && ls -ln everybody | grep -c 'drwx------ .* 65534 ' | grep -x 2
// Its list of modules is there before its first checkpoint.
// RUN: cd %t.d && rm -r everybody/* && %heapprof_run --chunk-log=all --checkpoint-ms=3600000 -o $PWD/everybody ./app setuid modules $PWD/everybody 2> err; test $? = 7
// EXEC: heapprof-run: cannot write the dump: {{.*}}/out/heapprof.app.{{[0-9]+}}{{.*}}: Permission denied; set -o DIR to a writable directory; the profile of what it was before is in
// CHECK: heapprof-run: the profile is in {{.*}}/out/heapprof.app.
// TWO: heapprof-run: 2 profiles, the program's in {{.*}}/out/heapprof.app.
// WHOLE: ended: exit with status 7
// WHOLE: after
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { USER = 65534 };

__attribute__((noinline)) static void after(size_t size) {
  char *volatile p = malloc(size);
  p[0] = 1;
  free(p);
}

/* Its checkpoints are written again and again meanwhile. */
static void work(void) {
  struct timespec now, begun;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  do {
    for (unsigned i = 0; i < 1000; i++)
      after(100 + i);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 <
           begun.tv_sec * 1000 + begun.tv_nsec / 1000000 + 100);
}

/* Its log is written meanwhile. */
static int await_modules(const char *directory) {
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.app.%d/modules", directory,
           (int)getpid());
  for (int i = 0; i < 300; i++) {
    if (access(path, F_OK) == 0)
      return 1;
    work();
  }
  return 0;
}

static int leave_root(const char *how) {
  if ((strncmp(how, "set", 3) == 0 && how[3] != 'e' ? setgid(USER)
                                                    : setegid(USER)) != 0)
    return 1;
  if (strcmp(how, "setuid") == 0)
    return setuid(USER);
  if (strcmp(how, "setreuid") == 0)
    return setreuid(USER, USER);
  if (strcmp(how, "setresuid") == 0)
    return setresuid(USER, USER, USER);
  if (strcmp(how, "saved") == 0)
    return setresuid(USER, USER, 0);
  return seteuid(USER);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  const int waits = strcmp(argv[2], "waits") == 0;
  if (strcmp(argv[2], "worker") == 0) {
    int status = 1;
    if (fork() > 0)
      return wait(&status) > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (argc > 3 && chroot(argv[3]) != 0)
      return 2;
  }
  if (waits)
    work();
  if (strcmp(argv[1], "none") != 0 && leave_root(argv[1]) != 0)
    return 3;
  if (strcmp(argv[2], "exec") == 0 && argc > 3)
    execl(argv[3], argv[3], "none", "none", NULL);
  if (strcmp(argv[2], "modules") == 0 && argc > 3)
    return await_modules(argv[3]) ? 7 : 5;
  if (waits)
    work();
  else
    after(100);
  if (strcmp(argv[1], "back") == 0 && seteuid(0) != 0)
    return 4;
  if (waits)
    work();
  return 7;
}
