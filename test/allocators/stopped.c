// stopped.c - who ends the command ends its run, too, with all that it started, and is told how far it came.
// In the first round, in the second, under the meter and while calls are counted; also where the program would rather go on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang %s -o %t && rm -rf %t.dir && mkdir %t.dir
// RUN: %python %S/Inputs/stopped.py %t.dir 1 TERM %heapprof_allocators --repeat 2 --with glibc %t %t.dir | FileCheck --check-prefix=FIRST --match-full-lines %s
// RUN: %python %S/Inputs/stopped.py %t.dir 2 INT %heapprof_allocators --repeat 2 --with glibc %t %t.dir | FileCheck --check-prefix=SECOND --match-full-lines %s
// RUN: %python %S/Inputs/stopped.py %t.dir 3 HUP %heapprof_allocators --repeat 2 --with glibc %t %t.dir | FileCheck --check-prefix=METER --match-full-lines %s
// RUN: %python %S/Inputs/stopped.py %t.dir 4 TERM %heapprof_allocators --repeat 2 --with glibc %t %t.dir deaf | FileCheck --check-prefix=COUNT --match-full-lines %s
// RUN: %python %S/Inputs/stopped.py %t.dir 2 INT %heapprof_allocators --repeat 2 --with glibc %t %t.dir deaf | FileCheck --check-prefix=SECOND --match-full-lines %s
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void leave_mark(const char *directory, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "w");
  fprintf(file, "%ld\n", (long)getpid());
  fclose(file);
}

/* The run whose number is in the file "last" waits, with a child of its own in another group. */
int main(int argc, char **argv) {
  char path[4096];
  struct stat status;
  int number = 0, last = 0;
  (void)argc;
  do
    snprintf(path, sizeof path, "%s/run%d", argv[1], ++number);
  while (stat(path, &status) == 0);
  close(open(path, O_CREAT | O_WRONLY, 0600));
  snprintf(path, sizeof path, "%s/last", argv[1]);
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%d", &last) != 1)
    return 3;
  fclose(file);
  if (number < last)
    return 0;
  if (argc > 2) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
  }
  if (fork() == 0) {
    setpgid(0, 0);
    leave_mark(argv[1], "child");
    for (;;)
      pause();
  }
  leave_mark(argv[1], "parent");
  for (;;)
    pause();
}

// FIRST: signal 15: heapprof-allocators: ended by signal 15 (Terminated) after 0 of 4 runs: no result
// FIRST-NEXT: gone
// SECOND: signal 2: heapprof-allocators: ended by signal 2 (Interrupt) after 1 of 4 runs (glibc 1): no result
// SECOND-NEXT: gone
// METER: signal 1: heapprof-allocators: ended by signal 1 (Hangup) after 2 of 4 runs (glibc 2): no result
// METER-NEXT: gone
// COUNT: signal 15: heapprof-allocators: ended by signal 15 (Terminated) after 3 of 4 runs (glibc 3): no result
// COUNT-NEXT: gone
