// other-limits.c - no more threads, files, bytes in a file, little stack, memory that is locked: the program ends as without us.
// The dump is written, or one line says why not; and that line, which nobody reads, does no harm either.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: %survives unread "stderr?=Permission denied" -- threads
// RUN: for n in 3 4 5; do %survives allocations=1000+ -- files $n || exit 1; done
// RUN: for n in 0 1 2; do %survives unread "stderr?=cannot write the dump: .*: Too many open files; .*ulimit -n" -- files $n || exit 1; done
// RUN: for n in 0 1 1000; do %survives unread "stderr?=cannot write the dump: .*: File too large; .*" -- size $n || exit 1; done
// RUN: %survives allocations=1000+ -- size 1000000
// RUN: for n in 65536 262144; do %limited STACK=$n 100 0 stack || exit 1; done
// Only what is used is locked, not what is reserved.
// RUN: for way in now later; do %survives allocations=1000+ -- lock $way || exit 1; done
//
// A line is said into a pipe that nobody reads, and into a file that may not grow.
// RUN: env HEAPPROF_OPTIONS=dump_dir=/proc/nowhere %python -c 'import os, subprocess, sys; r, w = os.pipe(); os.close(r); \
// RUN:   print(subprocess.run([sys.argv[1], "nothing"], stderr=w, restore_signals=True).returncode)' %t | grep -x 3
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.none:log_path=%t.log %t size 1; test $? = 3
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void *work(void *arg) {
  for (int i = 1; i < 1001; i++) {
    char *p = malloc(i);
    p[i - 1] = 1;
    free(p);
  }
  return NULL;
}

static void limit(int what, unsigned long most) {
  struct rlimit limit = {most, most};
  setrlimit(what, &limit);
}

static int deep(int n) {
  volatile char frame[1000] = {n};
  return n ? deep(n - 1) + frame[0] : 0;
}

static long locked_mib(void) {
  char line[200];
  long kib = -1;
  FILE *f = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, f))
    sscanf(line, "VmLck: %ld", &kib);
  fclose(f);
  return kib >> 10;
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  unsigned long most = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
  work(NULL);
  if (!strcmp(way, "threads")) {
    chmod(getenv("DUMP_DIR"), 0777);
    limit(RLIMIT_NPROC, 1);
    if (getuid() == 0 && (setgid(65534) || setuid(65534)))
      return 1;
    pthread_t thread;
    printf("%d\n", pthread_create(&thread, NULL, work, NULL));
  }
  if (!strcmp(way, "files")) {
    limit(RLIMIT_NOFILE, most);
    int fd = open("/dev/null", O_RDONLY);
    printf("%d %d\n", fd, fd < 0 ? errno : 0);
  }
  if (!strcmp(way, "size"))
    limit(RLIMIT_FSIZE, most);
  if (!strcmp(way, "stack"))
    return printf("%d\n", deep(10)) < 0;
  if (!strcmp(way, "lock")) {
    int result =
        mlockall(MCL_FUTURE | (strcmp(argv[2], "later") ? MCL_CURRENT : 0));
    char *volatile p = malloc(3 << 20);
    p[100] = 1;
    printf("%d %d\n", result, locked_mib() < 100);
  }
  work(NULL);
  return 3;
}
