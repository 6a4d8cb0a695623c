/* signals-passed.c - what is sent to heapprof-run is the program's, also what was ignored when it began, as SIGINT of what a script starts in the
   background, what is ignored or deadly by default, and those of real time with what they carry.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app
// RUN: cd %t.d && for ignored in no yes; do for number in 1 2 3 6 10 12 14 15 23 26 27 28 29 30 34 40 64; do \
// RUN:   ./app send $ignored $number ./app wait $number > plain || exit 1; grep -qx "caught $number" plain || exit 1; \
// RUN:   ./app send $ignored $number %heapprof_run ./app wait $number > out 2> err || exit 1; cmp plain out && count 1 < err || exit 1; done; done
// What the program leaves ignored does nothing.
// RUN: cd %t.d && ./app send yes 2 %heapprof_run ./app leave 2 2> err | FileCheck --match-full-lines %s && count 1 < err
// CHECK: ready
// CHECK-NEXT: left
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *text) {
  puts(text);
  fflush(stdout);
}

static int be_sent(bool leave, int number) {
  sigset_t set;
  siginfo_t info;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, NULL);
  if (!leave)
    signal(number, SIG_DFL);
  free(malloc((size_t)number));
  say("ready");
  if (leave)
    return say("left"), 0;
  if (sigwaitinfo(&set, &info) != number)
    return 1;
  printf("caught %d\n", number);
  if (info.si_code == SI_QUEUE)
    printf("with %d\n", info.si_value.sival_int);
  return 0;
}

static int send_to(bool is_ignored, int number, char **command) {
  int ends[2];
  if (pipe(ends))
    return 1;
  const pid_t pid = fork();
  if (!pid) {
    signal(number, is_ignored ? SIG_IGN : SIG_DFL);
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execvp(command[0], command);
    _exit(127);
  }
  close(ends[1]);
  FILE *from = fdopen(ends[0], "r");
  char line[100];
  while (fgets(line, sizeof line, from)) {
    fputs(line, stdout);
    if (!strcmp(line, "ready\n"))
      number >= SIGRTMIN ? sigqueue(pid, number, (union sigval){number + 1})
                         : kill(pid, number);
  }
  int status;
  return waitpid(pid, &status, 0) != pid || status;
}

int main(int argc, char **argv) {
  if (argc > 4 && !strcmp(argv[1], "send"))
    return send_to(!strcmp(argv[2], "yes"), atoi(argv[3]), argv + 4);
  return argc == 3 ? be_sent(!strcmp(argv[1], "leave"), atoi(argv[2])) : 2;
}
