// through.c - a put that many lines call lets a buffer grow: they are the place, and what is between them and realloc is named. Not an xrealloc.
// Growing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=JSON %s
// RUN: %clang_heapprof -O2 -g -DALONE %s -o %t.alone && %run %t.alone
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=ALONE %s
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=NULL %s
// CHECK: -> Double the size each time
// CHECK-SAME: pack {{[^ ]*}}through.c:[[#]]:[[#]] called by main (through.c:[[#]]) {{(mostly )?}}through put (through.c:[[#PUT:]])
// JSON: "through": {"function": "put", "file": "{{[^"]*}}through.c"
// ALONE: [growing]
// ALONE-NOT: through
// NULL: "through": null
#include <stdlib.h>

struct output {
  unsigned char *bytes;
  size_t used;
};

__attribute__((noinline)) static void *xrealloc(void *old, size_t size) {
  void *now = realloc(old, size);
  if (!now)
    abort();
  return now;
}

__attribute__((noinline)) static void put(struct output *to, int byte) {
  to->bytes = xrealloc(to->bytes, to->used + 1);
  to->bytes[to->used++] = (unsigned char)byte;
}

__attribute__((noinline)) static void pack(struct output *to) {
  for (int i = 0; i < 200; i++) {
#ifdef ALONE
    to->bytes = xrealloc(to->bytes, to->used + 1);
    to->bytes[to->used++] = (unsigned char)i;
#else
    put(to, 1);
    put(to, 2);
    put(to, 3);
    put(to, 4);
    put(to, 5);
#endif
  }
}

int main(void) {
  struct output output = {0};
  int sum = 0;
  pack(&output);
  for (size_t i = 0; i < output.used; i++)
    sum += output.bytes[i];
  free(output.bytes);
  return sum == 1;
}
