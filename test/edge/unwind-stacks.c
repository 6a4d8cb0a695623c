/* unwind-stacks.c - allocations on every kind of stack: threads', a signal's own, coroutines', deep and shallow.
   Captured stacks are those of the system's unwinder; coroutines' end at the end of their mapping.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -lpthread && %env_heapprof_opts=check_stacks=1 %run %t 2>&1 | FileCheck %s
// RUN: %expect %dump
// RUN: %env_heapprof_opts=check_stacks=1:fast_unwind_on_malloc=0 %run %t 2>&1 | FileCheck %s
// RUN: %env_heapprof_opts=check_stacks=1:malloc_context_size=3 %run %t 2>&1 | FileCheck %s
// CHECK: {{[1-9][0-9]*}} stacks compared, 0 differ
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

__attribute__((noinline)) static void allocate(int depth, size_t frame) {
  volatile char *p = alloca(frame);
  p[0] = 1;
  if (depth)
    allocate(depth - 1, frame);
  else
    free(malloc(100));
  p[frame - 1] = 1;
}
static void some(void) {
  for (int depth = 0; depth < 8; depth++)
    allocate(depth, depth & 1 ? 16 : 3000);
}

/* gcc and clang align such a frame, each in its own way. */
__attribute__((noinline)) static void aligned(int n) {
  volatile char block[64] __attribute__((aligned(128)));
  block[n] = 1;
  some();
  block[0] = block[n];
}

static ucontext_t back, there;
static void coroutine(void) {
  for (int round = 0;; round++) {
    some();
    aligned(round % 8);
    swapcontext(&there, &back);
  }
}
/* The mapping ends where the stack does. */
static void on_a_coroutine(size_t size) {
  char *stack =
      mmap(NULL, size + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(stack + 4096, size, PROT_READ | PROT_WRITE);
  getcontext(&there);
  there.uc_stack.ss_sp = stack + 4096;
  there.uc_stack.ss_size = size;
  makecontext(&there, coroutine, 0);
  for (int i = 0; i < 5; i++) {
    swapcontext(&back, &there);
    some();
  }
  munmap(stack, size + 8192);
}

static void handle(int number) {
  (void)number;
  some();
}
static void on_a_signals_stack(void) {
  char *memory = mmap(NULL, 1 << 17, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t stack = {.ss_sp = memory, .ss_size = 1 << 17};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < 3; i++)
    raise(SIGUSR1);
  action.sa_flags = 0;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, NULL);
}

static void *thread(void *arg) {
  (void)arg;
  some();
  allocate(2, 1 << 20);
  some();
  on_a_coroutine(1 << 18);
  on_a_signals_stack();
  return NULL;
}

int main(void) {
  some();
  aligned(3);
  on_a_coroutine(1 << 18);
  on_a_coroutine(1 << 17);
  on_a_signals_stack();
  allocate(3, 1 << 20);
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    if (pthread_create(&t, NULL, thread, NULL) == 0)
      pthread_join(t, NULL);
  }
  return 0;
}
// EXPECT: all({"main", "thread", "coroutine"} & {f.function for f in p.stack} for p in points("allocate"))
