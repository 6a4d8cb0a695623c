// A merged dump that lost a file or a byte is refused, in one line.
//
// RUN: rm -rf %t.d && mkdir %t.d %t.d/1 %t.d/2
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: cd %t.d && HEAPPROF_OPTIONS=dump_dir=1 %t && HEAPPROF_OPTIONS=dump_dir=2 %t && %heapprof_merge -o ok 1 2
// RUN: cd %t.d && %heapprof_score ok > ok.out
// RUN: cd %t.d && for f in processes modules points aggregates end; do \
// RUN:   cp -r ok no.$f && rm no.$f/$f && not %heapprof_score no.$f; done 2>&1 | FileCheck %s
// CHECK: no.processes: 2 processes were written but 0 are there; copy the whole directory again
// CHECK: no.modules: {{[0-9]+}} modules were written but 0 are there
// CHECK: no.points: 2 points were written but 0 are there
// CHECK: no.aggregates/aggregates: 4 records and {{[0-9]+}} intervals were written but 0 and 0 are there
// CHECK: no.end: a merged dump without its end
//
// RUN: cd %t.d && for f in processes aggregates; do cp -r ok bad.$f && \
// RUN:   printf 'x' | dd of=bad.$f/$f bs=1 seek=40 conv=notrunc 2> dd && not %heapprof_score bad.$f; done 2>&1 \
// RUN:   | FileCheck --check-prefix=BAD %s
// BAD: bad.processes/processes: offset 0: checksum of the block is wrong
// BAD: bad.aggregates/aggregates: offset 0: checksum of the block is wrong
//
// So is one of another version of the format.
// RUN: cd %t.d && cp -r 1 new && printf '\003' | dd of=$(echo new/*)/aggregates bs=1 seek=4 conv=notrunc 2> dd
// RUN: cd %t.d && not %heapprof_merge -o out new 2 2>&1 | FileCheck --check-prefix=VERSION %s
// VERSION: heapprof-merge: new/heapprof.{{.*}}/aggregates: offset 0: written in format version 3, this program reads 2; use a newer heapprof
//
// RUN: cd %t.d && not %heapprof_merge -o no/out 1 2>&1 | FileCheck --check-prefix=PARENT %s
// PARENT: heapprof-merge: no/out: cannot be made: No such file or directory
//
// A disk that is full leaves nothing.
// RUN: cd %t.d && (ulimit -f 1; not %heapprof_merge -o full 1 2) 2>&1 | FileCheck --check-prefix=FULL %s
// RUN: test ! -e %t.d/full && test ! -e %t.d/out
// FULL: heapprof-merge: full/{{[a-z]+}}: cannot be written: File too large
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 2; i++) {
    volatile char *p = malloc(10);
    p[0] = (char)argc;
    free((void *)p);
  }
  volatile char *q = malloc(10);
  q[0] = 1;
  free((void *)q);
  return 0;
}
