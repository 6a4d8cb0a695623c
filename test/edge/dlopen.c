/* dlopen.c - a shared library built with the flag and opened at run time: its accesses and allocations count.
   ld.so allocates too, by the length of paths: hence the sizes.  After dlclose points still have their functions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g -shared -fPIC %S/Inputs/plugin.c -o %t.so
// RUN: %clang_heapprof -O0 -g %s -o %t -ldl && %run %t %t.so && %expect %dump
// RUN: %clang_heapprof -O0 -g -DLINKED %s -o %t.linked %t.so
// RUN: %run %t.linked x && %expect --prefix=LINKED %dump
#include <dlfcn.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
#ifdef LINKED
  char *plugin_make(void);
  void plugin_use(char *);
  char *(*make)(void) = plugin_make;
  void (*use)(char *) = plugin_use;
#else
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return 2;
  char *(*make)(void) = (char *(*)(void))dlsym(library, "plugin_make");
  void (*use)(char *) = (void (*)(char *))dlsym(library, "plugin_use");
#endif
  char *p = malloc(6000);
  p[0] = 1;         /* 6000: 1 write here */
  use(p);           /* 6000: 3 writes, 1 read there */
  char *q = make(); /* 6001: 2 writes there */
  q[2] = q[0];      /* 6001: 1 read, 1 write here */
  free(q);
#ifndef LINKED
  dlclose(library);
#endif
  free(p);
  return 0;
}
// EXPECT: (chunk(size=6000).reads, chunk(size=6000).writes, chunk(size=6000).hi) == (1, 4, 4)
// EXPECT: (chunk(size=6001).reads, chunk(size=6001).writes, chunk(size=6001).hi) == (1, 3, 3)
// EXPECT: point("plugin_make").chunks == 1
// EXPECT: point("plugin_make").site.module.endswith(".so")
// EXPECT: point("plugin_make").site.file.endswith("plugin.c")
// LINKED: (chunk(size=6000).reads, chunk(size=6000).writes, chunk(size=6000).hi) == (1, 4, 4)
// LINKED: (chunk(size=6001).reads, chunk(size=6001).writes, chunk(size=6001).hi) == (1, 3, 3)
// LINKED: point("plugin_make").chunks == 1
