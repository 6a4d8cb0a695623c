// troubles.c - limits, a dump_dir that goes, chroot, another user: the program's result, and the dump or one line.
// What the limits leave is the same with and without us, or the program says only that they are there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: for way in removed replaced; do %survives opts=checkpoint_ms=0 allocations=1+ -- $way || exit 1; done
// Once the dump was begun, that one is gone.
// RUN: %survives opts=chunk_log=all unread "stderr=cannot write the dump: .*: No such file or directory; .*dump_dir=" -- cleared
//
// RUN: %survives allocations=1+ -- memory
// What writes has descriptors of its own; where it may have none, that is said.
// RUN: %survives allocations=1+ -- files
// RUN: %survives unread "stderr=cannot write the dump: .*: Too many open files; .*ulimit -n" -- no_files
//
// Steps of the wall clock.
// RUN: %clang -w -shared -fPIC -DCLOCK %s -o %t.clock.so -ldl
// RUN: env LD_PRELOAD=%t.clock.so %t.plain clock 0; test $? = 3 && rm -rf %t.d && mkdir %t.d
// RUN: env LD_PRELOAD=%t.clock.so HEAPPROF_OPTIONS=dump_dir=%t.d %t clock 0; test $? = 3
// RUN: %heapprof_score --json %t.d > %t.json && %python -c 'import json, sys; \
// RUN:   d = json.load(open(sys.argv[1])); p = d["processes"][0]; \
// RUN:   print(p["allocations"] > 100 and 0 < p["window_ns"] < 60e9)' %t.json | grep -x True
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef CLOCK

// An hour back or forth at every reading.
int clock_gettime(clockid_t clock, struct timespec *time) {
  static int readings;
  int (*real)(clockid_t, struct timespec *) =
      (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (clock == CLOCK_REALTIME)
    time->tv_sec += readings++ % 2 ? 3600 : -3600;
  return result;
}

#else

static int is(const char *way, const char *name) { return !strcmp(way, name); }

static void allocate(void) {
  for (int i = 0; i < 10000; i++)
    free(malloc(100));
}

// Until the dump was begun.
static void await_log(const char *dumps) {
  char path[4200];
  snprintf(path, sizeof path, "%s/heapprof.%s.%d/chunks", dumps,
           program_invocation_short_name, (int)getpid());
  do
    allocate();
  while (getenv("HEAPPROF_OPTIONS") && access(path, F_OK));
}

static int remove_all(const char *path) {
  char command[8500];
  // Again, if a checkpoint came between.
  snprintf(command, sizeof command,
           "while test -e '%s'; do rm -rf '%s' 2> /dev/null; done", path, path);
  return system(command);
}

int main(int argc, char **argv) {
  const char *way = argv[1], *dumps = getenv("DUMP_DIR");
  char *volatile p = malloc(10);
  if (is(way, "clock"))
    allocate();
  if (is(way, "removed")) // before there is anything in it
    remove_all(dumps);
  if (is(way, "cleared")) {
    await_log(dumps);
    remove_all(dumps);
    allocate();
  }
  if (is(way, "replaced")) {
    remove_all(dumps);
    mkdir(dumps, 0755);
    allocate();
  }
  if (is(way, "memory")) { // 1 GiB more than now is more than enough for us
    struct rlimit limit;
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    fscanf(f, "%lu", &pages);
    fclose(f);
    limit.rlim_cur = limit.rlim_max = pages * 4096 + (1ul << 30);
    setrlimit(RLIMIT_AS, &limit);
    char *volatile big = malloc(2ul << 30);
    printf("%d\n", errno == ENOMEM || big);
    errno = 0;
    for (int i = 0; i < 100; i++)
      if (!(p = malloc(100000)))
        return 1;
      else
        p[i] = 1;
    printf("%d\n", errno);
  }
  if (is(way, "files")) {
    while (dup(0) >= 0)
      ;
    printf("%d\n", errno);
  }
  if (is(way, "no_files")) {
    struct rlimit limit = {0, 0};
    printf("%d\n", setrlimit(RLIMIT_NOFILE, &limit));
  }
  return 3;
}

#endif
