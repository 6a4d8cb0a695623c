/* rests.c - the runtime's threads let a program without hooks be: they sleep 8 ms at a time.
   As soon as a library with hooks is loaded they renew the clock that its accesses ask, twice a millisecond.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t && mkdir %t && cd %t && %clang_heapprof -O1 -DPLUGIN -shared -fPIC %s -o plugin.so
// RUN: cd %t && %clang -O1 %s -o app -ldl && %heapprof_run ./app | FileCheck %s
// What is asked for at so many bytes is looked for as often as before.
// RUN: cd %t && %heapprof_run --dump_at_bytes=1000000000 ./app asked | FileCheck --check-prefix=ASKED %s
// CHECK: without hooks: rests
// CHECK: with hooks: awake
// ASKED: without hooks: awake
// ASKED: with hooks: awake
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef PLUGIN
int plugin(const int *p) { return *p; }
#else
#define WINDOW_MS 200
#define WINDOWS 100

static long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* How often a thread of the process went to sleep; all but the first are the runtime's. */
static long sleeps_of(long thread) {
  char name[64], line[128];
  long sleeps = 0;
  snprintf(name, sizeof name, "/proc/self/task/%ld/status", thread);
  FILE *file = fopen(name, "r");
  while (file && fgets(line, sizeof line, file))
    sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
  if (file)
    fclose(file);
  return sleeps;
}

static long sleeps(void) {
  long sum = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks));)
    if (entry->d_name[0] != '.' && atol(entry->d_name) != getpid())
      sum += sleeps_of(atol(entry->d_name));
  closedir(tasks);
  return sum;
}

/* A loaded machine lets threads sleep less often than they would: it is awake if it was in
   one of so many windows. */
static int is_awake(int windows) {
  for (int i = 0; i < windows; i++) {
    const long before = sleeps(), begun = now_ms();
    while (now_ms() - begun < WINDOW_MS)
      usleep(1000);
    if (sleeps() - before > (now_ms() - begun) / 4 + 10)
      return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  printf("without hooks: %s\n",
         is_awake(argc > 1 ? WINDOWS : 2) ? "awake" : "rests");
  if (!dlopen("./plugin.so", RTLD_NOW | RTLD_GLOBAL))
    printf("%s\n", dlerror());
  printf("with hooks: %s\n", is_awake(WINDOWS) ? "awake" : "rests");
  return 0;
}
#endif
