// own-malloc-new.cpp - a program with a malloc of its own, true or a wrapper: operators new and delete go to it, as
// those of the C++ library do, in all forms, in exceptions and where there is no memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for flags in -fno-builtin ""; do \
// RUN:   %clangxx -w $flags -O1 %s -o %t.plain && %t.plain > %t.expected && %clangxx_heapprof -w $flags -O1 %s -o %t && \
// RUN:   %run %t > %t.out 2> %t.err && \
// RUN:   diff %t.expected %t.out && count 1 < %t.err && grep -q 'has a malloc of its own' %t.err || exit 1; done
// RUN: for flags in -fno-builtin ""; do \
// RUN:   %clangxx -DWRAPS -w $flags -O1 %s -o %t.plain && %t.plain > %t.expected && %clangxx_heapprof -DWRAPS -w $flags -O1 %s -o %t && \
// RUN:   %run %t > %t.out 2> %t.err && \
// RUN:   diff %t.expected %t.out && count 0 < %t.err || exit 1; done
// RUN: %heapprof_score --json %dump | %python -c 'import json, sys; p = json.load(sys.stdin)["processes"][0]; \
// RUN:   sys.exit(p["invalid_frees"] or p["allocations"] < 100)'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <new>
#include <string>
#include <vector>

static long mallocs, frees, aligned;
static bool refuses;

#ifdef WRAPS
static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }
static void *take(size_t n) {
  static void *(*real)(size_t);
  if (!real)
    real = (void *(*)(size_t))next("malloc");
  return real(n);
}
static void *take_aligned(size_t alignment, size_t n) {
  static void *(*real)(size_t, size_t);
  if (!real)
    real = (void *(*)(size_t, size_t))next("aligned_alloc");
  return real(alignment, n);
}
static void give(void *p) {
  static void (*real)(void *);
  if (!real)
    real = (void (*)(void *))next("free");
  real(p);
}
#else
static char memory[16 << 20] __attribute__((aligned(4096)));
static size_t used;
static void *take_aligned(size_t alignment, size_t n) {
  used = (used + 16 + alignment - 1) & ~(alignment - 1);
  char *p = memory + used;
  ((size_t *)p)[-1] = 0x600d;
  used += (n + 15) & ~(size_t)15;
  return p;
}
static void *take(size_t n) { return take_aligned(16, n); }
static void give(void *p) {
  if (((size_t *)p)[-1] != 0x600d)
    fprintf(stderr, "not mine\n");
  ((size_t *)p)[-1] = 0;
}
extern "C" void *calloc(size_t a, size_t b) {
  return memset(take(a * b), 0, a * b);
}
extern "C" void *realloc(void *p, size_t n) {
  void *q = take(n);
  return p ? memcpy(q, p, n) : q;
}
#endif

extern "C" void *malloc(size_t n) {
  mallocs++;
  return refuses ? NULL : take(n);
}
extern "C" void *aligned_alloc(size_t alignment, size_t n) {
  aligned += 1 + (n % alignment ? 1000 : 0);
  return refuses ? NULL : take_aligned(alignment, n);
}
extern "C" void free(void *p) {
  if (!p)
    return;
  frees++;
  give(p);
}

struct alignas(256) Wide {
  char bytes[300];
};

static void show(const char *what) {
  printf("%s: %ld %ld %ld\n", what, mallocs, aligned, frees);
  mallocs = aligned = frees = 0;
}

static int handled;
static void handler() {
  if (++handled == 3)
    refuses = false;
}

int main() {
  setvbuf(stdout, NULL, _IONBF, 0);
  mallocs = aligned = frees = 0;
  int *volatile a = new int;
  delete a;
  a = new int[100];
  delete[] a;
  a = new (std::nothrow) int;
  operator delete(a, std::nothrow);
  a = new (std::nothrow) int[7];
  operator delete[](a, std::nothrow);
  show("plain forms");
  Wide *volatile w = new Wide;
  delete w;
  w = new Wide[3];
  delete[] w;
  w = new (std::nothrow) Wide;
  delete w;
  show("aligned forms");
  operator delete(operator new(0));
  {
    std::vector<std::string> texts;
    for (int i = 0; i < 100; i++)
      texts.push_back(std::string(i + 30, 'x'));
    auto shared = std::make_shared<std::string>(texts.back());
  }
  show("library");
  try {
    throw std::string("a text that is long enough to be on the heap");
  } catch (const std::string &s) {
    printf("%zu\n", s.size());
  }
  show("exception");
  refuses = true;
  try {
    a = new int;
    puts("had");
  } catch (const std::bad_alloc &) {
    puts("bad_alloc");
  }
  printf("%d %d\n", new (std::nothrow) int == NULL,
         new (std::nothrow) Wide == NULL);
  std::set_new_handler(handler);
  a = new int;
  delete a;
  printf("handler: %d\n", handled);
  show("refused");
  return 0;
}
