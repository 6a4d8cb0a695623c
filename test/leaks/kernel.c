/* kernel.c - chunks that only the kernel has a pointer to: what epoll and a timer give back, and the stack
   of a signal's handlers.  Beside each its like that was taken back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread && %run %t && %check_leaks
// RUN: %clang_heapprof -O1 -g -DTHREAD %s -o %t -pthread && %run %t && %check_leaks
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define STACK ((size_t)1 << 16)
struct connection {
  int number;
  char *name;
};

static struct connection *open_one(void) {
  struct connection *one = calloc(1, sizeof *one);
  one->name = calloc(1, 20);
  return one;
}

#define KIND(name)                                                             \
  __attribute__((noinline)) static struct connection *name(void) {             \
    struct connection *one = open_one();                                       \
    __asm__ volatile("" ::: "memory");                                         \
    return one;                                                                \
  }
KIND(in_epoll)     // LEAK in_epoll reachable=6
KIND(out_of_epoll) // LEAK out_of_epoll lost=1 indirect=1 held=1
KIND(in_timer)     // LEAK in_timer reachable=2
KIND(out_of_timer) // LEAK out_of_timer lost=1 indirect=1 held=1
KIND(last)         // may still be in a register that nobody uses

__attribute__((noinline)) static void *handlers(void) {
  return malloc(STACK); // LEAK handlers reachable=1
}
__attribute__((noinline)) static void *earlier(void) {
  return malloc(STACK); // LEAK earlier lost=1
}

static int ends[4][2];

__attribute__((noinline)) static void watch(int epoll, int i, void *p) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = p};
  if (pipe(ends[i]) != 0 ||
      epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i][0], &event) != 0)
    exit(1);
  memset(&event, 0, sizeof event);
  __asm__ volatile("" : : "r"(&event) : "memory");
}

__attribute__((noinline)) static timer_t begin(void *p) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = SIGUSR1,
                           .sigev_value.sival_ptr = p};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
    exit(1);
  memset(&event, 0, sizeof event);
  __asm__ volatile("" : : "r"(&event) : "memory");
  return timer;
}

__attribute__((noinline)) static void set(void *p) {
  stack_t stack = {.ss_sp = p, .ss_size = STACK};
  if (sigaltstack(&stack, NULL) != 0)
    exit(1);
  memset(&stack, 0, sizeof stack);
  __asm__ volatile("" : : "r"(&stack) : "memory");
}

__attribute__((noinline)) static void give(int epoll) {
  for (int i = 0; i < 3; i++)
    watch(epoll, i, in_epoll());
  watch(epoll, 3, out_of_epoll());
  epoll_ctl(epoll, EPOLL_CTL_DEL, ends[3][0], NULL);
  (void)begin(in_timer());
  timer_delete(begin(out_of_timer()));
  set(earlier());
  set(handlers());
  (void)last();
}

/* What was on the stack below is not there any more. */
__attribute__((noinline)) static void sweep(void) {
  volatile char room[1 << 16];
  memset((char *)room, 0, sizeof room);
}

static pthread_barrier_t barrier;

static void *run(void *arg) {
  give(epoll_create1(0));
  sweep();
  if (!arg)
    return NULL;
  pthread_barrier_wait(arg);
  for (;;)
    pause();
}

int main(void) {
#ifdef THREAD
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  if (pthread_create(&thread, NULL, run, &barrier) != 0)
    return 1;
  pthread_barrier_wait(&barrier);
#else
  (void)barrier;
  run(NULL);
#endif
  return 0;
}
