// dlsym.c - what dlsym and dlvsym find is as without us, but for malloc's kin: by any handle it is the malloc that
// all use.  What dlerror says, and that RTLD_NEXT goes by its caller, does not change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -O1 -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %clang -w -fno-builtin -O1 %s %t.so -o %t.plain && %t.plain > %t.expected
// RUN: %clang_heapprof -w -fno-builtin -O1 %s %t.so -o %t && %run %t > %t.out 2> %t.err
// RUN: diff %t.expected %t.out && count 0 < %t.err
// RUN: %heapprof_run -q -o %t.d %t.plain > %t.out 2> %t.err && diff %t.expected %t.out && count 0 < %t.err
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
int marker(void) { return 2; }
// The one behind this library, which there is none of.
void *library_next(const char *name) {
  void *p = dlsym(RTLD_NEXT, name);
  return p;
}
#else
int marker(void) { return 1; }
void *library_next(const char *name);
typedef void *(*allocates)(size_t);
typedef void (*frees)(void *);

static void show(const char *what, int value) {
  const char *error = dlerror();
  printf("%s: %d %s\n", what, value, error ? "error" : "-");
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "marker");
  show("marker behind the program", next ? next() : 0);
  next = (int (*)(void))dlsym(RTLD_DEFAULT, "marker");
  show("marker", next ? next() : 0);
  show("marker behind the library", library_next("marker") != NULL);
  show("nothing", dlsym(RTLD_DEFAULT, "no_such_name") != NULL);
  show("nothing next", dlsym(RTLD_NEXT, "no_such_name") != NULL);
  dlsym(RTLD_DEFAULT, "no_such_name");
  show("an error is gone", dlsym(RTLD_NEXT, "malloc") != NULL);
  void *libc = dlopen("libc.so.6", RTLD_LAZY);
  show("malloc of libc", dlsym(libc, "malloc") != NULL);
  show("no version", dlvsym(RTLD_NEXT, "malloc", "GLIBC_9.9") != NULL);
  show("version", dlvsym(RTLD_NEXT, "malloc", "GLIBC_2.2.5") != NULL);
  show("version of another", dlvsym(libc, "strlen", "GLIBC_2.2.5") != NULL);
  void *const handles[] = {libc, RTLD_NEXT, RTLD_DEFAULT};
  static const char *const names[][2] = {{"malloc", "free"},
                                         {"__libc_malloc", "__libc_free"},
                                         {"valloc", "cfree"}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++) {
      allocates allocate = (allocates)dlsym(handles[i], names[k][0]);
      frees release = (frees)dlsym(handles[i], names[k][1]);
      void *p = allocate(100);
      memset(p, 1, 100);
      free(p); // either's chunks can be freed by the other
      release(malloc(100));
      p = allocate(10);
      release(realloc(p, 1000));
    }
  for (int i = 0; i < 3; i++) {
    allocates allocate = (allocates)dlvsym(handles[i], "malloc", "GLIBC_2.2.5");
    frees release = (frees)dlvsym(handles[i], "free", "GLIBC_2.2.5");
    free(allocate(100));
    release(malloc(100));
    release(realloc(allocate(10), 1000));
  }
  show("end", 1);
  return 0;
}
#endif
