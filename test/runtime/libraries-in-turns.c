// libraries-in-turns.c - two libraries, in turns at the same place: each has points of its own, and one for each stack.
// Only the name of a function and a constant differ, so that all their addresses are the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.lib && mkdir -p %t.lib
// RUN: %clang_heapprof -g -O1 -fPIC -shared -DTEXT=red_text -DSIZE=111 %s -o %t.lib/r.so
// RUN: %clang_heapprof -g -O1 -fPIC -shared -DTEXT=sea_text -DSIZE=222 %s -o %t.lib/s.so
// RUN: %clang_heapprof -g -O1 -DMAIN %s -o %t
//
// Whether single chunks are known, or only what the aggregates say.
// RUN: for log in budget none; do %env_heapprof_opts=chunk_log=$log %run %t %t.lib > %t.out && \
// RUN:   FileCheck %s < %t.out && %heapprof_score --json %dump > %t.json && \
// RUN:   %python -c 'import json, sys; d = json.load(open(sys.argv[1])); \
// RUN:     [print(p["site"]["function"], p["chunks"], p["size"]["min"], p["size"]["max"]) \
// RUN:      for p in sorted(d["points"], key=lambda p: p["size"]["max"]) if p["size"]["max"] in (111, 222)]' \
// RUN:   %t.json | FileCheck --check-prefix=POINTS %s || exit 1; done
// CHECK: 40 times at one place
// POINTS: {{^}}red_text 20 111 111
// POINTS-NEXT: {{^}}sea_text 20 222 222
// POINTS-NOT: _text
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef MAIN

static void *use(const char *directory, const char *name,
                 const char *function) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  void *library = dlopen(path, RTLD_NOW);
  char *(*text)(void) = (char *(*)(void))dlsym(library, function);
  free(text());
  dlclose(library);
  return (void *)text;
}

int main(int argc, char **argv) {
  void *first = NULL;
  int times = 0;
  for (int i = 0; i < 20; i++) {
    void *red = use(argv[1], "r.so", "red_text");
    void *sea = use(argv[1], "s.so", "sea_text");
    if (!first)
      first = red;
    times += (red == first) + (sea == first);
  }
  printf("%d times at one place\n", times);
  return 0;
}

#else

char *TEXT(void) {
  char *p = malloc(SIZE);
  p[0] = 0;
  return p;
}

#endif
