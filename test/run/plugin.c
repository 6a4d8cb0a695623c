/* plugin.c - a library with hooks in a program without: it can be loaded, and its accesses are counted.
   Opened at run time, and linked with; of the program's own chunks they stay unknown.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O0 -g -DPLUGIN -shared -fPIC %s -o plugin.so
// RUN: cd %t.d && %clang -O0 -g %s -o opens -ldl && %clang -O0 -g -DLINKED %s -o linked ./plugin.so -Wl,--unresolved-symbols=ignore-in-shared-libs
// RUN: cd %t.d && not ./opens 2> err && FileCheck --check-prefix=WITHOUT %s < err
// RUN: cd %t.d && for p in opens linked; do rm -rf heapprof.*; %heapprof_run ./$p > out 2> err && echo 4950 | cmp - out && \
// RUN:   %heapprof_score --json --limit 0 heapprof.$p.* > json && %python %S/Inputs/points.py plugin_work < json | FileCheck %s && \
// RUN:   %python %S/Inputs/points.py host_work < json | FileCheck --check-prefix=HOST %s || exit 1; done
// RUN: cd %t.d && rm -rf heapprof.* && %clang_heapprof -O2 -g -DPLUGIN -shared -fPIC %s -o plugin.so && %heapprof_run ./opens && %heapprof_score --json --limit 0 heapprof.opens.* | %python %S/Inputs/points.py plugin_work | FileCheck %s
// With the program's own allocator there are no records where its hooks look for them: they count nothing, and nothing is said of accesses.
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run --allocator=program ./opens > out && echo 4950 | cmp - out && %heapprof_score --json --limit 0 heapprof.opens.* | %python %S/Inputs/points.py plugin_work | FileCheck --check-prefix=BESIDE %s
// BESIDE: plugin_work: 1 chunks, 400 bytes, 0 live, accesses unknown, usage None
// WITHOUT: undefined symbol: __heapprof_
// CHECK: plugin_work: 1 chunks, 400 bytes, 0 live, accesses known, usage {{0\.[0-9]+|1}}
// HOST: host_work: 1 chunks, 32 bytes, 0 live, accesses unknown, usage None
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int plugin_work(int count);
#ifdef PLUGIN
int plugin_work(int count) {
  int *volatile cells = malloc(100 * sizeof *cells), sum = 0;
  for (int i = 0; i < count; i++)
    cells[i] = i;
  for (int i = 0; i < count; i++)
    sum += cells[i];
  free(cells);
  return sum;
}
#else
__attribute__((noinline)) static void host_work(void) {
  char *volatile chunk = malloc(32);
  chunk[0] = 1;
  free(chunk);
}
int main(void) {
#ifdef LINKED
  int (*work)(int) = plugin_work;
#else
  void *library = dlopen("./plugin.so", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  int (*work)(int) = (int (*)(int))dlsym(library, "plugin_work");
#endif
  host_work();
  printf("%d\n", work(100));
  return 0;
}
#endif
