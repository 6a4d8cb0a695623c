// sets.c - sets of chunks of a program of which one can say how many: each key of the log, names, sums, two runs.
// And the one line where the log cannot answer: thinned to an estimate, none, merged, killed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d && %clang_heapprof -g -O0 -fno-builtin -pthread %s -o app
// RUN: env HEAPPROF_OPTIONS=chunk_log=all:dump_dir=all ./app && mv all/heapprof.app.* dump
// RUN: %python %S/Inputs/sets.py %heapprof_score dump '!accesses=unknown' 'size=64' 'size=64 & live_at(filled)' 'live_at(end) & size=64' \
// RUN:   'live_at(swapped) & !live_at(filled)' 'died(filled..swapped)' 'freed_in(drop*)' 'freed_in(close_it)' 'free_site=close_it & thread=1' \
// RUN:   'thread=2' 'thread=2 & free_thread=1' 'thread=2 free_thread!=2' 'size=64 & writes=0' 'size=64 & reads=0 & writes=1' \
// RUN:   'interval=1B & thread=2' 'interval<50%% & born(swapped..)' 'function=worker size<100' 'type=node | thread=2' \
// RUN:   'flag=never_freed & size<64' 'born(start..filled) & died' 'size>=32 & size<=81 & !size=64 & thread=1 & died & reads>0' > sets.out
// RUN: FileCheck --match-full-lines --input-file=sets.out %s
// CHECK: !accesses=unknown: 330, 43205
// CHECK-NEXT: size=64: 161, 10304
// CHECK-NEXT: size=64 & live_at(filled): 100, 6400
// CHECK-NEXT: live_at(end) & size=64: 100, 6400
// CHECK-NEXT: live_at(swapped) & !live_at(filled): 60, 3840
// CHECK-NEXT: died(filled..swapped): 110, 6665
// CHECK-NEXT: freed_in(drop*): 85, 5265
// CHECK-NEXT: freed_in(close_it): 125, 31400
// CHECK-NEXT: free_site=close_it & thread=1: 25, 1400
// CHECK-NEXT: thread=2: 120, 30140
// CHECK-NEXT: thread=2 & free_thread=1: 20, 140
// CHECK-NEXT: thread=2 free_thread!=2: 20, 140
// CHECK-NEXT: size=64 & writes=0: 41, 2624
// CHECK-NEXT: size=64 & reads=0 & writes=1: 120, 7680
// CHECK-NEXT: interval=1B & thread=2: 100, 30000
// CHECK-NEXT: interval<50% & born(swapped..): {{12[0-9]}}, {{3[0-9]*}}
// CHECK-NEXT: function=worker size<100: 20, 140
// CHECK-NEXT: type=node | thread=2: 280, 40380
// CHECK-NEXT: flag=never_freed & size<64: 0, 0
// CHECK-NEXT: born(start..filled) & died: 60, 3840
// CHECK-NEXT: size>=32 & size<=81 & !size=64 & thread=1 & died & reads>0: 49, 2761
// CHECK-NEXT: sums hold
//
// RUN: %heapprof_score --json --filter 'size=64 & !live_at(filled)' dump | %python %S/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json
// RUN: %heapprof_score --filter 'size=64 & !live_at(filled)' dump | FileCheck --check-prefix=TABLE %s
// TABLE: set: size=64 & !live_at(filled)
// TABLE-NEXT: points 2 of {{[56]}} (1 in part), chunks 61 of 33{{[01]}}, bytes 3.81KiB, peak 3.75KiB, live 3.75KiB
// TABLE: main sets.c:[[#SECOND:]] {{.*}} 60 3.75KiB
//
// Names, given and found in the dump; what is wrong with them.
// RUN: echo 'kept = live_at(end) & node' > a.sets && echo 'node = size=64 & !thread=2' >> a.sets
// RUN: %heapprof_score --sets a.sets --filter 'kept & born(filled..)' dump | FileCheck --check-prefix=NAMED %s
// RUN: cp a.sets dump/sets && %heapprof_score --filter 'kept & born(filled..)' dump | FileCheck --check-prefix=NAMED %s
// RUN: %heapprof_export --format=folded --filter kept dump | wc -l | FileCheck --check-prefix=ROWS %s
// RUN: echo 'node = !kept' >> dump/sets && not %heapprof_score --filter kept dump 2>&1 | FileCheck --check-prefix=TWICE %s && rm dump/sets
// RUN: not %heapprof_score --sets none.sets dump 2>&1 | FileCheck --check-prefix=MISSING %s
// NAMED: set: kept & born(filled..)
// NAMED-NEXT: chunks 60 of
// ROWS: {{^2$}}
// TWICE: heapprof-score: dump/sets:3: the set node is there already, in line 2
// MISSING: heapprof-score: none.sets: No such file or directory
//
// Findings are those of the set; of parts only what its chunks say.
// RUN: %heapprof_score --findings --filter 'reads=0 & !born(start..filled)' dump | FileCheck --check-prefix=FINDINGS %s
// FINDINGS: findings of this set; shares are of the whole program
//
// RUN: env HEAPPROF_OPTIONS=chunk_log=all:dump_dir=again ./app more && %heapprof_diff --filter 'size=64 & live_at(end)' --all dump again/* | tr -s ' ' | FileCheck --check-prefix=DIFF %s
// RUN: %heapprof_diff --json --filter 'size=64 & live_at(end)' dump again/* | FileCheck --check-prefix=JSON %s
// Sets of one run, asked of the places of both.
// RUN: echo 'extra = size=64 & born(swapped..)' > b.sets && echo 'kept = size=64 & live_at(end) & born(..swapped)' >> b.sets
// RUN: %heapprof_diff --sets b.sets --filter 'new:extra & !old:extra' --all dump again/* | tr -s ' ' | FileCheck --check-prefix=ONLY-NEW %s
// RUN: %heapprof_diff --sets b.sets --filter 'old:extra' --all dump again/* | FileCheck --check-prefix=ONLY-OLD %s
// RUN: %heapprof_diff --sets b.sets --filter 'old:kept & new:kept & live_at(end)' --all dump again/* | tr -s ' ' | FileCheck --check-prefix=BOTH %s
// RUN: not %heapprof_diff --filter 'old:kept' dump again/* 2>&1 | FileCheck --check-prefix=UNNAMED %s
// RUN: not %heapprof_score --sets b.sets --filter 'old:kept' dump 2>&1 | FileCheck --check-prefix=SINGLE %s
// ONLY-NEW: new 0B 2.50KiB +2.50KiB +40 +2.50KiB
// ONLY-NEW-NOT: {{(new|gone) .*KiB}}
// ONLY-OLD-NOT: {{(new|gone) .*KiB}}
// BOTH: chunks 100 100 0
// UNNAMED: heapprof-diff: dump: no set is named "kept"; give its file by --sets
// SINGLE: heapprof-score: filter: old: and new: are of two runs that heapprof-diff compares (at column 1)
// DIFF: of the set old new change
// DIFF: chunks 100 140 +40
// JSON: "chunks": 100, {{.*}}
//
// RUN: env HEAPPROF_OPTIONS=chunk_log_point=16:dump_dir=thin ./app && %heapprof_score --filter 'size=64 & died' thin/* | tr -s '\n ' ' ' | FileCheck --check-prefix=THIN %s
// THIN: chunks ~{{[0-9]+}} of
// THIN: note: the set is an estimate: chunks +-{{[1-9][0-9]*}}, bytes +-{{[1-9][0-9]*}} (standard errors)
// RUN: env HEAPPROF_OPTIONS=chunk_log=none:dump_dir=none ./app && not %heapprof_score --filter 'type=x | size=64' none/* 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %heapprof_score --filter 'type=node & flag=never_freed' none/* | grep 'set: type=node'
// RUN: %heapprof_score --filter 'type=nowhere & size=64' none/* | grep 'no point passes'
// RUN: %heapprof_merge -o merged none thin && not %heapprof_score --filter 'died' merged 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %heapprof_build_dir/test/bin/heapprof-make-dump killed heapprof.killed && not %heapprof_score --filter 'died' heapprof.killed 2>&1 | FileCheck --check-prefix=KILLED %s
// RUN: not %heapprof_score --filter 'size=64 & live_at(never)' dump 2>&1 | FileCheck --check-prefix=MARK %s
// RUN: not %heapprof_report --filter 'size=64' -o - dump 2>&1 | FileCheck --check-prefix=REPORT %s
// NONE: heapprof-score: filter: size needs the chunk log; this one has no chunk of point {{[0-9]+}}, profile with HEAPPROF_OPTIONS=chunk_log=all (at column 10)
// MERGED: heapprof-score: filter: died needs the chunk log; a merged dump has none, ask the dumps it was merged of (at column 1)
// KILLED: heapprof-score: filter: died needs the chunk log; this one was cut off, without what was live (at column 1)
// MARK: heapprof-score: filter: the program set no mark "never"; it set filled, swapped (at column 11)
// REPORT: heapprof-report: filter: size is of single chunks, which this command does not ask
#include <pthread.h>
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>

enum { NODES = 100, TEXTS = 50, SWAPPED = 60, ROUNDS = 100, RESULTS = 20 };

struct node {
  struct node *next;
  char text[56];
};
static struct node *nodes[NODES];
static void *results[RESULTS], *more[40];

__attribute__((noinline)) static void close_it(void *chunk) { free(chunk); }
__attribute__((noinline)) static void drop_it(void *chunk) { free(chunk); }

static void *worker(void *argument) {
  for (int i = 0; i < ROUNDS; i++) {
    char *text = malloc(300);
    text[0] = 1;
    close_it(text);
  }
  for (int i = 0; i < RESULTS; i++)
    results[i] = malloc(7);
  return argument;
}

static void make_texts(void) {
  for (int i = 0; i < TEXTS; i++) {
    volatile char *text = calloc(1, 32 + (size_t)i);
    (void)text[0];
    if (i % 2)
      drop_it((void *)text);
    else
      close_it((void *)text);
  }
}

int main(int argc, char **argv) {
  pthread_t thread;
  (void)argv;
  for (int i = 0; i < NODES; i++)
    nodes[i] = malloc(sizeof *nodes[i]);
  __heapprof_mark("filled");
  make_texts();
  for (int i = 0; i < SWAPPED; i++) {
    nodes[i]->next = NULL;
    drop_it(nodes[i]);
  }
  for (int i = 0; i < SWAPPED; i++) {
    nodes[i] = malloc(sizeof *nodes[i]);
    nodes[i]->next = NULL;
  }
  __heapprof_mark("swapped");
  for (int i = 0; argc > 1 && i < 40; i++)
    more[i] = malloc(64);
  if (pthread_create(&thread, NULL, worker, NULL) != 0)
    return 1;
  pthread_join(thread, NULL);
  for (int i = 0; i < RESULTS; i++)
    free(results[i]);
  return 0;
}
