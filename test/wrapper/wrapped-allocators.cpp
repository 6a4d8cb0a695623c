// --wrap of what the compiler calls by another name takes the program's calls to its wrapper: else what malloc gave had
// not the header that the wrapper of free looks for.  Their chunks have the type of the call.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{wrap} = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=memcpy
// DEFINE: %{linker} = -fuse-ld=bfd
// DEFINE: %{run} = %clang_heapprof -x c -O1 %{linker} %{wrap} %s -o %t/c && %run %t/c | FileCheck %s && %heapprof_score --csv %dump/* | FileCheck %s --check-prefix=TYPES
// RUN: %{run}
// REDEFINE: %{linker} = -fuse-ld=bfd -flto
// RUN: %{run}
// lld wraps the runtime's own copies, too, so that it is not told.
// REDEFINE: %{linker} = -fuse-ld=lld -DCOPIES=0
// RUN: %if lld %{ %{run} %}
// CHECK: malloc 1, calloc 1, realloc 1, free 2, memcpy 1: 42
// TYPES-DAG: ,long,wrapper,
// TYPES-DAG: ,short,wrapper,
//
// Of C++ only what is named, and in a shared library, too.
// RUN: %clangxx_heapprof -O1 -Wl,--wrap=_Znwm %s -o %t/cxx && %run %t/cxx | FileCheck %s --check-prefix=CXX
// RUN: %clangxx_heapprof -O1 -DLIBRARY -fPIC -shared -Wl,--wrap=_Znwm %s -o %t/part.so
// RUN: %clangxx_heapprof -O1 -DUSER %s %t/part.so -o %t/user && %run %t/user | FileCheck %s --check-prefix=CXX
// CXX: new 1: 42
// RUN: %clang_heapprof -### %s -Wl,--wrap=other 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER-NOT: __heapprof_other
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef COPIES
#define COPIES 1
#endif

#ifndef __cplusplus
#define HEADER 16
static int mallocs, callocs, reallocs, frees, copies;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__real_memcpy(void *to, const void *from, size_t size);

void *__wrap_malloc(size_t size) {
  mallocs++;
  return (char *)__real_malloc(size + HEADER) + HEADER;
}

void *__wrap_calloc(size_t count, size_t size) {
  callocs++;
  return (char *)__real_calloc(1, count * size + HEADER) + HEADER;
}

void *__wrap_realloc(void *p, size_t size) {
  reallocs++;
  return (char *)__real_realloc((char *)p - HEADER, size + HEADER) + HEADER;
}

void __wrap_free(void *p) {
  frees++;
  __real_free((char *)p - HEADER);
}

void *__wrap_memcpy(void *to, const void *from, size_t size) {
  copies++;
  return __real_memcpy(to, from, size);
}

int main(int argc, char **argv) {
  (void)argv;
  const size_t size = (size_t)argc * 10;
  long *longs = malloc(size * sizeof *longs);
  short *shorts = calloc(size, sizeof *shorts);
  longs = realloc(longs, 2 * size * sizeof *longs);
  shorts[3] = 42;
  memcpy(longs, shorts, size * sizeof *shorts);
  printf("malloc %d, calloc %d, realloc %d, ", mallocs, callocs, reallocs);
  const int answer = ((short *)longs)[3];
  free(longs);
  free(shorts);
  printf("free %d, memcpy %d: %d\n", frees, copies + !COPIES, answer);
  return 0;
}
#else
int *part();
extern int wrapped;
#ifndef USER
int wrapped;
extern "C" void *__real__Znwm(size_t size);
extern "C" void *__wrap__Znwm(size_t size) {
  wrapped++;
  return __real__Znwm(size);
}
__attribute__((noinline)) int *part() { return new int(42); }
#endif
#ifndef LIBRARY
int main() {
  int *number = part();
  printf("new %d: %d\n", wrapped, *number);
  delete number;
  return 0;
}
#endif
#endif
