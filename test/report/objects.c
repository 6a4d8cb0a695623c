// objects.c - the view Objects of a report: marks where frequency and mean lifetime are, clusters by name, verdicts in words.
// Opened in a headless browser; document.test has its numbers without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O0 -g -fno-builtin -DMANY %s -o app && ./app
// RUN: cd %t.d && %heapprof_report heapprof.app.* -o page.html && %heapprof_score --json --excessive=iqr heapprof.app.* > iqr && \
// RUN:   %heapprof_score --json --excessive=clusters heapprof.app.* > clusters && %python %S/Inputs/use_objects.py page.html iqr clusters
// RUN: cd %t.d && rm -rf heapprof.* && %clang -O0 -g -fno-builtin %s -o app && %heapprof_run ./app
// RUN: cd %t.d && %heapprof_report heapprof.app.* -o page.html && %heapprof_score --json --excessive=iqr heapprof.app.* > iqr && \
// RUN:   %heapprof_score --json --excessive=clusters heapprof.app.* > clusters && %python %S/Inputs/use_objects.py page.html iqr clusters
#include <stdlib.h>

static char *kept[8];
static void *volatile last;

__attribute__((noinline)) static char *make(size_t size) {
  char *p = malloc(size);
  p[0] = 1;
  last = p;
  return p;
}

__attribute__((noinline)) static void drop(char *p) {
  free(p);
  last = NULL;
}

int main(void) {
#ifdef MANY /* else there is one object */
  for (int i = 0; i < 8; i++)
    kept[i] = make((size_t)(100 + i / 2));
  for (int i = 0; i < 8; i++)
    drop(kept[i]);
  char *both[100];
  for (int i = 0; i < 100; i++)
    both[i] = make(3000);
  for (int i = 0; i < 100; i++)
    drop(both[i]);
#endif
  for (int i = 0; i < 5000; i++)
    drop(make(24));
  return 0;
}
