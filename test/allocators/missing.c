// missing.c - allocators that are not installed are named, one a line, and the rest is compared.
// HEAPPROF_ALLOCATOR_PATH says where to look; there is nothing there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang %s -o %t && rm -rf %t.none && mkdir %t.none
// RUN: env HEAPPROF_ALLOCATOR_PATH=%t.none %heapprof_allocators --repeat 1 --json -o %t.json %t 2> %t.err
// RUN: FileCheck --match-full-lines %s < %t.err
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); print([m['name'] for m in d['missing']], [a['name'] for a in d['allocators']])" %t.json | FileCheck --check-prefix=JSON %s
// RUN: env HEAPPROF_ALLOCATOR_PATH=%t.none %heapprof_allocators --repeat 1 --sweep MALLOC_CONF=narenas:1 %t 2>&1 | FileCheck --check-prefix=SWEEP %s
// A library that is there needs no name; one that has no malloc leaves the program's.
// RUN: %clang -shared -fPIC -x c /dev/null -o %t.none/libempty.so && %heapprof_allocators --repeat 1 --with %t.none/libempty.so --csv -o %t.csv %t && FileCheck --check-prefix=PATH %s < %t.csv
#include <stdlib.h>

int main(void) {
  free(malloc(10));
  return 0;
}

// CHECK:      heapprof-allocators: jemalloc is not installed (libjemalloc.so.2, package libjemalloc2): left out
// CHECK-NEXT: heapprof-allocators: tcmalloc is not installed (libtcmalloc_minimal.so.4, package libtcmalloc-minimal4): left out
// CHECK-NEXT: heapprof-allocators: mimalloc is not installed (libmimalloc.so.2, package libmimalloc2.0): left out
// CHECK-NOT:  {{.}}
// JSON: ['jemalloc', 'tcmalloc', 'mimalloc'] ['glibc']
// SWEEP: heapprof-allocators: jemalloc is not installed
// SWEEP-NOT: {{^}}jemalloc
// PATH: "glibc","",""
// PATH: "libempty.so","",""
