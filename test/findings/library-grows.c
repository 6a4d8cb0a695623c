// library-grows.c - libc enlarges buffers of its own for each text that is matched: whoever calls it has none to reserve.
// The twin compares by itself; what the program enlarges is told as its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O1 -g -DOWN %s -o %t.own && %run %t.own
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=OWN %s
// CHECK: Fact: {{[a-z_]+}} (library-grows.c:[[#]]) calls a library, in which [[#]] buffers grow
// CHECK-SAME: -> Call it less often, or give it a buffer that is large enough, if it takes one.
// CHECK-SAME: [growing]
// REPAIRED: points
// REPAIRED-NOT: [growing]
// OWN: Fact: 500 buffers in
// OWN-SAME: -> Allocate the final size at once
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS 500
#define LENGTH 100
#ifdef OWN
#define TEXT "%090d,x"
#else
#define TEXT "foobar%d,x"
#endif

/* As large again, whenever it is full. */
__attribute__((noinline)) static int copy_first(const char *text) {
  size_t size = 0, room = 4;
  char *copy = malloc(room);
  for (; *text && *text != ','; text++) {
    if (size == room)
      copy = realloc(copy, room *= 2);
    copy[size++] = *text;
  }
  const int first = copy[0];
  free(copy);
  return first;
}

int main(void) {
  char text[LENGTH];
  int sum = 0;
  regex_t pair;
  if (regcomp(&pair, "(foo|bar)+[0-9]{2,4}", REG_EXTENDED))
    return 2;
  for (int i = 0; i < TEXTS; i++) {
    snprintf(text, sizeof text, TEXT, i);
#if defined OWN
    sum += copy_first(text);
#elif defined REPAIRED
    sum += strchr(text, ',') != NULL;
#else
    regmatch_t at[3];
    sum += regexec(&pair, text, 3, at, 0) == 0;
#endif
  }
  regfree(&pair);
  (void)copy_first;
  return sum == 0;
}
