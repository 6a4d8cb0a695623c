// initialised-only.c - tables of 64 slots that are all initialised, for 3 entries each, and their twins of 4 slots.
// Initialised only, though who frees a table reads each of its slots.  FILLED, CLEARED and DATA look alike, and are right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --stacks %dump/heapprof.* | FileCheck --check-prefix=STACKS %s
// RUN: %clang_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=KEPT %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DFILLED %s -o %t.filled && %run %t.filled
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DCLEARED %s -o %t.cleared && %run %t.cleared
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DDATA %s -o %t.data && %run %t.data
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// CHECK: Likely: ~500 chunks of ~1.52 KiB (table) from make_table (initialised-only.c:{{[0-9]+}}) are too large:
// CHECK-SAME: ~9{{[0-9]}} % of the bytes are initialised, and neither read nor written later, but for
// CHECK-SAME: free_table (initialised-only.c:{{[0-9]+}}), which takes them down ({{[0-9]+}} chunks looked at):
// CHECK-SAME: -> Begin with less, and let it grow: ~{{[6-9][0-9]|1[0-4][0-9]}} B per chunk were enough on average.
// CHECK-SAME: [initialised_only]
// STACKS: KiB initialised only ({{[0-9]+}} chunks looked at)
// KEPT: ~500 chunks of ~1.52 KiB (table) from make_table
// KEPT-SAME: ~9{{[0-9]}} % of the bytes are initialised, and neither read nor written later ({{[0-9]+}} chunks looked at):
// KEPT-SAME: -> Make its arrays smaller, or what few need a chunk of its own: ~{{[6-9][0-9]|1[0-4][0-9]}} B per chunk were enough on average.
// KEPT-SAME: [initialised_only]
// NONE-NOT: [initialised_only]
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TABLES 500
#ifdef REPAIRED
#define SLOTS 4
#else
#define SLOTS 64
#endif
#if defined(FILLED) || defined(CLEARED) || defined(DATA)
#define ENTRIES SLOTS
#else
#define ENTRIES 3
#endif

struct slot {
  int next, kind;
  void *key, *value;
};

struct table {
  int count, free;
  long hits;
#ifdef KEPT
  struct slot slots[SLOTS];
#else
  struct slot slots[];
#endif
};

/* CLEARED: all of it at once; DATA: the entries, which are the only thing there
   ever is, and nothing before. */
__attribute__((noinline)) struct table *make_table(void) {
#ifdef KEPT
  struct table *t = malloc(sizeof *t);
#else
  struct table *t = malloc(sizeof *t + SLOTS * sizeof *t->slots);
#endif
#ifdef CLEARED
  memset(t, 0, sizeof *t + SLOTS * sizeof *t->slots);
#endif
  t->count = t->free = 0;
  t->hits = 0;
  for (int i = 0; i < SLOTS; i++)
#ifdef DATA
    t->slots[i] = (struct slot){1, i, NULL, NULL};
#elif !defined(CLEARED)
    t->slots[i] = (struct slot){i - 1, 0, NULL, NULL};
#endif
  return t;
}

__attribute__((noinline)) void put(struct table *t, int kind) {
  struct slot *s = &t->slots[t->count++];
#ifndef DATA
  s->kind = kind;
  s->key = t;
  s->value = malloc(8);
#else
  (void)s;
#endif
}

__attribute__((noinline)) int look_up(struct table *t, int kind) {
  t->hits++;
#ifdef DATA
  return t->slots[0].kind == kind; /* the first is what is asked for here */
#else
  for (int i = 0; i < t->count; i++)
    if (t->slots[i].kind == kind && t->slots[i].key && t->slots[i].value &&
        t->slots[i].next >= -1)
      return 1;
  return 0;
#endif
}

__attribute__((noinline)) void free_table(struct table *t) {
  for (int i = 0; i < t->count + 4; i++)
    if (t->slots[i % SLOTS].value)
      free(t->slots[i % SLOTS].value);
  free(t);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct table *tables[TABLES];

int main(void) {
  const double start = now();
  int found = 0;
  for (int i = 0; i < TABLES; i++) {
    tables[i] = make_table();
    for (int k = 0; k < ENTRIES; k++)
      put(tables[i], k);
    for (int k = 0; k < 4; k++)
      found += look_up(tables[i], k);
  }
#ifndef KEPT
  const double end =
      now() + 12 * (now() - start) + 0.2; /* also if it is busy */
  while (now() < end)
    ;
  for (int i = 0; i < TABLES; i++)
    free_table(tables[i]);
#endif
  return found == 0;
}
