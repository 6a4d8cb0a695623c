// texts-for-libc.c - texts that only libc reads, as a path or a line to split:
// none of them is called written and never read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for level in "-O0" "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"; do \
// RUN:   rm -rf %dump; %clang_heapprof -w $level -g %s -o %t && %run %t > %t.out && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | FileCheck %s || exit 1; done
// CHECK-NOT: never read
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define ALONE __attribute__((noinline)) static

ALONE int path(int i) {
  char *p = malloc(256);
  snprintf(p, 256, "/usr/share/doc/%d", i);
  struct stat s;
  int found = stat(p, &s) == 0;
  free(p);
  return found;
}
ALONE int numbers(int i) {
  char *p = malloc(64);
  int a = 0, b = 0;
  snprintf(p, 64, "%d %d", i, i + 1);
  sscanf(p, "%d %d", &a, &b);
  free(p);
  return a + b;
}
ALONE int words(const char *line) {
  char *p = malloc(64), *rest = p;
  int n = 0;
  strcpy(p, line);
  while (strsep(&rest, ","))
    n++;
  free(p);
  return n;
}
ALONE int tokens(const char *line) {
  char *p = malloc(64), *rest;
  int n = 0;
  strcpy(p, line);
  for (char *t = strtok_r(p, ",", &rest); t; t = strtok_r(NULL, ",", &rest))
    n++;
  free(p);
  return n;
}
int main(void) {
  long sum = 0;
  for (int i = 0; i < 300; i++)
    sum += path(i) + numbers(i) + words("a,b,c") + tokens("a,b,c");
  printf("%ld\n", sum);
  return 0;
}
