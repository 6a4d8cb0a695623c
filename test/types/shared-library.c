// Types of a shared library outlive it; equal types of two libraries are one,
// and a wrapper in the program knows what a library asks it for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -DLIBRARY -fPIC -shared %s -o %t.one.so
// RUN: %clang_heapprof -DLIBRARY -fPIC -shared %s -o %t.two.so
// RUN: %clang_heapprof %s -o %t -rdynamic -ldl
// RUN: %run %t %t.one.so %t.two.so && %check_types
#include <stdlib.h>

struct Same {
  int a, b;
};

void *wrapper(size_t n);

#ifdef LIBRARY
void *allocate(void) {
  struct Same *same = malloc(101); // TYPE 101 argument Same
                                   // TYPE 101 argument Same
  return same;
}
void *wrapped(void) {
  struct Same *same = wrapper(102); // TYPE 102 wrapper Same
                                    // TYPE 102 wrapper Same
  return same;
}
#else
#include <dlfcn.h>

__attribute__((noinline)) void *wrapper(size_t n) { return malloc(n); }

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    void *library = dlopen(argv[i], RTLD_NOW);
    if (!library)
      return 1;
    void *(*allocate)(void) = (void *(*)(void))dlsym(library, "allocate");
    void *(*wrapped)(void) = (void *(*)(void))dlsym(library, "wrapped");
    free(allocate());
    free(wrapped());
    dlclose(library);
  }
  return 0;
}
#endif
