// Arguments and results: structs by value, variable arguments, function
// pointers, variable-length arrays.  What is on the stack is not counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t && %check_counts
// OTHER chunks=0
#include <alloca.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct big {
  long v[8];
};

static long third(struct big b) { return b.v[2]; }

static struct big make(long n) {
  struct big b = {{n, n, n, n, n, n, n, n}};
  return b;
}

static struct big give(const struct big *p) { return *p; }

static void structs_by_value(void) {
  // Written by make's result; read by the call of third and by give's return.
  // POINT chunks=1 bytes=64 reads=2 writes=1 accessed=64
  struct big *p = malloc(sizeof *p);
  *p = make(7);
  long sum = third(*p);
  struct big copy = give(p);
  sum += copy.v[1];
  free(p);
  (void)sum;
}

static long sum_of(int n, ...) {
  va_list list;
  long sum = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++)
    sum += va_arg(list, struct big).v[0];
  va_end(list);
  return sum;
}

static void variable_arguments(void) {
  // Each call copies the struct onto the stack twice.
  // POINT chunks=1 bytes=64 reads=2+2 writes=1 accessed=64
  struct big *p = malloc(sizeof *p);
  memset(p, 1, sizeof *p);
  long sum = sum_of(2, *p, *p) + sum_of(2, *p, *p);
  free(p);
  (void)sum;
}

static int list_on_heap(int n, ...) {
  // va_start writes its 24 bytes, va_copy reads them.  An int in a register
  // is fetched by reading the offset (at 0) and the save area (at 16) and
  // writing the offset: of the first list twice, of the copy once.
  // POINT chunks=1 bytes=24 reads=1+2*2 writes=1+2 accessed=24
  va_list *list = malloc(sizeof *list);
  // POINT chunks=1 bytes=24 reads=2 writes=1+1 accessed=24
  va_list *copy = malloc(sizeof *copy);
  va_start(*list, n);
  va_copy(*copy, *list);
  int sum = va_arg(*list, int);
  sum += va_arg(*list, int);
  sum += va_arg(*copy, int);
  va_end(*copy);
  va_end(*list);
  free(copy);
  free(list);
  return sum;
}

static int one(void) { return 1; }
static int two(void) { return 2; }

static void function_pointers(void) {
  // 3 written; called 3 and once more.
  // POINT chunks=1 bytes=3*8 reads=4 writes=3 accessed=3*8
  int (**table)(void) = malloc(3 * sizeof *table);
  table[0] = one;
  table[1] = two;
  table[2] = one;
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += table[i]();
  sum += table[1]();
  free(table);
  (void)sum;
}

static void stack_arrays(int n) {
  int vla[n];
  int *area = alloca((size_t)n * sizeof *area);
  for (int i = 0; i < n; i++)
    vla[i] = area[i] = i;
  // One memcpy in, one out.
  // POINT chunks=1 bytes=20*4 reads=1 writes=1 accessed=20*4
  int *p = malloc((size_t)n * sizeof *p);
  memcpy(p, vla, (size_t)n * sizeof *p);
  memcpy(area, p, (size_t)n * sizeof *p);
  free(p);
  // Element by element.
  // POINT chunks=1 bytes=20*4 reads=20 writes=20 accessed=20*4
  int *q = malloc((size_t)n * sizeof *q);
  for (int i = 0; i < n; i++)
    q[i] = vla[i];
  for (int i = 0; i < n; i++)
    area[i] = q[i];
  free(q);
}

int main(void) {
  structs_by_value();
  variable_arguments();
  function_pointers();
  stack_arrays(20);
  return list_on_heap(2, 4, 5) == 13 ? 0 : 1;
}
