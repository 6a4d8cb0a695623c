// counts.c - calls of brk, mmap, munmap, mremap and madvise are those that strace counts, with two threads as well.
// Only those of the program's own process: what it starts is followed, and not counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With one arena, as how often a new one is cut to its place depends on where the system put it.
// REQUIRES: strace
// RUN: %clang -O1 -fno-builtin -pthread %s -o %t
// RUN: env GLIBC_TUNABLES=glibc.malloc.arena_max=1 %heapprof_allocators --repeat 1 --with glibc --json -o %t.json %t
// RUN: env GLIBC_TUNABLES=glibc.malloc.arena_max=1 strace -f -o %t.glibc -e trace=brk,mmap,munmap,mremap,madvise %t
// RUN: %python %S/Inputs/counts.py %t.json %t.glibc
// RUN: %heapprof_allocators --repeat 1 --no-meter --with glibc --json -o %t.json sh -c '%t; %t; exit 0' && strace -o %t.glibc -e trace=brk,mmap,munmap,mremap,madvise sh -c '%t; %t; exit 0'
// RUN: %python %S/Inputs/counts.py %t.json %t.glibc
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *argument) {
  char *kept[500];
  for (int i = 0; i < 500; i++)
    memset(kept[i] = malloc(1000 + 7 * (size_t)i), i, 8);
  kept[0] = realloc(kept[0], 1 << 20);
  kept[0] = realloc(kept[0], 3 << 20);
  for (int i = 0; i < 500; i++)
    free(kept[i]);
  return argument;
}

int main(void) {
  pthread_t thread;
  work(NULL);
  if (pthread_create(&thread, NULL, work, NULL) != 0)
    return 1;
  return pthread_join(thread, NULL);
}
