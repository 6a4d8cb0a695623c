// hooks-ahead-of-frame.c - a function that needs its frame in a rare branch only has hooks ahead of it, where the stack is not aligned.
// A thread's first access is one of them, for which the runtime makes ready all that it keeps of a thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %heapprof_clang -fsanitize=heapprof -O2 -mllvm -heapprof-assembly=1 -S -o - %s | FileCheck %s --check-prefix=CODE
// RUN: %clang_heapprof -O2 -mllvm -heapprof-assembly=1 -pthread %s -o %t && %run %t
// RUN: %clang_heapprof -O2 -mllvm -heapprof-assembly=1 -fPIC -pthread %s -o %t && %run %t
// CODE-LABEL: {{^}}fill:
// CODE-NOT: push
// CODE-COUNT-2: callq __heapprof_slow_word_
// CODE: push
// CODE: callq rare
#include <pthread.h>
#include <stdlib.h>

struct object {
  int number[10];
};

static struct object *one, *other;
int rare_calls;

__attribute__((noinline)) void rare(struct object *object, int n) {
  rare_calls += n + object->number[9];
}

__attribute__((noinline)) int fill(struct object *p, struct object *q, int n) {
  p->number[0] = n;
  q->number[1] = n;
  p->number[2] = q->number[3] + 1;
  q->number[4] = n;
  p->number[7] = q->number[8];
  if (__builtin_expect(n == 77777, 0)) {
    rare(p, n);
    rare(q, n);
    return p->number[0] + q->number[0];
  }
  return n;
}

static void *work(void *argument) {
  for (int i = 0; i < 100; i++)
    fill(one, other, i);
  return argument;
}

int main(void) {
  pthread_t thread;
  one = calloc(1, sizeof *one);
  other = calloc(1, sizeof *other);
  fill(one, other, 77777);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  free(one);
  free(other);
  return rare_calls != 77777 * 2;
}
