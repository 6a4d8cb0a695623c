// Four processes of one program, two of them ranks: in whatever order their dumps are merged, and in however many
// steps, the result has the same bytes; its numbers are those of all of them together.
//
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clang_heapprof -O1 -g %s -o %t.d/ranks
// RUN: cd %t.d && for n in 1 2 3 4; do \
// RUN:   mkdir $n && OMPI_COMM_WORLD_RANK=$((n + 8)) HEAPPROF_OPTIONS=dump_dir=$n ./ranks $((n * 100)); done
// RUN: cd %t.d && %heapprof_merge -o ab 1 2 && %heapprof_merge -o ba 2 1 && diff -r ab ba
// RUN: cd %t.d && %heapprof_merge -o cd 3 4 && %heapprof_merge -o bc 2 3
// RUN: cd %t.d && %heapprof_merge -o ab_cd ab cd && %heapprof_merge -o cd_ba cd ba && diff -r ab_cd cd_ba
// RUN: cd %t.d && %heapprof_merge -o a_bc 1 bc && %heapprof_merge -o a_bc_d 4 a_bc && diff -r ab_cd a_bc_d
// RUN: cd %t.d && %heapprof_merge -o abcd 4 3 2 1 && diff -r ab_cd abcd
//
// Merged once more it stays what it is; what is in it already does not count again.
// RUN: cd %t.d && %heapprof_merge -o again abcd && diff -r abcd again
// RUN: cd %t.d && %heapprof_merge -o twice abcd 2 ab 2> twice.err && diff -r abcd twice
// RUN: FileCheck --check-prefix=LEFT %s < %t.d/twice.err
// LEFT: heapprof-merge: 3 dumps left out: what is in there is in others, too
//
// RUN: cd %t.d && %heapprof_merge -o a 1 && %python %S/Inputs/check_merged.py %heapprof_score one a 1
// RUN: cd %t.d && %python %S/Inputs/check_merged.py %heapprof_score union abcd 1 2 3 4
//
// The table names each rank; a point is one row. Where a path is long its heading has no room for the argument.
// RUN: cd %t.d && %heapprof_score abcd | FileCheck %s
// CHECK: {{.*}}(pid {{[0-9]+}}, rank 9)
// CHECK: {{.*}}(pid {{[0-9]+}}, rank 10)
// CHECK: {{.*}}(pid {{[0-9]+}}, rank 11)
// CHECK: {{.*}}(pid {{[0-9]+}}, rank 12)
// CHECK: points 2, chunks 1004, bytes {{.*}}, peak
// CHECK: note: peaks are the sums of the peaks of 4 processes
//
// What needs a chunk log is refused, and so is a process that would count twice.
// RUN: cd %t.d && not %heapprof_score --short=5s abcd 2>&1 | FileCheck --check-prefix=LOG %s
// LOG: heapprof-score: abcd: these options need chunk logs, which a merged dump has not; leave them out, or give the dumps it was merged of
// RUN: cd %t.d && not %heapprof_score abcd 3 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: heapprof-score: abcd and 3/heapprof.{{.*}} both hold process {{[0-9]+}}; put them together with heapprof-merge, which counts it once
//
// Its time lines are those of the processes, in their order.
// RUN: cd %t.d && %heapprof_score --json abcd > s.json && %python %S/Inputs/check_series.py s.json
// RUN: %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json %t.d/s.json
//
// Every command reads it.
// RUN: cd %t.d && %heapprof_report --json abcd -o r.json && %heapprof_report abcd -o r.html
// RUN: cd %t.d && %python %S/Inputs/check_timeline.py r.json
// RUN: cd %t.d && for f in folded speedscope pprof callgrind csv sqlite; do \
// RUN:   %heapprof_export --format $f abcd -o out.$f && test -s out.$f; done
// RUN: cd %t.d && %heapprof_diff ab cd | FileCheck --check-prefix=DIFF %s
// DIFF: make
#include <stdlib.h>

__attribute__((noinline)) static char *make(size_t size) {
  char *p = malloc(size);
  p[0] = 1;
  return p;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  char *kept = make(1000 + (size_t)n), sum = kept[0];
  for (int i = 0; i < n; i++) {
    char *p = make((size_t)i + 1);
    sum = (char)(sum + p[0]);
    free(p);
  }
  free(kept);
  return sum == 127;
}
