// arenas.c - glibc's own figures beside what was measured: of holes that are known by hand, and of three threads with arenas of their own.
// Each second chunk of 1008 bytes, with its head, is free: 1000 holes between chunks that live, of which a thread's cache keeps seven.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O1 -fno-builtin -pthread %s -o %t
// RUN: env GLIBC_TUNABLES=glibc.malloc.tcache_count=0 %heapprof_allocators --repeat 1 --no-count --with glibc,jemalloc --json -o %t.json %t > %t.own && %python %S/Inputs/arenas.py %t.json %t.own 0
// RUN: env GLIBC_TUNABLES=glibc.malloc.tcache_count=7 %heapprof_allocators --repeat 1 --no-count --with glibc,jemalloc --json -o %t.json %t > %t.own && %python %S/Inputs/arenas.py %t.json %t.own 7
// RUN: %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.allocators.schema.json %t.json
// RUN: %heapprof_allocators --repeat 1 --no-count --with glibc,jemalloc %t threads 2>&1 > /dev/null | FileCheck %s
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNKS = 2000, BYTES = 1000, LARGE = 1 << 20, THREADS = 3 };

static char *chunks[CHUNKS];
static void *large;
static pthread_barrier_t all;

/* Each has its arena, as all live at once. */
static void *work(void *argument) {
  (void)argument;
  chunks[0] = malloc(BYTES);
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  return NULL;
}

static void threads(void) {
  pthread_t thread[THREADS];
  pthread_barrier_init(&all, NULL, THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, work, NULL) != 0)
      abort();
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
}

int main(int argc, char **argv) {
  char text[200];
  (void)argv;
  large = malloc(LARGE);
  for (int i = 0; i < CHUNKS; i++)
    chunks[i] = malloc(BYTES);
  for (int i = 0; i < CHUNKS; i += 2)
    free(chunks[i]);
  if (argc > 1)
    threads();
  struct mallinfo2 own = mallinfo2();
  int length = snprintf(text, sizeof text, "%zu %zu %zu %zu %zu %zu %d %d %d\n",
                        own.arena, own.hblkhd, own.hblks, own.uordblks,
                        own.fordblks, own.ordblks, CHUNKS, BYTES, LARGE);
  return write(1, text, (size_t)length) != length;
}

// CHECK: glibc's own figures at the end (mallinfo2, malloc_info), and what was measured:
// CHECK-NEXT: glibc {{.*}}arenas 4: heap {{[0-9.]+[KM]iB}} + mmap 1.00MiB (mapped {{.*}}); in use {{[0-9.]+}}MiB (usable {{[0-9.]+}}MiB, heads, cached {{.*}}); free {{.*}} in {{.*}} chunks, of it {{.*}} at the top
// CHECK-NOT: jemalloc {{.*}}arenas
// CHECK: recommended:
