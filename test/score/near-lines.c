// near-lines.c - a call that the compiler gave no line shows the nearest before it in its function, marked as near.
// In a function inlined, in a caller, with and without the optimiser; one without code before it has no line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for level in -O0 -O2; do %clang_heapprof $level -g %s -o %t && %run %t || exit 1; \
// RUN:   env COLUMNS=200 %heapprof_score %dump/heapprof.* | FileCheck %s --check-prefix=TABLE || exit 1; \
// RUN:   %heapprof_score --stacks %dump/heapprof.* > %t.stacks || exit 1; \
// RUN:   %heapprof_score --stacks --csv %dump/heapprof.* > %t.csv || exit 1; \
// RUN:   FileCheck %s --check-prefix=STACKS < %t.stacks && FileCheck %s --check-prefix=CSV < %t.csv || exit 1; done
// TABLE-DAG: make near-lines.c:~205
// TABLE-DAG: inlined near-lines.c:~304
// TABLE-DAG: none near-lines.c {{.*}} 30B
// STACKS: #0 inlined {{.*}}near-lines.c:~304 (inlined)
// STACKS-NEXT: #1 outer {{.*}}near-lines.c:405:13
// STACKS-NEXT: #2 main {{.*}}near-lines.c:~503
// CSV: ,inlined,{{[^,]*}}near-lines.c,,,
// CSV-SAME: "inlined {{.*}}near-lines.c:~304:0
// CSV-NEXT: outer {{.*}}near-lines.c:405:13
// CSV-NEXT: main {{.*}}near-lines.c:~503:0
//
// From the cache of symbols, as from the debug information.
// RUN: rm %t && %heapprof_score --stacks %dump/heapprof.* | grep '#.*near-lines.c:' > %t.cached
// RUN: grep '#.*near-lines.c:' %t.stacks | diff - %t.cached
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %python %S/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json < %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON-DAG: "line": 304, "line_is_near": true, "column": null
// JSON-DAG: "line": 503, "line_is_near": true, "column": null
// JSON-DAG: "line": 405, "column": 13
// RUN: %heapprof_score --by site --json %dump/heapprof.* | grep '"key": "inlined [^"]*near-lines.c:~304:0"'
//
// Formats that cannot say so have no line.
// RUN: %heapprof_export --format=speedscope %dump/heapprof.* -o %t.speedscope
// RUN: FileCheck %s --check-prefix=SPEEDSCOPE < %t.speedscope
// SPEEDSCOPE: "line": 405
// SPEEDSCOPE-NOT: "line": {{304|503|205}}
// RUN: %heapprof_export --format=callgrind %dump/heapprof.* | not grep -E '^(304|503|205) '
// RUN: %heapprof_export --format=dhat %dump/heapprof.* | grep 'near-lines.c:~304)'
// RUN: %heapprof_report --json %dump/heapprof.* > %t.report
// RUN: %python -c 'import json, sys; f = json.load(open(sys.argv[1]))["frames"]; \
// RUN:   print(sorted(line for line, near in zip(f["line"], f["line_is_near"]) if near))' %t.report | grep -xF '[205, 304, 503]'
#include <stdlib.h>
static volatile int used;
static void *volatile sink;
// clang-format off: empty lines count.
#line 201
__attribute__((noinline)) char *make(size_t n) {



  used++;
#line 0
  char *p = malloc(n);
#line 207
  p[0] = 1;
  return p;
}
#line 303
static inline __attribute__((always_inline)) char *inlined(size_t n) {
  used += 2;
#line 0
  char *p = malloc(n);
#line 306
  p[0] = 1;
  return p;
}
#line 403
__attribute__((noinline)) char *outer(size_t n) {
  used += 3;
  char *p = inlined(n);
  p[1] = 2;
  return p;
}
#line 0
__attribute__((noinline)) char *none(size_t n) { return malloc(n); }
#line 500
int main(void) {
  sink = make(10);
  sink = none(30);
  used--;
#line 0
  sink = outer(40);
#line 506
  return 0;
}
