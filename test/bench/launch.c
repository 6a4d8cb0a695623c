/* launch.c - launch RESULT IN OUT ERR COMMAND...: runs COMMAND and writes what it used.
   Small on purpose: Linux counts what a process had resident before exec, so a child of Python never reads below it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void redirect(const char *path, int flags, int target) {
  int fd = open(path, flags, 0666);
  if (fd < 0 || dup2(fd, target) < 0) {
    perror(path);
    _exit(127);
  }
  close(fd);
}

int main(int argc, char **argv) {
  if (argc < 6) {
    fputs("usage: launch RESULT IN OUT ERR COMMAND...\n", stderr);
    return 2;
  }
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 2;
  }
  if (child == 0) {
    redirect(argv[2], O_RDONLY, STDIN_FILENO);
    redirect(argv[3], O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(argv[4], O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    execv(argv[5], argv + 5);
    perror(argv[5]);
    _exit(127);
  }
  int status;
  struct rusage used;
  if (wait4(child, &status, 0, &used) < 0) {
    perror("wait4");
    return 2;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  FILE *result = fopen(argv[1], "w");
  if (!result) {
    perror(argv[1]);
    return 2;
  }
  /* User, system and elapsed seconds, peak resident KiB, exit status. */
  fprintf(result, "%.6f %.6f %.6f %ld %d\n", seconds(used.ru_utime),
          seconds(used.ru_stime),
          (double)(end.tv_sec - start.tv_sec) +
              (double)(end.tv_nsec - start.tv_nsec) / 1e9,
          used.ru_maxrss,
          WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return fclose(result) ? 2 : 0;
}
