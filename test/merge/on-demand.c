// A process that wrote a dump and went on counts once: its last dump holds what the others do, in whatever order.
//
// RUN: rm -rf %t.d && mkdir %t.d %t.d/in
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: cd %t.d && HEAPPROF_OPTIONS=dump_dir=in %t && ls -d in/heapprof.* > dumps && count 2 < dumps
// RUN: cd %t.d && %heapprof_merge -o all in 2>&1 | FileCheck %s
// RUN: cd %t.d && %heapprof_merge -o turned $(tac dumps) 2>&1 | FileCheck %s && diff -r all turned
// RUN: cd %t.d && for d in $(cat dumps); do %heapprof_merge -o one.$(basename $d) $d; done
// RUN: cd %t.d && %heapprof_merge -o steps one.* 2>&1 | FileCheck %s && diff -r all steps
// RUN: cd %t.d && %heapprof_score all | FileCheck --check-prefix=ALL %s
// CHECK: heapprof-merge: 1 dump left out: what is in there is in others, too
// ALL: points 2, chunks 30,
#include <stdlib.h>

#include <sanitizer/heapprof_interface.h>

__attribute__((noinline)) static void use(size_t size) {
  volatile char *p = malloc(size);
  p[0] = 1;
  free((void *)p);
}

int main(void) {
  for (int i = 0; i < 10; i++)
    use(10);
  __heapprof_dump();
  for (int i = 0; i < 20; i++)
    use(20);
  return 0;
}
