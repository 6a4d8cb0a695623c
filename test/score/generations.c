// generations.c - --by generation: what was born between two marks and what of it was live at each later one, stated in the comments; table, CSV, JSON.
// The numbers are those that the same question as a set has; and the one line where there is no mark, or no log.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d && %clang_heapprof -g -O0 -fno-builtin %s -o app
// RUN: env HEAPPROF_OPTIONS=chunk_log=all:dump_dir=all ./app marks && mv all/heapprof.app.* dump
// RUN: env COLUMNS=200 %heapprof_score --by generation --filter 'function=main' dump | FileCheck --match-full-lines %s
// RUN: %heapprof_score --by generation --csv --filter 'function=main' dump | FileCheck --match-full-lines --check-prefix=CSV %s
// RUN: %heapprof_score --by generation --json dump > all.json && %python %S/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json < all.json
// RUN: %python %S/Inputs/generations.py %heapprof_score dump
// CHECK:      {{.*}}app marks (pid {{[0-9]+}})
// CHECK-NEXT: born after one mark, up to the next, and what of that was live at each later one: bytes, and chunks below
// CHECK-NEXT: born after in all loaded asked the last one end
// CHECK-NEXT: start 200B 80B 80B 80B 80B
// CHECK-NEXT: {{ +}}10 4 4 4 4
// CHECK-NEXT: loaded 1.17KiB 1.17KiB 300B 300B
// CHECK-NEXT: {{ +}}12 12 3 3
// CHECK-NEXT: asked 0B 0B 0B
// CHECK-NEXT: {{ +}}0 0 0
// CHECK-NEXT: the last one 1000B 1000B
// CHECK-NEXT: {{ +}}1 1
// CSV:      pid,from,to,live_at,chunks,bytes,estimated
// CSV-NEXT: {{[0-9]+}},"start","loaded",,10,200,0
// CSV-NEXT: {{[0-9]+}},"start","loaded","loaded",4,80,0
// CSV-NEXT: {{[0-9]+}},"start","loaded","asked",4,80,0
//
// RUN: env HEAPPROF_OPTIONS=chunk_log_point=8:dump_dir=thin ./app marks more && env COLUMNS=200 %heapprof_score --by generation thin/* | FileCheck --check-prefix=THIN %s
// RUN: env COLUMNS=80 %heapprof_score --by generation thin/* | FileCheck --check-prefix=NARROW %s
// NARROW: born after in all w7 w8 w9 end
// NARROW: 10 earlier moments are left out; --csv, --json or a wider COLUMNS has all
// THIN: {{^}}loaded ~{{[0-9.]+KiB}}
// RUN: env HEAPPROF_OPTIONS=dump_dir=plain ./app && not %heapprof_score --by generation plain 2>&1 | FileCheck --check-prefix=NO-MARK %s
// NO-MARK: heapprof-score: the program set no marks; __heapprof_mark("loaded") at the moments that matter divides the run into generations
// RUN: env HEAPPROF_OPTIONS=chunk_log=none:dump_dir=none ./app marks && not %heapprof_score --by generation none 2>&1 | FileCheck --check-prefix=NO-LOG %s
// NO-LOG: heapprof-score: generations need the chunk log; this one has no chunk of point {{[0-9]+}}, profile with HEAPPROF_OPTIONS=chunk_log=all
// RUN: %heapprof_merge -o merged thin none && not %heapprof_score --by generation merged 2>&1 | FileCheck --check-prefix=MERGED %s
// MERGED: heapprof-score: generations need the chunk log; a merged dump has none, ask the dumps it was merged of
// RUN: not %heapprof_score --by generation --findings dump 2>&1 | FileCheck --check-prefix=TABLE %s
// TABLE: generations are a table of their own; leave --findings and --process out
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>

static void *first[10], *second[12], *third, *more[1000];

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 10; i++)
    first[i] = malloc(20);
  for (int i = 0; i < 6; i++)
    free(first[i]); /* 4 of 10 are live at the first mark, and ever after */
  if (argc > 1)
    __heapprof_mark("loaded");
  for (int i = 0; i < 12; i++)
    second[i] = malloc(100);
  for (int i = 0; argc > 2 && i < 1000; i++)
    more[i] = malloc(100);
  if (argc > 1) {
    __heapprof_mark("asked");
    __heapprof_mark("loaded"); /* the first of a name counts */
  }
  for (int i = 0; i < 9; i++)
    free(second[i]); /* 3 of 12 stay */
  if (argc > 1)
    __heapprof_mark("the last one");
  for (char name[] = "w0"; argc > 2 && name[1] <= '9'; name[1]++)
    __heapprof_mark(name);
  third = malloc(1000);
  return 0;
}
