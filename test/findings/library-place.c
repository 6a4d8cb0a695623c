// library-place.c - what a library of the system makes anew at each call the program puts into no buffer of its own: it can call less.
// Its twin empties what it has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t -lz && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score %dump/heapprof.* | FileCheck --check-prefix=TABLE %s
// RUN: %heapprof_diff %dump/heapprof.* %dump/heapprof.* | FileCheck --check-prefix=SHARED %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired -lz && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: inflateInit2_ allocates chunks of {{[^>]*}} freed by inflateEnd{{[^>]*}}-> Call it less often, or let it keep its memory from call to call, if it can.
// A column that has no room for function and library names the function.
// TABLE: {{^}}inflateInit2_{{ +}}- {{.*}}2000
// What the library may have accessed is at least so much, of both runs.
// SHARED: usage >0.01 >0.01
// REPAIRED: no findings
#include <stddef.h>
#include <stdlib.h>
#include <zlib.h>

struct record_of_the_program {
  char text[300];
};
struct record_of_the_program *volatile record;
static z_stream stream;

__attribute__((noinline)) static void begin(void) {
#ifdef REPAIRED
  static int begun;
  if (begun++) {
    inflateReset(&stream);
    return;
  }
#endif
  if (inflateInit(&stream) != Z_OK)
    __builtin_trap();
}

int main(void) {
  record = malloc(sizeof *record);
  record->text[0] = 1;
  free(record);
  for (int i = 0; i < 2000; i++) {
    begin();
#ifndef REPAIRED
    inflateEnd(&stream);
#endif
  }
#ifdef REPAIRED
  inflateEnd(&stream);
#endif
  return 0;
}
