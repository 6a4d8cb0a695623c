/* reloaded-library.c - code that comes where other code was unloaded: its stacks are its own.
   Both call malloc from the same address; the second has an address of ours where the first was called from.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -shared -fPIC -DFRAME='"8"' %S/Inputs/frame.c -o %t.1.so
// RUN: %clang -shared -fPIC -DFRAME='"104"' %S/Inputs/frame.c -o %t.2.so
// RUN: %clang_heapprof -O0 -g %s -o %t -ldl && %run %t %t.1.so %t.2.so && %expect %dump
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *make(size_t size, void *fake, void **from);

static void *in_first, *in_second;

__attribute__((noinline)) static void from_first(make *plugin) {
  for (int i = 0; i < 3; i++)
    free(plugin(6001, NULL, &in_first));
}

__attribute__((noinline)) static void from_second(make *plugin) {
  for (int i = 0; i < 3; i++)
    free(plugin(6002, in_first, &in_second));
}

static make *open_plugin(const char *path, void **library) {
  *library = dlopen(path, RTLD_NOW);
  if (!*library)
    exit(2);
  return (make *)dlsym(*library, "plugin_make");
}

int main(int argc, char **argv) {
  void *library;
  if (argc != 3)
    return 1;
  make *first = open_plugin(argv[1], &library);
  uintptr_t place = (uintptr_t)first;
  from_first(first);
  dlclose(library);
  make *second = open_plugin(argv[2], &library);
  from_second(second);
  if ((uintptr_t)second != place)
    puts("loaded elsewhere");
  dlclose(library);
  return 0;
}
// EXPECT: ["from_first" in str(p.stack) for p in document.points if p.bytes == 3 * 6001] == [True]
// EXPECT: ["from_second" in str(p.stack) for p in document.points if p.bytes == 3 * 6002] == [True]
