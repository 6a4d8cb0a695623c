// own-malloc-foreign.c - a library has a malloc of its own and calls it without asking the linker: it is linked,
// preloaded or neither.  What it gives away is freed and resized by its own, what is nobody's is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -fno-builtin -O1 -fPIC -shared -DLIBRARY -Wl,-Bsymbolic %s -o %t.so
// RUN: %clang_heapprof -w -fno-builtin -O1 %s %t.so -o %t && %run %t 2>&1 | FileCheck %s
// RUN: %heapprof_score --json %dump | %python -c 'import json, sys; p = json.load(sys.stdin)["processes"][0]; \
// RUN:   sys.exit(p["invalid_frees"] != 1 or p["allocations"] < 100)'
// RUN: %env_heapprof_opts=sample_every=3 %run %t 2>&1 | FileCheck %s
// Ours are found first where a library is only preloaded.
// RUN: %clang_heapprof -DALONE -w -fno-builtin -O1 %s -o %t.alone
// RUN: env LD_PRELOAD=%t.so %run %t.alone 2>&1 | FileCheck --check-prefix=ALONE %s
// CHECK: its own: 1 1 1, usable 1
// CHECK: free of {{.*}}, which is no live heap chunk
// CHECK: done
// CHECK-NOT: no live heap chunk
// ALONE-NOT: no live heap chunk
// ALONE: done
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
static char memory[1 << 20] __attribute__((aligned(16)));
static size_t used;
int library_mallocs, library_frees, library_reallocs;
void *malloc(size_t n) {
  size_t *p = (size_t *)(memory + used);
  used += 16 + ((n + 15) & ~(size_t)15);
  p[1] = n;
  library_mallocs++;
  return p + 2;
}
void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }
void *realloc(void *p, size_t n) {
  library_reallocs++;
  return p ? memcpy(malloc(n), p, ((size_t *)p)[-1]) : malloc(n);
}
void free(void *p) { library_frees++; }
size_t malloc_usable_size(void *p) { return ((size_t *)p)[-1]; }
char *library_text(void) { return strcpy(malloc(10), "text"); }
#else
#ifdef ALONE
#define library_text() strdup("text")
static int library_mallocs, library_frees, library_reallocs;
#else
char *library_text(void);
extern int library_mallocs, library_frees, library_reallocs;
#endif
size_t malloc_usable_size(void *);

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  for (int i = 0; i < 100; i++)
    free(malloc(i));
  library_mallocs = library_frees = library_reallocs = 0;
  char *volatile p = library_text();
  free(p);
  int mallocs = library_mallocs;
  p = library_text();
  size_t usable = malloc_usable_size(p);
  p = realloc(p, 30);
  printf("its own: %d %d %d, usable %d %s\n", mallocs, library_frees,
         library_reallocs, usable >= 5 && usable <= 10, p);
  free(p);
#ifndef ALONE
  p = malloc(10);
  free(p);
  free(p);
#endif
  puts("done");
  return 0;
}
#endif
