// false-sharing-members.c - two counters of one record, each written by a thread of its own, lie in one cache line; twins that are right.
// REPAIRED: a line apart.  ALIKE: both threads write both.  ASKED: each thread reads the other's, which is sharing.  ONE: a single thread writes.
// HANDED: a record that one thread is done with when the other one begins.  Seen in runs that count members; in turns by a barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -fsanitize-heapprof-members -O2 -g %s -o %t -pthread && env HEAPPROF_OPTIONS=members=1 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --by member --json %dump/heapprof.* > %t.json && %python %S/Inputs/false_lines.py %t.json
// RUN: %heapprof_score --by member --type stats %dump/heapprof.* | FileCheck --check-prefix=TABLE %s
// TABLE: false sharing in the line at 64: hits (thread {{[0-9]+}}), misses (thread {{[0-9]+}}), 400 turns
// CHECK: Likely: hits (thread {{[0-9]+}}, 2000 writes) and misses (thread {{[0-9]+}}, 2000 writes) of stats (false-sharing-members.c:{{[0-9]+}}) lie in one cache line, at offset 64, and threads write them in turns: another thread did 400 times in 1 counted chunk.
// CHECK-SAME: -> Move them apart: alignas(64) on each
// CHECK-SAME: [false_sharing]
// RUN: %clang_heapprof -fsanitize-heapprof-members -O2 -g -DREPAIRED %s -o %t.repaired -pthread && env HEAPPROF_OPTIONS=members=1 %run %t.repaired && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -fsanitize-heapprof-members -O2 -g -DALIKE %s -o %t.alike -pthread && env HEAPPROF_OPTIONS=members=1 %run %t.alike && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -fsanitize-heapprof-members -O2 -g -DASKED %s -o %t.asked -pthread && env HEAPPROF_OPTIONS=members=1 %run %t.asked && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -fsanitize-heapprof-members -O2 -g -DONE %s -o %t.one -pthread && env HEAPPROF_OPTIONS=members=1 %run %t.one && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -fsanitize-heapprof-members -O2 -g -DHANDED %s -o %t.handed -pthread && env HEAPPROF_OPTIONS=members=1 %run %t.handed && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// Without the option nobody knows.
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// NONE-NOT: [false_sharing]
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 200, WRITES = 10 };

struct stats {
  char title[64];
  volatile long hits;
#ifdef REPAIRED
  char apart[56];
#endif
  volatile long misses;
  long total;
};

static pthread_barrier_t barrier;
static struct stats *stats;

static void count(volatile long *own, volatile long *other) {
  for (int i = 0; i < WRITES; i++) {
#if defined ALIKE
    *own += 1;
    *other += 1;
#elif defined ASKED
    *own = *other + 1;
#else
    *own += 1;
#endif
  }
  (void)other;
}

/* One after the other, both TURNS times. */
static void *work(void *arg) {
  const int is_second = arg != NULL;
  for (int turn = 0; turn < 2 * TURNS; turn++) {
#ifdef HANDED
    const int is_mine = (turn >= TURNS) == is_second;
#elif defined ONE
    const int is_mine = is_second;
#else
    const int is_mine = turn % 2 == is_second;
#endif
    if (is_mine && is_second)
      count(&stats->misses, &stats->hits);
    else if (is_mine)
      count(&stats->hits, &stats->misses);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

__attribute__((noinline)) static struct stats *make(void) {
  struct stats *made = malloc(sizeof *made);
  memset(made, 0, sizeof *made);
  return made;
}

int main(void) {
  pthread_t threads[2];
  stats = make();
  pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, i ? &threads : NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  stats->total = stats->hits + stats->misses;
  return stats->total == 1;
}
