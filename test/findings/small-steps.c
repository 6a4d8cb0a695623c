// small-steps.c - a buffer that grows by a fixed step is copied again and again: double it. Its twin does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact: A buffer in enlarge (small-steps.c:[[#]]) grows 998 times, from 80 B to 39.1 KiB, and is copied each time
// CHECK-SAME: -> Double the size each time, which takes 9 steps, or allocate the final size at once, here 39.1 KiB.
// REPAIRED-NOT: Double the size
// RUN: %clang_heapprof -O2 -g -DREALLOC %s -o %t.realloc && %run %t.realloc
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REALLOC %s
// REALLOC: A buffer in enlarge (small-steps.c:[[#]]) grows {{[0-9]+}} times, from {{[0-9]+}} B to 39.1 KiB, and is copied each time that realloc finds no room behind it
#include <stdlib.h>
#include <string.h>

#define STEP 40
#define END 40000

#ifdef REPAIRED
#define LARGER(room) (2 * (room))
#else
#define LARGER(room) ((room) + STEP)
#endif

static char *text;
static size_t used, room;

__attribute__((noinline)) static void enlarge(void) {
  size_t more = LARGER(room ? room : STEP);
#ifdef REALLOC
  char *larger = realloc(text, more);
#else
  char *larger = malloc(more);
  if (text)
    memcpy(larger, text, used);
  free(text);
#endif
  text = larger;
  room = more;
}

int main(void) {
  for (size_t i = 0; i < END; i++) {
    if (used == room)
      enlarge();
    text[used++] = (char)i;
  }
  int sum = 0;
  for (size_t i = 0; i < used; i++)
    sum += text[i];
  free(text);
  return sum == 1;
}
