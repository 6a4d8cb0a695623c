/* mapped.c - chunks that only memory points to which the program mapped itself: an arena, the stack of a
   coroutine, what a raw call mapped, shared and frozen memory, a file's private copy.  Beside them what a thread left on its stack, and what is in a file.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread && %run %t && %check_leaks
// RUN: %clang_heapprof -O0 -g %s -o %t -pthread && %run %t && %check_leaks
// What was mapped before the window is looked at as well.
// RUN: %clang_heapprof -O1 -g -DLATE %s -o %t -pthread && %env_heapprof_opts=start=0 %run %t && %check_leaks
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef LATE
#include <sanitizer/heapprof_interface.h>
#endif

struct node {
  struct node *next;
  char rest[56];
};

/* A node and what hangs from it. */
static struct node *chain(void) {
  struct node *first = calloc(1, sizeof *first);
  first->next = calloc(1, sizeof *first);
  return first;
}

#define KIND(name)                                                             \
  __attribute__((noinline)) static struct node *name(void) {                   \
    struct node *first = chain();                                              \
    __asm__ volatile("" ::: "memory");                                         \
    return first;                                                              \
  }
KIND(in_arena)     // LEAK in_arena reachable=2
KIND(in_raw)       // LEAK in_raw reachable=2
KIND(in_shared)    // LEAK in_shared reachable=2
KIND(in_frozen)    // LEAK in_frozen reachable=2
KIND(in_break)     // LEAK in_break reachable=2
KIND(in_coroutine) // LEAK in_coroutine reachable=2
KIND(on_own_stack) // LEAK on_own_stack reachable=2
KIND(left)         // LEAK left lost=1 indirect=1 held=1
KIND(in_copy)      // LEAK in_copy reachable=2
KIND(in_file)      // LEAK in_file lost=1 indirect=1 held=1
KIND(in_unmapped)  // LEAK in_unmapped lost=1 indirect=1 held=1
KIND(forgotten)    // LEAK forgotten lost=10 indirect=10 held=10
KIND(last)         // may still be in a register that nobody uses

#define SIZE ((size_t)1 << 20)
static ucontext_t back, coroutine;
/* Nothing else points into what is mapped. */
static unsigned long hidden[10];

static struct node **map(int flags) {
  void *p =
      mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    exit(1);
  return p;
}

/* It never comes back from here. */
static void suspended(void) {
  struct node *volatile mine[4] = {NULL, in_coroutine()};
  swapcontext(&coroutine, &back);
  mine[1]->next = NULL;
}

/* What is far below where it ends is not written again. */
__attribute__((noinline)) static void leave(void) {
  struct node *volatile room[2048];
  room[1024] = left();
}

static void *end_soon(void *arg) {
  leave();
  return arg;
}

static void *stay(void *arg) {
  struct node *volatile mine[4] = {NULL, on_own_stack()};
  pthread_barrier_wait(arg);
  for (;;)
    pause();
  return mine[1];
}

__attribute__((noinline)) static void fill(struct node ***maps) {
  maps[0][1000] = in_arena();
  maps[1][1000] = in_raw();
  maps[2][1000] = in_shared();
  maps[3][1000] = in_frozen();
  mprotect(maps[3], SIZE, PROT_READ);
  maps[4][10] = in_break();
  maps[5][1000] = in_unmapped();
  munmap(maps[5], SIZE);
  maps[8][1000] = in_copy();
  maps[9][1000] = in_file();
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = maps[6];
  coroutine.uc_stack.ss_size = SIZE;
  makecontext(&coroutine, suspended, 0);
  swapcontext(&back, &coroutine);
  struct node *volatile gone = NULL;
  for (int i = 0; i < 10; i++)
    gone = forgotten();
  gone = last();
  gone = NULL;
}

static void start_threads(void *stack) {
  static pthread_barrier_t barrier;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  if (pthread_create(&thread, NULL, end_soon, NULL) != 0)
    exit(1);
  pthread_join(thread, NULL);
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, SIZE);
  if (pthread_create(&thread, &attributes, stay, &barrier) != 0)
    exit(1);
  pthread_barrier_wait(&barrier);
}

/* What was on the stack below main is not there any more. */
__attribute__((noinline)) static void sweep(void) {
  volatile char room[1 << 16];
  memset((char *)room, 0, sizeof room);
}

int main(void) {
  struct node **maps[10];
  for (int i = 0; i < 8; i++)
    maps[i] = map(i == 2 ? MAP_SHARED : MAP_PRIVATE);
  munmap(maps[1], SIZE);
  maps[1] =
      (struct node **)syscall(SYS_mmap, NULL, SIZE, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  maps[4] = sbrk(4096);
  const int file = fileno(tmpfile());
  if (ftruncate(file, SIZE) != 0)
    return 1;
  for (int i = 8; i < 10; i++)
    maps[i] = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                   i == 8 ? MAP_PRIVATE : MAP_SHARED, file, 0);
#ifdef LATE
  __heapprof_start();
#endif
  fill(maps);
  start_threads(maps[7]);
  for (int i = 0; i < 10; i++)
    hidden[i] = ~(unsigned long)maps[i];
  memset(maps, 0, sizeof maps);
  sweep();
  return hidden[0] == 0;
}
