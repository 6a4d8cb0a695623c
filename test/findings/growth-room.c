// growth-room.c - frames of a record that ends in an array for the largest case: memory that has no room for one has no type.
// What grows beyond it is another point of the same call, and of the same chains, which are told to their end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: Fact: 3 buffers in push (growth-room.c:{{[0-9]+}}) grow up to 9 times, from 1.00 KiB to 512 KiB, and are copied each time: 15 allocations
#include <stdlib.h>
#include <string.h>

struct frame {
  size_t depth;
  size_t captures[16384];
};

struct stack {
  void *(*get)(size_t size, void *data);
  struct frame *frames;
  size_t size, used;
};

__attribute__((noinline)) static void *my_malloc(size_t size, void *data) {
  (void)data;
  return malloc(size);
}

__attribute__((noinline)) static void push(struct stack *s, size_t depth) {
  if (s->used + 16 > s->size) {
    struct frame *more = s->get(2 * s->size, NULL);
    memcpy(more, s->frames, s->used);
    free(s->frames);
    s->frames = more;
    s->size *= 2;
  }
  memset((char *)s->frames + s->used, (int)depth, 16);
  s->used += 16;
}

/* As a library has it, that takes its allocator from the program. */
__attribute__((noinline)) static long match(void *(*from)(size_t, void *),
                                            size_t first, size_t depth) {
  struct stack s = {.get = from, .frames = from(first, NULL), .size = first};
  for (size_t i = 0; i < depth; i++)
    push(&s, i);
  long sum = 0;
  for (size_t i = 0; i < s.used; i++)
    sum += ((char *)s.frames)[i];
  free(s.frames);
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  void *(*volatile from)(size_t, void *) = argc ? my_malloc : NULL;
  size_t depths[] = {25000, 1500, 1500};
  long sum = 0;
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
    sum += match(from, i ? 4096 : 1024, depths[i]);
  return sum == 1;
}
