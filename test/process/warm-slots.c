// warm-slots.c - large chunks that are made and freed again and again, and buffers that realloc makes larger, take few page faults; calloc's are
// zero all the same, nothing of a buffer is lost, and pages are told of those chunks alone that began without any.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t && mkdir %t && cd %t && %clang_heapprof -O1 -g %s -o built && %clang -O1 -g %s -o plain
// RUN: cd %t && ./built | FileCheck %s
// RUN: cd %t && HEAPPROF_OPTIONS=sample_every=1000:dump_dir=sampled ./built | FileCheck %s
// RUN: cd %t && %heapprof_run -o run -- ./plain | FileCheck %s
// CHECK:      full: few faults
// CHECK-NEXT: smaller: few faults
// CHECK-NEXT: grown: few faults
// CHECK-NEXT: calloc: zero
// CHECK-NEXT: realloc: kept
// CHECK-NEXT: trim: 1, then 0
//
// Of 400 the first 17 are known, and one in 16 of the others.  Of a buffer that is touched by half each one is, and of all if that is asked for.
// RUN: cd %t && %heapprof_score --limit 0 --json run > json && %python %S/../run/Inputs/pages.py full half < json | FileCheck --check-prefix=PAGES %s
// PAGES:      full: 40 of 8192000, touched 8192000, in memory 0, unused 0, sparse 0 of 0
// PAGES-NEXT: half: 100 of 20480000, touched {{8|9}}{{[0-9]+}}, in memory 0, unused 0, sparse 100 of 20480000
// RUN: cd %t && rm -rf run && %heapprof_run --page-facts -o run -- ./plain > out
// RUN: cd %t && %heapprof_score --limit 0 --json run > json && %python %S/../run/Inputs/pages.py full half < json | FileCheck --check-prefix=ALL %s
// ALL:      full: 400 of 81920000, touched 81920000, in memory 0, unused 0, sparse 0 of 0
// ALL-NEXT: half: 100 of 20480000, touched {{8|9}}{{[0-9]+}}, in memory 0, unused 0, sparse 100 of 20480000
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define SITE __attribute__((noinline))
#define SIZE ((size_t)50 * 4096)

static long faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

static void say_faults(const char *what, long since, long most) {
  const long taken = faults() - since;
  if (taken <= most)
    printf("%s: few faults\n", what);
  else
    printf("%s: %ld faults\n", what, taken);
}

SITE static char *full(void) {
  char *volatile p = aligned_alloc(4096, SIZE);
  return p;
}
SITE static char *half(void) {
  char *volatile p = aligned_alloc(4096, SIZE);
  return p;
}

/* Plainly 20,000 with memory that is mapped each time. */
static void fill_again(void) {
  const long since = faults();
  for (int i = 0; i < 400; i++) {
    char *p = full();
    memset(p, i, SIZE);
    free(p);
  }
  say_faults("full", since, 5000);
}

static void touch_half_again(void) {
  for (int i = 0; i < 100; i++) {
    char *p = half();
    memset(p, i, SIZE * 2 / 5);
    free(p);
  }
}

/* No pages are told of so small ones, but of a few without hooks. */
static void fill_smaller(void) {
  const long since = faults();
  for (int i = 0; i < 2000; i++) {
    char *volatile p = malloc(100000);
    memset(p, i, 100000);
    free(p);
  }
  say_faults("smaller", since, 5000);
}

/* Copied each time it would be 500,000. */
static void grow(void) {
  const long since = faults();
  const size_t step = 65536;
  char *volatile p = NULL;
  for (size_t i = 1; i <= 250; i++) {
    p = realloc(p, i * step);
    memset(p + (i - 1) * step, 1, step);
  }
  say_faults("grown", since, 20000);
  free(p);
}

static int is_all(const unsigned char *p, size_t size, unsigned char value) {
  for (size_t i = 0; i < size; i++)
    if (p[i] != value)
      return 0;
  return 1;
}

static void ask_for_zero(void) {
  int good = 1;
  for (size_t size = 60000; size < (size_t)40 << 20; size += size / 3) {
    for (int i = 0; i < 40 && i < 2 + (1 << 24) / (int)size; i++) {
      unsigned char *volatile dirty = malloc(size);
      memset(dirty, 0xee, size);
      free(dirty);
      unsigned char *volatile p = calloc(size / 4, 4);
      good &= is_all(p, size / 4 * 4, 0);
      memset(p, 0xdd, size / 4 * 4);
      free(p);
    }
  }
  puts(good ? "calloc: zero" : "calloc: NOT ZERO");
}

/* Up and down, between slots and in them. */
static void resize(void) {
  int good = 1;
  uint32_t random = 1;
  size_t size = 1;
  unsigned char *volatile p = malloc(size);
  p[0] = 7;
  for (int i = 0; i < 300; i++) {
    random = random * 1664525 + 1013904223;
    const size_t next = 1 + (random >> 10) % (i % 3 ? 3000000 : 300000);
    const size_t kept = next < size ? next : size;
    p = realloc(p, next);
    good &= is_all(p, kept, 7);
    memset(p, 7, next);
    size = next;
  }
  free(p);
  puts(good ? "realloc: kept" : "realloc: LOST");
}

int main(void) {
  fill_again();
  fill_smaller();
  grow();
  ask_for_zero();
  resize();
  touch_half_again();
  const int first = malloc_trim(0), then = malloc_trim(0);
  printf("trim: %d, then %d\n", first, then);
  return 0;
}
