/* packed.c - chunks that packed structures point to, from a global, from a chunk, in the middle of a large one and across its
   pages, from an arena, and by a number of an interpreter; beside them what nothing points to.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %check_leaks
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %check_leaks
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct __attribute__((packed)) record {
  char kind;
  struct record *next;
  char name[14];
};

static struct record *make(struct record *next) {
  struct record *one = calloc(1, sizeof *one);
  one->next = next;
  return one;
}

#define KIND(name)                                                             \
  __attribute__((noinline)) static struct record *name(void) {                 \
    struct record *first = make(make(make(NULL)));                             \
    __asm__ volatile("" : : "r"(first) : "memory");                            \
    return first;                                                              \
  }
KIND(in_global) // LEAK in_global reachable=3
KIND(in_large)  // LEAK in_large reachable=3000
KIND(in_arena)  // LEAK in_arena reachable=3
KIND(in_number) // LEAK in_number reachable=9
KIND(forgotten) // LEAK forgotten lost=10 indirect=20 held=20
KIND(last)      // may still be in a register that nobody uses

#define COUNT 1000
#define APART 509 /* bytes: at all places of a page */
static struct __attribute__((packed)) {
  char kind;
  struct record *first;
  char *large;
} all;
static char *arena;

__attribute__((noinline)) static void fill(void) {
  struct record *p = in_global();
  all.first = p;
  for (int i = 0; i < COUNT; i++) {
    p = in_large();
    memcpy(all.large + i * APART + 1, &p, sizeof p);
  }
  p = in_arena();
  memcpy(arena + 1001, &p, sizeof p);
  for (int bits = 1; bits <= 3; bits++)
    ((uint64_t *)arena)[bits] = (uint64_t)in_number() << bits;
  for (int i = 0; i < 10; i++)
    p = forgotten();
  p = last();
  __asm__ volatile("" : : "r"(p) : "memory");
}

/* What was on the stack below is not there any more. */
__attribute__((noinline)) static void sweep(void) {
  volatile char room[1 << 16];
  memset((char *)room, 0, sizeof room);
}

int main(void) {
  arena = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  all.large = calloc(COUNT + 1, APART);
  if (arena == MAP_FAILED || !all.large)
    return 1;
  fill();
  sweep();
  return 0;
}
