// no-names.c - of a stripped program nobody knows where a function begins, so that a wrapper of malloc is the place: it is
// one finding for all that call it. With names each caller is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -fno-builtin %s -o named && cp named stripped && strip stripped
// RUN: cd %t.d && %heapprof_run -q ./named && %heapprof_score --findings heapprof.named.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NAMED %s
// RUN: cd %t.d && %heapprof_run -q ./stripped && %heapprof_score --findings heapprof.stripped.* | tr -s '\n ' ' ' | FileCheck --check-prefix=STRIPPED %s
// NAMED-NOT: m_strdup allocates
// NAMED-DAG: Likely: first allocates chunks of 4 B one after the other
// NAMED-DAG: Likely: fourth allocates chunks of 5 B one after the other
// STRIPPED: 1. Likely: stripped+0x{{[0-9a-f]+}} allocates chunks of up to 6 B one after the other{{.*}} 8000 allocations
// STRIPPED-SAME: [short_lived] points #1 #2 #3 #4
// STRIPPED-NOT: 2. Likely
#include <stdlib.h>
#include <string.h>

#define TIMES 2000
#define APART __attribute__((noinline))

APART static char *m_strdup(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return strcpy(copy, text);
}

static char *volatile last;

#define CALLER(name, text)                                                     \
  APART static void name(void) {                                               \
    for (int i = 0; i < TIMES; i++) {                                          \
      last = m_strdup(text);                                                   \
      free(last);                                                              \
    }                                                                          \
  }
CALLER(first, "one")
CALLER(second, "two")
CALLER(third, "three")
CALLER(fourth, "four")

int main(void) {
  first();
  second();
  third();
  fourth();
  return 0;
}
