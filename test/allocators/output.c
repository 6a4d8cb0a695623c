// output.c - the program's output is what it is without us, once; a machine's format on standard output stands there alone.
// Standard input that is a file is read by each run from its start.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang %s -o %t && %t < %s > %t.plain 2> %t.plain-err
// RUN: %heapprof_allocators --repeat 2 --with glibc -o %t.table %t < %s > %t.out 2> %t.err && cmp %t.plain %t.out && cmp %t.plain-err %t.err
// RUN: FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %heapprof_allocators --repeat 2 --with glibc %t < %s 2> %t.err | cmp %t.plain -
// RUN: FileCheck %s < %t.err
// RUN: %heapprof_allocators --repeat 1 --with glibc --json %t < %s 2> %t.err | %python -m json.tool > /dev/null
// RUN: not test -s %t.err
// RUN: cat %s | %heapprof_allocators --repeat 1 --with glibc --input %s -o %t.table %t 2> /dev/null | cmp %t.plain -
// Without a file there is nothing to read.
// RUN: cat %s | %heapprof_allocators --repeat 1 --with glibc -o %t.table %t 2> /dev/null | count 0
// What it starts is not metered, and finds its own way.
// RUN: %heapprof_allocators --repeat 1 --with glibc --json -o %t.json sh -c '%t < %s; exit 4' > %t.out 2> %t.err; test $? = 4 && cmp %t.plain %t.out
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0)
    fputs(line, stdout);
  fputs("to standard error\n", stderr);
  free(line);
  return 0;
}

// CHECK: to standard error
// CHECK-NOT: to standard error
// CHECK: output.c.tmp: medians of 2 rounds
// TABLE: allocator {{.*}} peakRSS
// TABLE-NEXT: glibc {{.*}}KiB
// TABLE: malloc {{.*}}s
