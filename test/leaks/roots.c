/* roots.c - from where a chunk can be reached: each kind of root holds one, and what hangs from it.
   Beside each its like that is lost.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread && %run %t && %check_leaks
// RUN: %clang_heapprof -O0 -g %s -o %t -pthread && %run %t && %check_leaks
// The same where nearly nothing is profiled: what is not is walked through as well.
// RUN: %env_heapprof_opts=sample_every=3:sample_seed=5 %run %t && %python %S/Inputs/no_reachable_is_lost.py %heapprof_score %dump
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
  struct node *next;
  char rest[56];
};

static struct node *make(void) { return calloc(1, sizeof(struct node)); }

/* A node and what hangs from it. */
static struct node *chain(void) {
  struct node *first = make();
  first->next = make();
  first->next->next = make();
  return first;
}

#define KIND(name)                                                             \
  __attribute__((noinline)) static struct node *name(void) {                   \
    struct node *first = chain();                                              \
    __asm__ volatile("" ::: "memory");                                         \
    return first;                                                              \
  }
KIND(in_data)        // LEAK in_data reachable=3
KIND(in_bss)         // LEAK in_bss reachable=3
KIND(in_static)      // LEAK in_static reachable=3
KIND(in_thread_data) // LEAK in_thread_data reachable=3
KIND(in_thread_bss)  // LEAK in_thread_bss reachable=3
KIND(in_key)         // LEAK in_key reachable=3
KIND(in_late_key)    // LEAK in_late_key reachable=3
KIND(on_stack)       // LEAK on_stack reachable=3
KIND(in_main)        // LEAK in_main reachable=3
KIND(inside)         // LEAK inside reachable=3
KIND(behind)         // LEAK behind reachable=3
KIND(with_tag)       // LEAK with_tag reachable=3
KIND(with_high_tag)  // LEAK with_high_tag reachable=3
KIND(in_moved)       // LEAK in_moved reachable=3
KIND(in_aligned)     // LEAK in_aligned reachable=3
KIND(in_large)       // LEAK in_large reachable=3
KIND(in_library)     // LEAK in_library reachable=3
KIND(forgotten)      // LEAK forgotten lost=1 indirect=2 held=2
KIND(overwritten)    // LEAK overwritten lost=10 indirect=20 held=20
KIND(beyond)         // LEAK beyond lost=1 indirect=2 held=2
KIND(disguised)      // LEAK disguised lost=1 indirect=2 held=2
KIND(last)           // may still be in a register that nobody uses

static struct node *data = (struct node *)1;
static struct node *bss;
static __thread struct node *thread_data = (struct node *)1;
static __thread struct node *thread_bss;
static char *interior, *end, *far;
static volatile uintptr_t tagged, high_tagged, hidden;
static struct node **moved, **aligned, **large;
static void *volatile empty;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* It runs until the end, and stands where its own node is on its stack. */
static void *stay(void *arg) {
  struct node *volatile mine[4] = {NULL, on_stack()};
  *(struct node *volatile *)arg = mine[1]->next;
  thread_data = in_thread_data();
  pthread_mutex_unlock(&lock);
  for (;;)
    pause();
  return mine[1];
}

__attribute__((noinline)) static void *zero(void) {
  void *volatile nothing = malloc(0); // LEAK zero reachable=1
  return nothing;
}

__attribute__((noinline)) static void lose(void) {
  struct node *volatile gone = forgotten();
  struct node *volatile again = NULL;
  for (int i = 0; i < 10; i++)
    again = overwritten();
  gone = again = NULL;
  far = (char *)beyond() + 4096;
  hidden = ~(uintptr_t)disguised();
  gone = last();
  gone = NULL;
}

/* What was on the stack below main is not there any more. */
__attribute__((noinline)) static void sweep(void) {
  volatile char room[1 << 16];
  memset((char *)room, 0, sizeof room);
}

int main(void) {
  struct node *volatile kept = in_main();
  static struct node *local;
  pthread_key_t key;
  pthread_t thread;
  void *out;
  data = in_data();
  bss = in_bss();
  local = in_static();
  thread_bss = in_thread_bss();
  pthread_key_create(&key, NULL);
  pthread_setspecific(key, in_key());
  for (int i = 0; i < 40; i++) /* those behind lie apart */
    pthread_key_create(&key, NULL);
  pthread_setspecific(key, in_late_key());
  interior = inside()->rest + 20;
  end = (char *)(behind() + 1);
  tagged = (uintptr_t)with_tag() | 5;
  high_tagged = (uintptr_t)with_high_tag() | (uintptr_t)0xfff9 << 48;
  moved = malloc(sizeof *moved);
  moved[0] = in_moved();
  moved = realloc(moved, 100000);
  aligned = aligned_alloc(4096, 4096);
  aligned[511] = in_aligned();
  large = malloc((size_t)64 << 20);
  large[(4 << 20) + 1] = in_large();
  setenv("HEAPPROF_TEST", "value", 1);
  static char buffer[1000];
  memcpy(buffer + 800, &(struct node *){in_library()}, sizeof(void *));
  __asm__ volatile("" : : "r"(buffer) : "memory");
  empty = zero();
  lose();
  pthread_mutex_lock(&lock);
  if (pthread_create(&thread, NULL, stay, &out) != 0)
    return 1;
  pthread_mutex_lock(&lock);
  sweep();
  (void)kept, (void)local;
  exit(kept == NULL); /* main's variables are still there */
}
