// libraries-again.c - a library that is opened and closed thousands of times, with hooks or without, is one entry of the load map.
// Its chunks keep their point; before, each load took an entry of its own, and each look at the map went through all of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -O1 -g -shared -fPIC -Wl,--build-id -DLIBRARY %s -o %t.plain.so
// RUN: %clang_heapprof -O1 -g -shared -fPIC -Wl,--build-id -DLIBRARY %s -o %t.hooked.so
// RUN: %clang_heapprof -O1 -g %s -o %t -ldl
// RUN: for kind in plain hooked; do rm -rf %t.dump; \
// RUN:   env HEAPPROF_OPTIONS=dump_dir=%t.dump:stats=1 %t %t.$kind.so 2>&1 | tee %t.said | grep -o 'load map [0-9]*' | awk '$3 > 300 { exit 1 }' || exit 1; \
// RUN:   grep -q 'load map' %t.said && %heapprof_score --json %t.dump/* | %python -c 'import json, sys; d = json.load(sys.stdin); \
// RUN:     p, = [p for p in d["points"] if p["place"]["function"] == "library_make"]; assert p["chunks"] == 5000, p' || exit 1; done
#include <dlfcn.h>
#include <stdlib.h>

#ifdef LIBRARY
int *library_make(int n) {
  int *p = malloc(n * sizeof *p);
  p[0] = n;
  return p;
}
#else
int main(int argc, char **argv) {
  for (int i = 0; i < 5000; i++) {
    void *library = dlopen(argv[1], RTLD_NOW);
    int *(*make)(int) = (int *(*)(int))dlsym(library, "library_make");
    int *p = make(10);
    if (p[0] != 10)
      return 1;
    free(p);
    dlclose(library);
  }
}
#endif
