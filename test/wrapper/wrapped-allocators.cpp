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
//
// What operators, strdup and their kin allocate inside goes past the wrappers, as without heapprof.
// RUN: for linker in bfd gold %if lld %{ lld %} %if mold %{ mold %}; do \
// RUN:   %clangxx_heapprof -O1 -DINSIDE -fuse-ld=$linker -Wl,--wrap=malloc,--wrap=free,--wrap=_Znwm,--wrap=_ZdlPv %s -o %t/inside && \
// RUN:   %run %t/inside | FileCheck %s --check-prefix=INSIDE || { echo "with $linker"; exit 1; }; done
// INSIDE: malloc 1, free 1, new 1
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
#elif defined INSIDE
static int mallocs, frees, news;
extern "C" {
void *__real_malloc(size_t size);
void __real_free(void *p);
void *__real__Znwm(size_t size);
void __real__ZdlPv(void *p);
void *__wrap_malloc(size_t size) {
  mallocs++;
  return __real_malloc(size);
}
void __wrap_free(void *p) {
  frees++;
  __real_free(p);
}
void *__wrap__Znwm(size_t size) {
  news++;
  return __real__Znwm(size);
}
void __wrap__ZdlPv(void *p) { __real__ZdlPv(p); }
}

int main() {
  void *volatile p = malloc(8);
  free(p);
  p = operator new(8);
  operator delete(p);
  p = operator new[](8);
  operator delete[](p);
  p = strdup("text");
  printf("malloc %d, free %d, new %d\n", mallocs, frees, news);
  return p == nullptr;
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
