/* relative-library.c - a library that the linker finds in a relative directory (LD_LIBRARY_PATH, dlopen) has its whole path in the dump.
   The program goes elsewhere, and the score is made elsewhere: its functions have names.  Loaded twice it is one module.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir -p %t.d/libs %t.d/more %t.d/away && cd %t.d
// RUN: cd %t.d && %clang -O1 -g -fno-builtin -shared -fPIC -DLIBRARY=first_make %s -o libs/libfirst.so && %clang -O1 -g -fno-builtin -shared -fPIC -DLIBRARY=second_make %s -o more/libsecond.so
// RUN: cd %t.d && %clang -O1 -g -fno-builtin %s -o app -Llibs -lfirst && %clang_heapprof -O1 -g -fno-builtin %s -o built -Llibs -lfirst
// RUN: cd %t.d && LD_LIBRARY_PATH=libs %heapprof_run -q -o run ./app && HEAPPROF_OPTIONS=dump_dir=%t.d/run LD_LIBRARY_PATH=libs ./built
// RUN: cd / && for d in %t.d/run/*; do %heapprof_score --json --limit 0 $d > %t.json && %python -c "import json, sys; p = json.load(open('%t.json'))['points']; print(sorted(set((f['function'], f['module']) for p in p for f in p['stack'] if f['function'] in ('first_make', 'second_make'))))" | FileCheck %s || exit 1; done
// CHECK: [('first_make', '{{/.*}}.d/libs/libfirst.so'), ('second_make', '{{/.*}}.d/more/./libsecond.so')]
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef LIBRARY
void *LIBRARY(void) {
  char *p = malloc(1000); /* no jump */
  p[0] = 1;
  return p;
}
#else
void *first_make(void);

int main(void) {
  void *(*second_make)(void);
  free(first_make());
  if (chdir("more") != 0)
    return 1;
  for (int i = 0; i < 2; i++) {
    void *library = dlopen("./libsecond.so", RTLD_NOW);
    if (!library)
      return 2;
    *(void **)&second_make = dlsym(library, "second_make");
    free(second_make());
    dlclose(library);
    free(first_make());
  }
  return chdir("/");
}
#endif
