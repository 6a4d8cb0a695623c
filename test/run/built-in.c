/* built-in.c - a program that was built with heapprof runs as it is: one dump, with accesses, by its own runtime.
   Also where another program executes it, or LD_PRELOAD has the library without heapprof-run.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O0 -g %s -o app
// RUN: cd %t.d && %heapprof_run ./app > out 2> err && echo 4950 | cmp - out && FileCheck --check-prefix=LINE %s < err && count 1 < err
// RUN: cd %t.d && ls -d heapprof.* | count 1
// RUN: cd %t.d && %heapprof_score --json --limit 0 heapprof.app.* > json && %python %S/Inputs/points.py main < json | FileCheck %s
// RUN: cd %t.d && %heapprof_score heapprof.app.* | FileCheck --check-prefix=FACTS --implicit-check-not=libheapprof_preload %s
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run sh -c './app; :' > out 2> err && echo 4950 | cmp - out && count 1 < err
// RUN: cd %t.d && %heapprof_score --json --limit 0 heapprof.app.* > json && %python %S/Inputs/points.py main < json | FileCheck %s
// RUN: cd %t.d && rm -rf heapprof.* && LD_PRELOAD=%heapprof_lib_dir/libheapprof_preload.so ./app > out 2> err && echo 4950 | cmp - out && count 0 < err
// RUN: cd %t.d && %heapprof_score --json --limit 0 heapprof.app.* > json && %python %S/Inputs/points.py main < json | FileCheck %s
// LINE: the profile is in heapprof.app.
// CHECK: main: 1 chunks, 400 bytes, 0 live, accesses known, usage {{0\.[0-9]+|1}}
// FACTS: app (pid
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int *cells = malloc(100 * sizeof *cells), sum = 0;
  for (int i = 0; i < 100; i++)
    cells[i] = i;
  for (int i = 0; i < 100; i++)
    sum += cells[i];
  free(cells);
  char text[16];
  int length = snprintf(text, sizeof text, "%d\n", sum);
  return fwrite(text, 1, (size_t)length, stdout) == (size_t)length ? 0 : 1;
}
