// own-malloc-wrapped.c - a program wraps malloc's kin, or a part of it, by dlsym(RTLD_NEXT) or by
// __libc_malloc: what it gets is ours, all is profiled, and the wrapper is a frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for way in ALL MALLOC_ONLY MALLOC_FREE VERSION LIBC_NAMES; do for flags in "" -fno-builtin; do \
// RUN:   %clang -D$way -w -fno-builtin -O1 %s -o %t.plain && %t.plain > %t.expected && \
// RUN:   %clang_heapprof -D$way -w $flags -O1 -g %same_stacks %s -o %t && %run %t > %t.out 2> %t.err && \
// RUN:   diff %t.expected %t.out && count 0 < %t.err && %heapprof_score --json %dump > %t.json && \
// RUN:   %python %S/Inputs/wrapped.py %t.json || { echo $way $flags; exit 1; }; done; done
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long mallocs, frees;

static void *next(const char *name) {
#ifdef VERSION
  return dlvsym(RTLD_NEXT, name, "GLIBC_2.2.5");
#else
  return dlsym(RTLD_NEXT, name);
#endif
}

#ifdef LIBC_NAMES
void *__libc_malloc(size_t);
void __libc_free(void *);
void *malloc(size_t n) {
  mallocs++;
  return __libc_malloc(n);
}
void free(void *p) {
  frees += p != NULL;
  __libc_free(p);
}
#else
void *malloc(size_t n) {
  static void *(*real)(size_t);
  if (!real)
    real = next("malloc");
  mallocs++;
  return real(n);
}
#ifndef MALLOC_ONLY
void free(void *p) {
  static void (*real)(void *);
  if (!real)
    real = next("free");
  frees += p != NULL;
  real(p);
}
#endif
#if defined ALL || defined VERSION
void *realloc(void *p, size_t n) {
  static void *(*real)(void *, size_t);
  if (!real)
    real = next("realloc");
  return real(p, n);
}
void *calloc(size_t a, size_t b) {
  static void *(*real)(size_t, size_t);
  if (!real)
    real = next("calloc");
  return real(a, b);
}
#endif
#endif

__attribute__((noinline)) static void *site(size_t n) {
  void *volatile p = malloc(n);
  return p;
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  unsigned long before = mallocs;
  for (int i = 0; i < 1000; i++)
    free(site(1000));
  char *p = site(100);
  p = realloc(p, 200);
  free(p);
  printf("mallocs %lu\n", mallocs - before);
  void *q;
  if (!posix_memalign(&q, 64, 100))
    free(q);
  free(calloc(1, 50));
  free(memalign(64, 70));
  free(strdup("hello"));
  char *line = NULL;
  size_t n = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  if (getline(&line, &n, f) < 0)
    return 1;
  free(line);
  fclose(f);
  free(realpath("/", NULL));
  asprintf(&p, "%d", 5);
  puts(p);
  free(p);
  return 0;
}
