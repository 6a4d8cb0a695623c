/* libc-stacks.c - what the program calls of libc stands in a stack as without heapprof: no function of the runtime is between the two,
   in no format, with hooks or without.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g %s -o app && %heapprof_run -q ./app && mv heapprof.app.* run && %clang_heapprof -O1 -g %s -o built && ./built && mv heapprof.built.* hooked
// RUN: cd %t.d && for d in run hooked; do %heapprof_score --stacks --limit 0 $d > stacks && FileCheck %s < stacks && %heapprof_score --json $d > $d.json && not grep -q '"function": "[^"]*interceptor' $d.json || exit 1; done
// RUN: cd %t.d && for f in folded callgrind speedscope; do %heapprof_export --format=$f run > $f && not grep -a interceptor $f || exit 1; done
// Nor in the stacks of frees.
// RUN: cd %t.d && %heapprof_run -q --free-stacks ./app && %heapprof_score --json heapprof.app.* > freed.json && not grep -q '"function": "[^"]*interceptor' freed.json
// CHECK: #1 walked
// CHECK-NEXT: frames of libc.so
// CHECK-NEXT: #{{[0-9]+}} main
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void take(size_t size) {
  char *volatile p = malloc(size);
  memset(p, 1, size);
  free(p);
}

static int walked(const char *path, const struct stat *status, int kind,
                  struct FTW *at) {
  (void)path, (void)status, (void)kind, (void)at;
  take(1000);
  return 0;
}

static int seen(const struct dirent *entry) {
  take(2000 + (entry->d_name[0] == '/'));
  return 0;
}

int main(void) {
  glob_t paths;
  struct dirent **entries;
  char *text = NULL;
  nftw(".", walked, 3, FTW_PHYS);
  const int count = scandir(".", &entries, seen, alphasort);
  const int length = asprintf(&text, "%d", count);
  free(text);
  if (glob("./*", 0, NULL, &paths) == 0)
    globfree(&paths);
  free(realpath(".", NULL));
  return length < 0;
}
