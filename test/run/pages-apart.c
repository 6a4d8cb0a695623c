/* pages-apart.c - a chunk that got pages of its own is for the program as any other: alignment, usable size, zeroes, what realloc does
   and its end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -g %s -o app -pthread && %heapprof_run ./app 2> err | FileCheck %s
// RUN: cd %t && %heapprof_score --json heapprof.* | FileCheck --check-prefix=JSON %s
// CHECK:      apart: yes
// CHECK-NEXT: all as they should be
// JSON: "sampled_pages": {
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: " #condition "\n", __LINE__);                           \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static int apart;

static void look(char *p, size_t size) {
  CHECK(p && (uintptr_t)p % 16 == 0);
  CHECK(malloc_usable_size(p) == size);
  apart += (uintptr_t)p % 4096 == 0;
}

static void fill(char *p, size_t size) {
  for (size_t i = 0; i < size; i++)
    p[i] = (char)(i * 7 + size);
}

static void is_filled(const char *p, size_t size, size_t as) {
  for (size_t i = 0; i < size; i++)
    CHECK(p[i] == (char)(i * 7 + as));
}

static void *use(void *arg) {
  static const size_t sizes[] = {1,     24,    100,   4000,  4096,  9000,
                                 30000, 65535, 65536, 90112, 90113, 131071};
  for (unsigned i = 0; i < 600; i++) {
    const size_t size = sizes[i % 12], next = sizes[i * 5 % 12];
    char *p = malloc(size);
    look(p, size);
    fill(p, size);
    p = realloc(p, next);
    look(p, next);
    is_filled(p, size < next ? size : next, size);
    free(p);
    p = calloc(1, size);
    look(p, size);
    for (size_t k = 0; k < size; k++)
      CHECK(p[k] == 0);
    free(p);
    const size_t alignment = (size_t)16 << i % 10;
    p = aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
    CHECK((uintptr_t)p % alignment == 0);
    fill(p, size);
    free(p);
  }
  return arg;
}

int main(void) {
  use(NULL);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    CHECK(pthread_create(&threads[i], NULL, use, NULL) == 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  printf("apart: %s\n", apart > 5 ? "yes" : "no");
  puts("all as they should be");
  return 0;
}
