// export.c - no file for another tool looks exact when its numbers are estimates from samples; of a full run none says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -O1 -g %s -o %t && rm -rf %t.d && mkdir %t.d
// RUN: for o in sample_every=5 sample_every=0; do env HEAPPROF_OPTIONS="dump_dir='%t.d/$o':$o" %t || exit 1; \
// RUN:   for f in callgrind chrome dhat folded massif memprof-yaml pprof speedscope; do \
// RUN:     %heapprof_export --format=$f -o %t.$f %t.d/$o 2> %t.note || exit 1; echo "$f: $(grep -c . < %t.note)"; \
// RUN:     if [ $f = pprof ]; then gunzip < %t.$f > %t.text; else cp %t.$f %t.text; fi; \
// RUN:     grep -a -o -m1 'desc: .*samples$\|"[^"]*, estimates from samples\|\[heapprof: estimates from samples\]\|^\[estimates[^;]*;\|# estimates.*\|estimates (~) from [0-9]* of 500 chunks' %t.text || [ $o = sample_every=0 ] || exit 1; \
// RUN:   done; done | FileCheck %s --implicit-check-not=estimates
//
// CHECK:      callgrind: 1
// CHECK-NEXT: desc: estimates from samples
// CHECK-NEXT: chrome: 1
// CHECK-NEXT: (pid {{[^)]*}}), estimates from samples
// CHECK-NEXT: dhat: 1
// CHECK-NEXT: [heapprof: estimates from samples]
// CHECK-NEXT: folded: 1
// CHECK-NEXT: [estimates from samples];
// CHECK-NEXT: massif: 1
// CHECK-NEXT: desc: heapprof-export {{.*}}, estimates from samples
// CHECK-NEXT: memprof-yaml: 1
// CHECK-NEXT: # estimates from samples
// CHECK-NEXT: pprof: 1
// CHECK-NEXT: estimates (~) from {{[0-9]+}} of 500 chunks
// CHECK-NEXT: speedscope: 1
// CHECK-NEXT: "bytes live when the profile was at its peak, estimates from samples
// CHECK-NEXT: callgrind: 0
// CHECK:      speedscope: 0
#include <stdlib.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 500; i++) {
    volatile int *number = malloc(sizeof *number);
    *number = i;
    sum += *number;
    free((void *)number);
  }
  return sum == 1;
}
