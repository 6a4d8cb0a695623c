/* libc-texts-unread.c - texts that libc makes, and nobody reads: by whatever names its functions have inside, or none, what it wrote to
   them is counted, and what the program does. The buffer of 100 bytes that it fills first is its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: for flags in "-O0" "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"; do \
// RUN:   %clang_heapprof $flags -g %s -o %t && %run %t && %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out || exit 1; \
// RUN:   %clang_heapprof $flags -g -DREPAIRED %s -o %t.repaired && %run %t.repaired && %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK-NOT: read nor written
// CHECK-DAG: Fact: 3000 chunks {{(\(char\) )?}}from a library called by number (libc-texts-unread.c:[[#]]) are written and never read
// CHECK-DAG: Fact: 3000 chunks {{[^.]*}}from a library called by line (libc-texts-unread.c:[[#]]) are written and never read
// CHECK-NOT: read nor written
// REPAIRED-NOT: never read
// REPAIRED-NOT: read nor written
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline)) static

#ifdef REPAIRED
#define READ(text) ((text)[0] != 0)
#else
#define READ(text) ((text) != NULL)
#endif

APART int number(int i) {
  char *text;
  if (asprintf(&text, "number %d", i) < 0)
    return 0;
  const int good = READ(text);
  free(text);
  return good;
}

APART int line(FILE *from) {
  char *text = NULL;
  size_t room = 0;
  rewind(from);
  const int good = getline(&text, &room, from) > 0 && READ(text);
  free(text);
  return good;
}

int main(void) {
  FILE *from = tmpfile();
  fputs("one line\n", from);
  int good = 0;
  for (int i = 0; i < 3000; i++)
    good += number(i) + line(from);
  fclose(from);
  return good != 6000;
}
