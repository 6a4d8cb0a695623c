// own-malloc-wraps.c - a program whose malloc wraps ours: nothing of the runtime's runs beside it until the first chunk comes, from then on a thread
// looks at resident memory as in any other, and so in its children: of a program and its child that give 9.5 MiB back before
// the end the peak is seen, but for a sixteenth, which is no reason to look again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -fno-builtin %s -o app -pthread && ./app > plain
// RUN: cd %t.d && %heapprof_run ./app > out 2> err && FileCheck %s < out && FileCheck --check-prefix=LINE %s < err && count 1 < err
// RUN: cd %t.d && ls -d heapprof.app.* | count 2 && for d in heapprof.app.*; do %heapprof_score --process $d > process && FileCheck --check-prefix=PEAK %s < process || exit 1; done
// What begins when many threads want their first chunk at once begins once; a child of vfork begins nothing.
// RUN: cd %t.d && %heapprof_run ./app race > out 2> err && FileCheck --check-prefix=RACE %s < out
// RUN: cd %t.d && %heapprof_run ./app vfork > out 2> err && FileCheck --check-prefix=VFORK %s < out
// What has hooks asks the coarse clock, which that thread keeps: a plug-in that was built with heapprof.
// RUN: cd %t.d && echo 'int x;' > plugin.c && %clang_heapprof -shared -fPIC plugin.c -o plugin.so && %heapprof_run ./app plugin > out 2> err && FileCheck --check-prefix=PLUGIN %s < out
// CHECK: before: 1 thread
// CHECK-NEXT: with chunks: more
// CHECK-NEXT: child: more
// LINE: heapprof-run: 2 profiles, the program's in heapprof.app.{{[0-9]+}}; next
// PEAK: RSS 1{{[0-9]+}} KiB = live {{8[5-9][0-9][0-9]|9[0-7][0-9][0-9]}} +
// RACE: before: 1 thread
// RACE-NEXT: our threads: {{[12]$}}
// VFORK: before: 1 thread
// VFORK-NEXT: behind vfork: 1 thread
// VFORK-NEXT: with chunks: more
// PLUGIN: before: 1 thread
// PLUGIN-NEXT: with hooks: more
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNKS 19
#define BYTES ((size_t)512 * 1024)
#define THREADS 8

/* Until the program says so it allocates from here, as the loader and stdio do. */
static char memory[1 << 20] __attribute__((aligned(16)));
static size_t used;
static int wraps;

static int is_own(const void *p) {
  return (const char *)p >= memory && (const char *)p < memory + sizeof memory;
}

void *malloc(size_t n) {
  static void *(*next)(size_t);
  if (__atomic_load_n(&wraps, __ATOMIC_ACQUIRE)) {
    if (!next)
      next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    return next(n);
  }
  return memory +
         __atomic_fetch_add(&used, (n + 15) & ~(size_t)15, __ATOMIC_RELAXED);
}

void *calloc(size_t n, size_t size) {
  void *p = malloc(n * size);
  return p ? memset(p, 0, n * size) : p;
}

void *realloc(void *old, size_t n) {
  static void *(*next)(void *, size_t);
  if (!old || is_own(old))
    return malloc(n); /* of stdio's, which has none to keep */
  if (!next)
    next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
  return next(old, n);
}

void free(void *p) {
  static void (*next)(void *);
  if (!p || is_own(p))
    return;
  if (!next)
    next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
  next(p);
}

static unsigned threads(void) {
  struct stat tasks;
  if (stat("/proc/self/task", &tasks) != 0)
    exit(2);
  return (unsigned)tasks.st_nlink - 2;
}

static void say(const char *who) {
  printf("%s: %s\n", who, threads() == 1 ? "1 thread" : "more");
  fflush(stdout);
}

static void work(const char *who) {
  static char *chunks[CHUNKS];
  for (int i = 0; i < CHUNKS; i++)
    memset(chunks[i] = malloc(BYTES), 1, BYTES);
  say(who);
  usleep(500000);
  for (int i = 0; i < CHUNKS; i++)
    free(chunks[i]);
}

static pthread_barrier_t all, over;

static void *allocate(void *unused) {
  pthread_barrier_wait(&all);
  free(malloc(100));
  pthread_barrier_wait(&over);
  return unused;
}

static int race(void) {
  pthread_t ids[THREADS];
  pthread_barrier_init(&all, 0, THREADS + 1);
  pthread_barrier_init(&over, 0, THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&ids[i], 0, allocate, NULL);
  __atomic_store_n(&wraps, 1, __ATOMIC_RELEASE);
  pthread_barrier_wait(&all);
  usleep(200000);
  printf("our threads: %u\n", threads() - THREADS - 1);
  pthread_barrier_wait(&over);
  for (int i = 0; i < THREADS; i++)
    pthread_join(ids[i], NULL);
  return 0;
}

static int behind_vfork(void) {
  wraps = 1;
  const pid_t child = vfork();
  if (child == 0) {
    free(malloc(100));
    _exit(0);
  }
  waitpid(child, NULL, 0);
  say("behind vfork");
  work("with chunks");
  return 0;
}

static int plugin(void) {
  if (!dlopen("./plugin.so", RTLD_NOW))
    return 3;
  say("with hooks");
  return 0;
}

int main(int argc, char **argv) {
  int status = 1;
  say("before");
  if (argc > 1)
    return strcmp(argv[1], "race") == 0     ? race()
           : strcmp(argv[1], "plugin") == 0 ? plugin()
                                            : behind_vfork();
  wraps = 1;
  work("with chunks");
  const pid_t child = fork();
  if (child == 0) {
    work("child");
    exit(0);
  }
  waitpid(child, &status, 0);
  return status != 0;
}
