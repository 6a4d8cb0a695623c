/* library.c - chunks of code without hooks: a shared library, an object linked in, one opened at run time.
   Their accesses are unknown, not none: no score, no flag, no finding about them; lives are known.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -O2 -g -fPIC -c %S/Inputs/library.c -o %t.lib.o && %clang -shared %t.lib.o -o %t.lib.so
// RUN: %clang_heapprof -O2 -g -I%S/Inputs %s -o %t %t.lib.so && %run %t
// RUN: %heapprof_score %dump/heapprof.* > %t.table && FileCheck --check-prefixes=TABLE,SHARED %s < %t.table
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py library_push | FileCheck %s
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=FINDINGS %s
// RUN: %clang_heapprof -O2 -g -I%S/Inputs %s -o %t %t.lib.o && %run %t
// RUN: %heapprof_score %dump/heapprof.* | FileCheck --check-prefix=TABLE %s
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py library_push | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DOPEN -I%S/Inputs %s -o %t -ldl && %run %t %t.lib.so
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py library_push | FileCheck %s
// The ignore list takes hooks away, and so what is known.
// RUN: echo "src:*Inputs/library.c" > %t.list
// RUN: %clang_heapprof -O2 -g -fsanitize-ignorelist=%t.list -I%S/Inputs %s %S/Inputs/library.c -o %t && %run %t
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py library_push | FileCheck %s
// Built with hooks, the same library is as any other code.
// RUN: %clang_heapprof -O2 -g -fPIC -shared %S/Inputs/library.c -o %t.lib.so
// RUN: %clang_heapprof -O2 -g -I%S/Inputs %s -o %t %t.lib.so && %run %t
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py library_push | FileCheck --check-prefix=HOOKED %s
// TABLE: not in usage, useful life: {{[0-9]+}} points of unknown accesses
// TABLE: peak life flags #
// TABLE: {{_push|library.c:[0-9]+}} {{.*}} 1000 15.6KiB {{.*}} {{[01]}}.{{[0-9]+ [A-Z]+}} #
// TABLE: no usage or useful life, accesses not seen: allocated by code without hooks
// SHARED-SAME: library.c.tmp.lib.so
// TABLE-NEXT: build that with heapprof, too
// CHECK: library_push: known False, usage None, useful None, flags [], lifetime known
// HOOKED: library_push: known True, usage 1,
// FINDINGS-NOT: library_push{{.*}}(written|read)
#include "library.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  struct node *(*push)(struct node *, long);
  long (*drain)(struct node *);
#ifdef OPEN
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return 2;
  push =
      (struct node * (*)(struct node *, long)) dlsym(library, "library_push");
  drain = (long (*)(struct node *))dlsym(library, "library_drain");
#else
  push = library_push;
  drain = library_drain;
#endif
  struct node *list = NULL;
  for (int i = 0; i < 1000; i++)
    list = push(list, i);
  printf("%ld\n", drain(list));
#ifdef OPEN
  dlclose(library);
#endif
  return argc < 1 || !argv;
}
