// own-limit.c - the program limits its own address space or data: what we reserve does not count, and what it has stays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: for way in AS DATA; do for call in setrlimit prlimit; do %limited NONE=0 95 50000000 $way $call || exit 1; done; done
// A sampled run has two ranges.
// RUN: HEAPPROF_MORE=sample_every=10 %limited NONE=0 95 50000000 AS setrlimit
// What stale_pages keeps of each page that there may be goes back first: malloc refused all.
// RUN: for way in AS DATA; do HEAPPROF_MORE=stale_pages=1000 %limited NONE=0 95 50000000 $way setrlimit || exit 1; done
// While others allocate; in a child; and what is not the process's own memory.
// RUN: %survives allocations=1000+ -- threads
// RUN: %survives allocations=2+ ended=exit,exit -- child
// RUN: %survives allocations=1+ -- other
// A stream of the program's own needs nothing of ours; one that cannot write says so.
// RUN: for p in %t.plain %t; do HEAPPROF_OPTIONS="dump_dir='%t.dump'" $p cookie > %t.out 2> /dev/null; \
// RUN:   test $? = 3 && grep -x -e '-1 0 1' %t.out || exit 1; done
// A soft limit is lifted while the last dump is written, and there again for what is executed.
// RUN: for way in AS DATA; do %survives allocations=1+ ended=exec -- exec $way || exit 1; done
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT (256ul << 20)

static void limit(const char *way, const char *call) {
  struct rlimit limit = {LIMIT, LIMIT}, told;
  int what = !strcmp(way, "AS") ? RLIMIT_AS : RLIMIT_DATA;
  if (!strcmp(call, "prlimit") ? prlimit(getpid(), what, &limit, NULL)
                               : setrlimit(what, &limit))
    exit(1);
  if (getrlimit(what, &told) || told.rlim_cur != LIMIT ||
      told.rlim_max != LIMIT)
    exit(2);
}

static void *allocate(void *all) {
  for (int i = 0; i < 20000; i++) {
    size_t size = i % 50 ? i % 3000 + 1 : 100000;
    char *p = malloc(size);
    if (!p)
      exit(3);
    memset(p, i, size);
    for (size_t k = 0; k < size; k += 99)
      if (p[k] != (char)i)
        exit(4);
    free(p);
  }
  return NULL;
}

static size_t fill(void) {
  size_t sum = 0, size = 90000;
  for (char *p; (p = malloc(size)); sum += size)
    p[0] = p[size - 1] = 1;
  return sum;
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  if (!strcmp(way, "threads")) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
      pthread_create(&threads[i], NULL, allocate, NULL);
    allocate(NULL);
    limit("AS", "setrlimit");
    allocate(NULL);
    for (int i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
    return 3;
  }
  if (!strcmp(way, "child")) {
    char *volatile p = strcpy(malloc(1000), "kept");
    if (fork() == 0) {
      limit("AS", "setrlimit");
      char *volatile q = malloc(200000);
      q[0] = q[199999] = 1;
      printf("%s\n", p);
      return 0;
    }
    int status;
    wait(&status);
    return WEXITSTATUS(status);
  }
  if (!strcmp(way, "exec")) {
    struct rlimit soft = {LIMIT, RLIM_INFINITY};
    free(malloc(10));
    setrlimit(!strcmp(argv[2], "AS") ? RLIMIT_AS : RLIMIT_DATA, &soft);
    execl("/bin/sh", "sh", "-c",
          "ulimit -S -v; ulimit -S -d; ulimit -H -v; ulimit -H -d; exit 3",
          NULL);
  }
  if (!strcmp(way, "cookie")) {
    const rlim_t most = 20 << 20;
    for (size_t size = 16; size < 5000; size += 16)
      free(malloc(size)); // there is room for the stream
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    static char buffer[100];
    FILE *file = fopencookie(NULL, "w", (cookie_io_functions_t){0});
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    int said = fputs("lost", file), failed = fflush(file);
    printf("%d %d %d\n", said, failed, ferror(file) != 0);
    return fclose(file) ? 4 : 3;
  }
  // A limit that is none, one of another kind, and one that is refused.
  if (!strcmp(way, "other")) {
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY}, files = {100, 100},
                  wrong = {2, 1};
    free(malloc(10));
    printf("%d", setrlimit(RLIMIT_AS, &none));
    printf(" %d", setrlimit(RLIMIT_NOFILE, &files));
    printf(" %d %d", setrlimit(RLIMIT_AS, &wrong), errno == EINVAL);
    printf(" %d %d\n", prlimit(-1, RLIMIT_AS, &files, NULL), errno == ESRCH);
    return 3;
  }
  static char *before[2000]; // what is there already is not lost
  for (int i = 0; i < 2000; i++)
    memset(before[i] = malloc(i * 37), i, i * 37);
  for (int i = 1; i < 2000; i += 2)
    free(before[i]);
  limit(way, argv[2]);
  pthread_t thread;
  if (pthread_create(&thread, NULL, allocate, NULL) ||
      pthread_join(thread, NULL))
    return 5;
  char *map = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED)
    return 6;
  size_t got = fill();
  for (int i = 0; i < 2000; i += 2)
    for (int k = 0; k < i * 37; k += 50)
      if (before[i][k] != (char)i)
        return 7;
  char line[40];
  return write(1, line, sprintf(line, "%zu\n", got)) < 0;
}
