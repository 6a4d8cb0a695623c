// no-functions.c - of a stripped program nobody knows the functions: --by function tells its calls apart, as --by site does, and puts together what has names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.dir && mkdir -p %t.dir/named %t.dir/stripped && cd %t.dir && %clang_heapprof -O1 -g %s -o app && llvm-strip app -o bare
// RUN: env HEAPPROF_OPTIONS=dump_dir=named ./app && env HEAPPROF_OPTIONS=dump_dir=stripped ./bare
// RUN: %heapprof_score --by function named | FileCheck --check-prefix=NAMED %s
// RUN: %heapprof_score --by function stripped | FileCheck --check-prefix=STRIPPED %s
// RUN: %heapprof_score --by function --json stripped | FileCheck --check-prefix=JSON %s
// RUN: %heapprof_diff --by function --all stripped stripped | FileCheck --check-prefix=DIFF %s
// Of a budget they are one: another build has other addresses.
// RUN: %heapprof_check --write-budget --by function -o budget stripped && FileCheck --check-prefix=BUDGET %s < budget && %heapprof_check --budget budget stripped
// BUDGET: {"of": "function", "name": "unknown", "max": {"chunks": {{38|39}}, "bytes": 5060, "peak_bytes": 550}}
// NAMED-DAG: {{^}}make {{ *}}30 2.05KiB
// NAMED-DAG: {{^}}other {{ *}}5 2.44KiB
// STRIPPED-NOT: unknown
// STRIPPED-DAG: {{^}}bare+0x{{[0-9a-f]+}} {{ *}}10 1000B
// STRIPPED-DAG: {{^}}bare+0x{{[0-9a-f]+}} {{ *}}20 1.07KiB
// STRIPPED-DAG: {{^}}bare+0x{{[0-9a-f]+}} {{ *}}5 2.44KiB
// STRIPPED-NOT: unknown
// JSON-COUNT-3: {"key": "{{.*}}/bare+0x
// DIFF-COUNT-3: bare+0x
#include <stdlib.h>

__attribute__((noinline)) static void make(void) {
  for (int i = 0; i < 20; i++) {
    char *volatile p = malloc(55);
    *p = 1;
    free(p);
  }
  for (int i = 0; i < 10; i++) {
    char *volatile p = malloc(100);
    *p = 1;
    free(p);
  }
}

__attribute__((noinline)) static void other(void) {
  for (int i = 0; i < 5; i++) {
    char *volatile p = malloc(500);
    *p = 1;
    free(p);
  }
}

int main(void) {
  make();
  other();
  return 0;
}
