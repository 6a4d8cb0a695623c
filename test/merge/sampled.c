// sampled.c - dumps of samples are merged with their like, and stay marked as estimates; not with dumps of all chunks.
// The runs differ by HEAPPROF_OPTIONS alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -O1 -g %s -o %t && rm -rf %t.d && mkdir %t.d
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/sampled':sample_every=10" %t
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/sampled':sample_every=10:sample_seed=1" %t
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/all'" %t
// RUN: %heapprof_merge -o %t.d/merged %t.d/sampled
// RUN: %heapprof_score %t.d/merged | FileCheck %s
// CHECK-COUNT-2: sampled one for every 10 allocations
// CHECK: chunks ~
// RUN: not %heapprof_merge -o %t.d/mixed %t.d/sampled %t.d/all 2>&1 | FileCheck --check-prefix=MIXED %s
// RUN: test ! -e %t.d/mixed
// MIXED: heapprof-merge: {{.*}}: made with sample_every=0 and sample_bytes=0, a dump before it with 10 and 0; merge those of one choice only
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 10000; i++) {
    volatile char *p = malloc(40);
    p[0] = 1;
    free((void *)p);
  }
  return 0;
}
