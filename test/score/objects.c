// objects.c - allocation objects of a program whose frequencies are known: excessive, and not; rebuilt and as it is.
// With FOUND one object of five is made 20000 times and freed at once; without it all are made once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: for way in hooked plain; do for level in -O0 -O2; do \
// RUN:   build="%clang_heapprof"; run=; if [ $way = plain ]; then build=%clang; run=%heapprof_run; fi; \
// RUN:   cd %t.d && rm -rf heapprof.* && $build $level -g -fno-builtin -DFOUND %s -o app && $run ./app 2> err || exit 1; \
// RUN:   %heapprof_score --json --excessive=iqr heapprof.app.* > iqr && %python %S/Inputs/object_values.py iqr | FileCheck %s || exit 1; \
// RUN:   %python %S/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json iqr || exit 1; \
// RUN:   %heapprof_score --json --excessive=clusters --min-frequency=3 heapprof.app.* > clusters || exit 1; \
// RUN:   %python %S/Inputs/object_values.py clusters | FileCheck %s --check-prefix=CLUSTERS || exit 1; \
// RUN:   %heapprof_score --excessive=iqr heapprof.app.* | FileCheck %s --check-prefix=WORDS || exit 1; \
// RUN:   rm -rf merged && %heapprof_merge -o merged heapprof.app.* && %heapprof_score --json --excessive=iqr merged > again && %python %S/Inputs/object_values.py again | FileCheck %s || exit 1; \
// RUN:   rm -rf heapprof.* && $build $level -g -fno-builtin %s -o app && $run ./app 2> err || exit 1; \
// RUN:   %heapprof_score --by object --excessive=iqr --mu=1000 heapprof.app.* | FileCheck %s --check-prefix=CLEAN || exit 1; done; done
// CHECK: 24 make -> drop: 20000
// CHECK-DAG: 100 keep -> sweep: 2
// CHECK-DAG: 101 keep -> sweep: 2
// CHECK-DAG: 102 keep -> sweep: 2
// CHECK-DAG: 103 keep -> sweep: 2
// CHECK: iqr found
// CLUSTERS: clusters undetermined 0
// WORDS: allocated by {{ *}}freed by {{ *}}size frequency lifetime {{ *}}R
// WORDS-NEXT: make objects.c:{{[0-9]+}} {{ *}}drop objects.c:{{[0-9]+}} {{ *}}24B {{ *}}20000
// WORDS: R: frequency per millisecond of mean lifetime
// WORDS: excessive allocation: found, {{[0-9]+}} of {{[0-9]+}} objects have R above
// WORDS: make objects.c:{{[0-9]+}} {{ *}}drop
// WORDS-NEXT: allocated by
// WORDS-NEXT: make {{.*}}objects.c
// WORDS: freed by
// WORDS-NEXT: drop {{.*}}objects.c
// CLEAN: excessive allocation: not found, 0 of {{[0-9]+}} objects
//
// Every free's stack: the same objects; what is asked wrongly is said.
// RUN: cd %t.d && rm -rf heapprof.* && %clang_heapprof -O0 -g -DFOUND %s -o app && HEAPPROF_OPTIONS=free_stacks=1 ./app
// RUN: cd %t.d && %heapprof_score --json --excessive=iqr heapprof.app.* > iqr && %python %S/Inputs/object_values.py iqr | FileCheck %s
// RUN: cd %t.d && %heapprof_score --json --key=stack heapprof.app.* > iqr && %python %S/Inputs/object_values.py iqr | FileCheck %s --check-prefix=STACK
// STACK: 24 make -> drop: 15000
// STACK: 24 make -> drop: 5000
// RUN: cd %t.d && not %heapprof_score --excessive=mean heapprof.app.* 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: iqr or clusters
// RUN: cd %t.d && not %heapprof_score --mu=3 heapprof.app.* 2>&1 | FileCheck %s --check-prefix=MU
// MU: --mu is of --excessive=iqr, --k of --excessive=clusters
// RUN: cd %t.d && not %heapprof_score --by object --findings heapprof.app.* 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: objects are a table of their own; leave --findings and --process out
// RUN: cd %t.d && %heapprof_score --by object --csv heapprof.app.* > plain.csv && %heapprof_score --excessive=iqr --csv --stacks heapprof.app.* > stacks.csv && %heapprof_score --json --excessive=iqr heapprof.app.* > iqr
// RUN: cd %t.d && %python %S/Inputs/object_csv.py iqr plain.csv stacks.csv | FileCheck %s --check-prefix=CSV
// CSV: make 24 20000 excessive
// CSV: make < main
// CSV: drop < main
// RUN: cd %t.d && %heapprof_score --by object --csv --limit=1 heapprof.app.* | count 2
#include <stdlib.h>

static char *kept[8];
static void *volatile last;

__attribute__((noinline)) static char *make(size_t size) {
  char *p = malloc(size);
  p[0] = 1;
  last = p;
  return p;
}

__attribute__((noinline)) static void keep(int i) {
  char *p = malloc((size_t)(100 + i / 2));
  p[0] = 1;
  kept[i] = p;
}

__attribute__((noinline)) static void drop(char *p) {
  free(p);
  last = NULL;
}

__attribute__((noinline)) static void sweep(void) {
  for (int i = 0; i < 8; i++)
    free(kept[i]);
  last = NULL;
}

int main(void) {
  for (int i = 0; i < 8; i++)
    keep(i);
#ifdef FOUND
  for (int i = 0; i < 15000; i++)
    drop(make(24));
  for (int i = 0; i < 5000; i++)
    drop(make(24));
#endif
  sweep();
  return 0;
}
