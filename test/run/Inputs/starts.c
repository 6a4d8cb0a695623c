/* starts.c - starts ./app, or a child of its own, in the way that it is told, and waits.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int wait_for(pid_t pid) {
  int status = 0;
  return pid > 0 && waitpid(pid, &status, 0) == pid ? status : 1;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  char name[] = "./app";
  char *arguments[] = {name, NULL};
  pid_t pid = 0;
  free(malloc(10));
  if (strcmp(how, "fork") == 0) {
    if ((pid = fork()) == 0) {
      free(malloc(20));
      puts("done");
      return 0;
    }
    return wait_for(pid);
  }
  if (strcmp(how, "posix_spawn") == 0)
    return posix_spawn(&pid, name, NULL, NULL, arguments, environ)
               ? 1
               : wait_for(pid);
  if (strcmp(how, "vfork") == 0) {
    if ((pid = vfork()) == 0) {
      execv(name, arguments);
      _exit(127);
    }
    return wait_for(pid);
  }
  if (strcmp(how, "system") == 0)
    return system(name);
  if (strcmp(how, "popen") == 0) {
    char line[16] = "";
    FILE *in = popen(name, "r");
    if (in && fgets(line, sizeof line, in))
      fputs(line, stdout);
    return in ? pclose(in) : 1;
  }
  execv(name, arguments);
  return 1;
}
