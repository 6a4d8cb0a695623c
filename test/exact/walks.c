/* walks.c - pointers that walk through chunks, change places, or are on the heap at times: counted as by one hook for each access.
   Heapprof follows them from one turn of a loop to the next.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %forms %t -O2 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O3 -pthread %s && %compare %t | FileCheck %s
// CHECK: 315 chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

struct node {
  struct node *next;
  long key;
};

/* One chunk, its end unknown. */
static NOINLINE unsigned long hash(const char *p) {
  unsigned long sum = 5381;
  while (*p)
    sum = sum * 33 + (unsigned char)*p++;
  return sum;
}

/* Two, until they differ. */
static NOINLINE long same(const char *a, const char *b) {
  const char *start = a;
  while (*a && *a == *b)
    a++, b++;
  return a - start;
}

/* Backwards, and only now and then. */
static NOINLINE int last(const int *a, int n, int what) {
  for (const int *p = a + n; p-- != a;)
    if ((n & 3) || *p == what)
      return (int)(p - a);
  return -1;
}

/* The chunk changes in each turn. */
static NOINLINE long swap(long *a, long *b, int turns) {
  while (turns-- > 0) {
    *a += *b & 3;
    if (a[1] > 40)
      return *b;
    long *other = a;
    a = b;
    b = other;
  }
  return a[1];
}

/* Another chunk at the place of the one before. */
static NOINLINE long grow(long turns) {
  long *p = malloc(sizeof *p), sum = 0;
  *p = 1;
  for (long i = 1; i < turns; i++) {
    p = realloc(p, (size_t)(i + 1) * sizeof *p);
    p[i] = p[i - 1] + 1;
    sum += p[i / 2];
  }
  free(p);
  return sum;
}

/* Each chunk ends in its turn. */
static NOINLINE long drop(struct node *p) {
  long sum = 0;
  while (p) {
    struct node *next = p->next;
    sum += p->key;
    if (next)
      next->key++;
    free(p);
    p = next;
  }
  return sum;
}

/* Heap, stack, heap. */
static NOINLINE long either(char *heap, int turns) {
  char here[64];
  char *p = heap;
  memset(here, 1, sizeof here);
  while (turns-- > 0) {
    p[turns & 31]++;
    if (p[turns & 15] == 7)
      turns--;
    p = p == heap ? here : heap;
  }
  return here[3] + heap[3];
}

/* Out of one chunk into the other, which no valid program does. */
static NOINLINE long across(char *one, const char *other, int turns) {
  long distance = other - one, sum = 0;
  __asm__("" : "+r"(distance));
  for (char *p = one; turns-- > 0; p++) {
    sum += *p;
    if (sum & 1)
      sum += p[distance];
  }
  return sum;
}

/* Many ways through one loop, as an interpreter has: its code begins anew, and
   its stack is another chunk at times. */
static NOINLINE long interpret(const char *code, long *stack, long *spare,
                               int turns) {
  const char *pc = code;
  long *top = stack + 1, sum = 0;
  while (turns-- > 0) {
    if (pc - code > 250)
      pc = code;
    switch (*pc++ & 15) {
    case 1:
      top[0] = turns;
      break;
    case 2:
      top[1] += top[0];
      break;
    case 3:
      top[2] = top[1] ^ sum;
      break;
    case 4:
      if (top[0] > 3)
        pc += 2;
      break;
    case 5:
      sum += top[turns & 3];
      break;
    case 6:
      pc = code + (turns & 63);
      sum += *pc;
      break;
    case 7:
      top = top == spare ? stack + 1 : spare;
      break;
    case 8:
      if (--top[3] % 99 == 98)
        return sum + *pc;
      break;
    case 9:
      sum += same(code, pc) + top[1];
      break;
    default:
      sum ^= *pc + top[0];
    }
  }
  return sum + top[0];
}

static void *all(void *text) {
  struct node *list = NULL;
  for (int i = 0; i < 50; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    *fresh = (struct node){list, i};
    list = fresh;
  }
  char *copy = malloc(300);
  strcpy(copy, text);
  copy[200] = 'x';
  int *numbers = calloc(100, sizeof *numbers);
  numbers[7] = 9;
  long *a = calloc(2, sizeof *a), *b = calloc(3, sizeof *b);
  *a = 3;
  long *stack = calloc(6, sizeof *stack), *spare = calloc(5, sizeof *spare);
  unsigned long sum = 0;
  for (int i = 0; i < 200; i++) {
    sum += hash(copy + i % 50) + (unsigned long)same(text, copy);
    sum += (unsigned long)last(numbers, 96 + i % 5, i % 10);
    sum += (unsigned long)swap(a, b, i) + (unsigned long)either(copy, i / 4);
    sum += (unsigned long)across(copy, text, i);
    sum += (unsigned long)interpret(text, stack, spare, 7 * i);
  }
  sum += (unsigned long)(grow(100) + drop(list));
  free(copy);
  free(numbers);
  free(a);
  free(b);
  free(stack);
  free(spare);
  return (void *)sum;
}

int main(void) {
  char *text = malloc(300);
  for (int i = 0; i < 299; i++)
    text[i] = (char)('a' + i % 26);
  text[299] = 0;
  void *mine = all(text), *theirs;
  pthread_t thread;
  pthread_create(&thread, NULL, all, text);
  pthread_join(thread, &theirs);
  printf("%lu %lu\n", (unsigned long)mine, (unsigned long)theirs);
  free(text);
}
