/* tools.c - every tool copes with unknown accesses: a column says so, a score is empty, a budget keeps its limit.
   A site that mixes code with and without hooks is told by what is known; samples know no more.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -O2 -g -fPIC -c %S/Inputs/library.c -o %t.lib.o
// RUN: %clang_heapprof -O2 -g -I%S/Inputs %s -o %t %t.lib.o && %run %t
// RUN: %heapprof_score --csv --by function --filter function=library_push %dump/heapprof.* | tr -d '\r' > %t.csv
// RUN: %python %S/Inputs/csv_row.py accesses_known unknown_chunks usage useful_lifetime < %t.csv | FileCheck --check-prefix=CSV %s
// RUN: %heapprof_score --csv --filter function=own %dump/heapprof.* | tr -d '\r' > %t.csv
// RUN: %python %S/Inputs/csv_row.py accesses_known unknown_chunks usage < %t.csv | FileCheck --check-prefix=OWN %s
// A budget: nothing is known of the library's use, so that nothing breaks a limit.
// RUN: echo '{"schema": "heapprof.budget/1", "budget": [{"of": "function", "name": "library_push", "min": {"usage": 0.9}}]}' > %t.json
// RUN: %heapprof_check --budget %t.json %dump
// RUN: sed 's/library_push/own/; s/0.9/1.0/' %t.json > %t.own.json && not %heapprof_check --budget %t.own.json %dump
// Reports, comparisons, exports.
// RUN: %heapprof_report --json %dump/heapprof.* > %t.report.json
// RUN: %heapprof_report %dump/heapprof.* -o %t.html && grep -c "accesses_known" %t.html
// RUN: %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.report.schema.json %t.report.json
// RUN: %heapprof_score --json %dump/heapprof.* > %t.score.json
// RUN: %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json %t.score.json
// RUN: %python %S/../report/same_numbers.py %t.score.json %t.report.json
// RUN: %heapprof_diff --json %dump/heapprof.* %dump/heapprof.* > %t.diff.json
// RUN: for f in pprof callgrind dhat folded sqlite memprof-yaml; do %heapprof_export --format=$f -o %t.out %dump/heapprof.* || exit 1; done
// RUN: grep -c "Function: 'own'" %t.out && not grep library_push %t.out
// All of the points at one place, whoever owns them: --by module has both in one group.
// RUN: %heapprof_score --by module --stacks --filter module=tools.c.tmp %dump/heapprof.* | FileCheck --check-prefix=MIXED %s
// RUN: %heapprof_score --by module --json --filter module=tools.c.tmp %dump/heapprof.* > %t.group.json
// RUN: grep -c '"accesses_known": true, "accesses_shared": true, "unknown_chunks": 1000' %t.group.json
// Of samples the same is known.
// RUN: %env_heapprof_opts=sample_every=4 %run %t
// RUN: %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py library_push | FileCheck --check-prefix=SAMPLES %s
// CSV: accesses_known=false unknown_chunks=1000 usage= useful_lifetime=
// OWN: accesses_known=true unknown_chunks=0 usage=0.5
// MIXED: >0.50
// MIXED: without 1000 chunks whose accesses were not seen
// SAMPLES: library_push: known False, usage None, useful None, flags []
#include "library.h"
#include <stdlib.h>

__attribute__((noinline)) static long own(long value) {
  volatile long *pair = malloc(2 * sizeof *pair);
  pair[0] = value;
  long result = pair[0];
  free((void *)pair);
  return result;
}

int main(void) {
  struct node *list = NULL;
  long sum = 0;
  for (int i = 0; i < 1000; i++) {
    list = library_push(list, i);
    sum += own(i);
  }
  return sum != library_drain(list);
}
