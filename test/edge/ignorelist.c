/* ignorelist.c - functions and sources named by -fsanitize-ignorelist= are compiled without hooks.
   Only their accesses go uncounted; the rest of the file is as ever.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: echo "fun:quiet*" > %t.list
// RUN: %clang_heapprof -O0 -g -fsanitize-ignorelist=%t.list %s -o %t
// RUN: %run %t && %expect %dump
// RUN: echo "[heapprof]" > %t.list && echo "src:*ignorelist.c" >> %t.list
// RUN: %clang_heapprof -O0 -g -fsanitize-ignorelist=%t.list %s -o %t
// RUN: %run %t && %expect --prefix=SOURCE %dump
// RUN: printf '[address]\nfun:*\n' > %t.list
// RUN: %clang_heapprof -O0 -g -fsanitize-ignorelist=%t.list %s -o %t
// RUN: %run %t && %expect --prefix=OTHER %dump
// RUN: echo "fun quiet" > %t.list
// RUN: not %clang_heapprof -fsanitize-ignorelist=%t.list -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: not %clang_heapprof -fsanitize-ignorelist=%t.missing -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MISSING
#include <stdlib.h>

static void quiet_one(volatile char *p) { p[0] = p[1]; }
static void loud(volatile char *p) { p[7] = p[8]; }

int main(void) {
  char *p = malloc(30);
  quiet_one(p);
  loud(p);
  return 0;
}
// EXPECT: (chunk(size=30).reads, chunk(size=30).writes, chunk(size=30).lo) == (1, 1, 7)
// SOURCE: (chunk(size=30).reads, chunk(size=30).writes, chunk(size=30).hi) == (0, 0, 0)
// SOURCE: point("main").chunks == 1
// OTHER: (chunk(size=30).reads, chunk(size=30).writes, chunk(size=30).lo) == (2, 2, 0)
// MALFORMED: {{.*}}list{{.*}}
// MISSING: {{.*}}missing{{.*}}
