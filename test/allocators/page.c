// page.c - the page of a comparison, opened in a headless browser: the numbers of the JSON, curves, advice.
// Nothing is loaded from anywhere, and no name becomes markup.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver, jemalloc
// RUN: %clang -O1 -fno-builtin %s -o %t
// RUN: %heapprof_allocators --repeat 2 --with glibc,jemalloc --sweep top_pad=64K,1M --html -o %t.html %t '<b>bold</b>'
// RUN: env PYTHONPATH=%S/../report/Inputs %python %S/Inputs/use_comparison.py %t.html
#include <stdlib.h>

static char *kept[2000];

int main(void) {
  for (int i = 0; i < 2000; i++)
    kept[i] = malloc(16 + (size_t)i);
  for (int i = 0; i < 2000; i += 2)
    free(kept[i]);
  return 0;
}
