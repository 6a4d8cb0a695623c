// one-rank.c - of a program's ranks only some are profiled, merged or shown: those that a list names.  What has no rank is none of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && %clang_heapprof -O1 -g %s -o %t.d/app
// RUN: cd %t.d && for n in 0 1 2 3; do PMI_RANK=$n HEAPPROF_OPTIONS=dump_dir=all ./app $n; done
// RUN: cd %t.d && for n in 0 1 2 3; do PMI_RANK=$n HEAPPROF_OPTIONS="dump_dir=some:only_ranks='1,3-7'" ./app $n; done && ls some | count 2
// RUN: cd %t.d && HEAPPROF_OPTIONS=dump_dir=some:only_ranks=0-9 ./app 0 && ls some | count 2
// RUN: cd %t.d && not env PMI_RANK=1 HEAPPROF_OPTIONS=only_ranks=one ./app 0 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: only_ranks=one: not a list of ranks such as 0,3-5
//
// Merged: as if the others were not there.
// RUN: cd %t.d && %heapprof_merge -o odd --rank=1,3-7 all/* 2> err && FileCheck --check-prefix=LEFT %s < err
// LEFT: heapprof-merge: 2 dumps of other ranks left out
// RUN: cd %t.d && %heapprof_score --json odd | FileCheck --check-prefix=ODD %s
// ODD: "rank": "{{[13]}}"
// ODD: "rank": "{{[13]}}"
// ODD-NOT: "rank":
// ODD: "chunks": 24,
// RUN: cd %t.d && %heapprof_merge -o odd_again --rank=0-3 odd && diff -r odd odd_again
// RUN: cd %t.d && not %heapprof_merge -o no --rank=1 odd 2>&1 | FileCheck --check-prefix=MIXED %s
// MIXED: odd: holds other ranks than 1, too; merge the dumps that it was made of
// RUN: cd %t.d && test ! -e no
//
// Shown: points of these ranks, where points are of one process each.
// RUN: cd %t.d && %heapprof_score --csv --filter rank=2-3 all/* | wc -l | grep -x 3
// RUN: cd %t.d && %heapprof_score --csv --filter '!rank=2-3' all/* | wc -l | grep -x 3
// RUN: cd %t.d && %heapprof_score --csv --filter 'rank=0-1 rank=1-2' all/* | wc -l | grep -x 2
// RUN: cd %t.d && %heapprof_score --csv --filter rank=2 all/* | grep -c ',12,' | grep -x 1
// RUN: cd %t.d && not %heapprof_score --filter rank=x all/* 2>&1 | FileCheck --check-prefix=TERM %s
// TERM: heapprof-score: filter: rank=x: not a list of ranks such as 0,3-5
// RUN: cd %t.d && not %heapprof_score --filter rank=1 odd 2>&1 | FileCheck --check-prefix=SEVERAL %s
// SEVERAL: filter: rank= cannot divide points that several processes of a merged dump have; merge the dumps of these ranks alone, by heapprof-merge --rank
#include <stdlib.h>

int main(int argc, char **argv) {
  const int count = 10 + atoi(argv[argc - 1]);
  for (int i = 0; i < count; i++) {
    char *volatile p = malloc(100);
    p[0] = 1;
    free(p);
  }
  return 0;
}
