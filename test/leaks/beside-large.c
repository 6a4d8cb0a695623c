/* beside-large.c - an arena right below a chunk that glibc maps for itself, so that the system has one range of both: what only the arena points
   to is not lost, and what nothing points to is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app
// RUN: cd %t.d && for aligned in 16 4096; do rm -rf heapprof.* && %heapprof_run --allocator=program ./app $aligned 2> err && %heapprof_score --findings --limit 0 heapprof.* | tr -s '\n ' ' ' | FileCheck %s || exit 1; done
// CHECK: Fact: {{9|10}} chunks of 300 B from lose (beside-large.c:{{[0-9]+}}) are lost: nothing points to them
// CHECK-NOT: are lost
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIZE ((size_t)1 << 20)
#define TRIES 64
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static char *large[TRIES];

/* Below the chunk at AT, whose head is right ahead of it, or a page further where it was to be aligned. */
static void **arena_below(const char *at) {
  char *end = (char *)(((uintptr_t)at - 16) & ~(uintptr_t)4095);
  void *p = mmap(end - SIZE, SIZE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

__attribute__((noinline)) static void keep(void **arena) {
  for (int i = 0; i < 100; i++)
    arena[i] = malloc(200);
}

__attribute__((noinline)) static void lose(void) {
  for (int i = 0; i < 10; i++) {
    char *volatile p = malloc(300);
    p[0] = 1;
  }
}

__attribute__((noinline)) static void clear_stack(void) {
  volatile char room[4096];
  for (size_t i = 0; i < sizeof room; i++)
    room[i] = 0;
}

int main(int count, char **arguments) {
  const size_t alignment = (size_t)atoi(arguments[count - 1]);
  void **arena = NULL;
  for (int i = 0; i < TRIES && !arena; i++) {
    large[i] = alignment > 16 ? aligned_alloc(alignment, SIZE) : malloc(SIZE);
    memset(large[i], 1, SIZE);
    arena = arena_below(large[i]);
  }
  if (!arena)
    return 1;
  keep(arena);
  lose();
  clear_stack();
  arena = NULL;
  return 0;
}
