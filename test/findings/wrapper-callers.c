// wrapper-callers.c - who calls an xmalloc is no wrapper itself, however many types it makes or callers it has.
// Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact:
// CHECK-SAME: 64 chunks of 1.00 KiB (body) from set_up (wrapper-callers.c:{{[0-9]+}}) are never read
// CHECK-SAME: push (wrapper-callers.c:{{[0-9]+}}) allocates item of 16 B one after the other
// REPAIRED: no findings
#include <stdlib.h>

struct name {
  long text[4];
};
struct value {
  long number;
};
struct body {
  char code[1024];
};
struct item {
  struct item *next;
  long number;
};

static struct name *name;
static struct value *value;
static struct body *bodies[64];
static struct item *stack;

__attribute__((noinline)) void *xmalloc(size_t size) {
  void *memory = malloc(size);
  if (!memory)
    abort();
  return memory;
}

__attribute__((noinline)) void set_up(void) {
  name = xmalloc(sizeof *name);
  name->text[0] = name->text[3] = 1;
  value = xmalloc(sizeof *value);
  value->number = 1;
#ifndef REPAIRED
  for (int i = 0; i < 64; i++)
    bodies[i] = xmalloc(sizeof *bodies[i]);
#endif
}

__attribute__((noinline)) void push(long number) {
#ifdef REPAIRED
  static struct item only;
  struct item *item = &only;
#else
  struct item *item = xmalloc(sizeof *item);
#endif
  item->next = stack;
  item->number = number;
  stack = item;
}

__attribute__((noinline)) long pop(void) {
  struct item *item = stack;
  long number = item->number;
  stack = item->next;
#ifndef REPAIRED
  free(item);
#endif
  return number;
}

int main(void) {
  long sum = 0;
  set_up();
  for (int i = 0; i < 100; i++) {
    push(i);
    sum += pop();
    push(i + 1);
    sum += pop();
    push(i + 2);
    sum += pop();
    push(i + 3);
    sum += pop();
  }
  sum += name->text[0] + name->text[3] + value->number;
  free(name);
  free(value);
  for (int i = 0; i < 64; i++)
    free(bodies[i]);
  return sum == 1;
}
