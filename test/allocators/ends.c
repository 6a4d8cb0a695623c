// ends.c - the command ends as the program does; where another allocator, or the meter, makes it end otherwise, a line says so.
// An allocator of the test's own is one that ends the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang %s -o %t && %clang -shared -fPIC -DLIBRARY %s -o %t.library.so
// RUN: %heapprof_allocators --repeat 1 --with glibc %t status > %t.out 2> %t.err; test $? = 7
// RUN: FileCheck --check-prefix=STATUS %s < %t.err
// RUN: %heapprof_allocators --repeat 2 --with %t.library.so --json -o %t.json %t > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OTHER %s < %t.err
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); print([(a['status'], a['signal']) for a in d['allocators']], d['recommendation']['allocator'])" %t.json | FileCheck --check-prefix=JSON %s
// RUN: %heapprof_allocators --repeat 1 --with glibc %t meter > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=METER %s < %t.err
// Killed as it is, there is nothing to compare, and the command dies of the same.
// RUN: sh -c '%heapprof_allocators --with glibc %t kill 2> %t.err; echo $?' | FileCheck --check-prefix=KILLED %s
// RUN: FileCheck --check-prefix=SIGNAL --match-full-lines %s < %t.err
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LIBRARY
__attribute__((constructor)) static void end(void) { _exit(9); }
#else
int main(int argc, char **argv) {
  const char *preload = getenv("LD_PRELOAD");
  const char *how = argc > 1 ? argv[1] : "";
  free(malloc(10));
  if (strcmp(how, "kill") == 0)
    raise(SIGTERM);
  if (strcmp(how, "meter") == 0 && preload && strstr(preload, "meter"))
    return 5;
  return strcmp(how, "status") == 0 ? 7 : 0;
}
#endif

// STATUS-NOT: ended with
// STATUS: recommended: nothing gained
// OTHER: ends.c.tmp.library.so: the program ended with status 9, not with status 0
// JSON: [(0, None), (9, None)] None
// METER: heapprof-allocators: glibc under the meter: the program ended with status 5, not with status 0
// KILLED: 143
// SIGNAL: heapprof-allocators: ends.c.tmp ended with signal 15 (Terminated) as it is: nothing to compare
