// A wrapper's chunk has the type that its caller asked for, and nobody else's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22, lld
// RUN: %each_build; do \
// RUN:   %clang_heapprof $flags %s -o %t && %run %t && %check_types || \
// RUN:     { echo "with $flags"; exit 1; }; done
#include <setjmp.h>
#include <stdlib.h>

struct Q {
  int a, b;
};
struct R {
  double d[3];
};

static void *kept[64];
static int count;
static jmp_buf back;
static void *cache;

static void keep(void *p) { kept[count++] = p; }

__attribute__((noinline)) void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}

void *level2(int flags, size_t n) { return flags ? xmalloc(n) : NULL; }
__attribute__((noinline)) void *level3(size_t n, int flags) {
  return level2(flags, n);
}

// Keeps the size before the chunk, which it takes for an array of numbers.
__attribute__((noinline)) void *with_size(size_t n) {
  long *p = malloc(n + sizeof(long));
  *p = (long)n;
  keep(p);
  return p + 1;
}

// Allocates something of its own first: which of the two the caller meant is
// not known, and a wrong type is worse than none.
__attribute__((noinline)) void *with_log(size_t n) {
  struct R *line = malloc(201); // TYPE 201 argument R
  keep(line);
  return level3(n, 1);
}

__attribute__((noinline)) void *cached(size_t n) {
  return cache ? cache : (cache = malloc(n));
}

// Returns to its caller's caller instead of allocating.
__attribute__((noinline)) void *gives_up(size_t n) {
  if (n > 1)
    longjmp(back, 1);
  return malloc(n);
}

int main(void) {
  struct Q *q = xmalloc(101); // TYPE 101 wrapper Q
  keep(q);
  keep((struct R *)xmalloc(102)); // TYPE 102 wrapper R
  struct R *deep = level3(103, 1); // TYPE 103 wrapper R
  keep(deep);
  struct R *sized = with_size(104); // TYPE 112 wrapper R
  (void)sized;
  struct Q *logged = with_log(105); // TYPE 105 -
  keep(logged);
  void *unasked = xmalloc(106); // TYPE 106 -
  keep(unasked);

  // The second call allocates nothing: what follows must not be an R.
  struct Q *first = cached(107); // TYPE 107 wrapper Q
  keep(first);
  struct R *second = cached(108);
  (void)second;
  void *after = malloc(109); // TYPE 109 -
  keep(after);

  if (setjmp(back) == 0) {
    struct Q *never = gives_up(110);
    keep(never);
  }
  void *landed = malloc(111); // TYPE 111 -
  keep(landed);

  struct Q *none = level3(113, 0);
  (void)none;
  void *last = malloc(114); // TYPE 114 -
  keep(last);
  for (int i = 0; i < count; i++)
    free(kept[i]);
  return 0;
}
