// mostly-zero.c - rows of a table of which few fields are set; twins that keep those only, and that set most of them.
// Mostly zero, by what the chunks hold; rows above 64 KiB by parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %clang_heapprof -O2 -g -DDENSE %s -o %t.dense
// RUN: env HEAPPROF_OPTIONS=contents=1 %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: env HEAPPROF_OPTIONS=contents=1 %run %t.repaired && %heapprof_score --json %dump/heapprof.* > %t.repaired.json
// RUN: %python %S/Inputs/kept_promise.py mostly_zero %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: env HEAPPROF_OPTIONS=contents=1 %run %t.dense && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DFIELDS=100000 -DROWS=20 %s -o %t.large && env HEAPPROF_OPTIONS=contents=1 %run %t.large
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=PARTS %s
// Few rows that differ are no copies of one another, nor is a single one.
// RUN: for n in 1 3; do %clang_heapprof -O2 -g -DROWS=$n %s -o %t.few && env HEAPPROF_OPTIONS=contents=1 %run %t.few && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=FEW %s || exit 1; done
// FEW: {{1 chunk|3 chunks}} of 8.00 KiB (unsigned long) from make_row (mostly-zero.c:{{[0-9]+}}) {{is mostly zero: 98 % of its|are mostly zero: 98 % of their}} bytes: {{[0-9.]+}} KiB of malloc's memory at the peak
// CHECK: Likely:
// CHECK-SAME: ~200 chunks of ~8.00 KiB{{.*}} from make_row (mostly-zero.c:{{[0-9]+}}) are mostly zero: ~98 % of their bytes ({{[0-9]+}} were looked at): ~1.5{{[0-9]}} MiB of malloc's memory at the peak
// CHECK-SAME: -> Store it sparse
// CHECK-SAME: [mostly_zero]
// NONE-NOT: {{\[(duplicates|mostly_zero)\]}}
// PARTS: "contents": {"chunks": [[N:[0-9]+]], "bytes": {{[0-9]+}}, "parts_chunks": [[N]], "zero_bytes": {{1?[57][0-9]+}},
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef FIELDS
#define FIELDS 1024
#endif
#ifndef ROWS
#define ROWS 200
#endif
enum { STEP = 64 };

struct set {
  uint64_t field, value;
};

__attribute__((noinline)) static void *make_row(uint64_t number) {
  const uint64_t value = 0x0101010101010101u * (number % 200 + 1);
#ifdef REPAIRED
  struct set *row = malloc(FIELDS / STEP * sizeof *row);
  for (uint64_t i = 0; i < FIELDS / STEP; i++)
    row[i] = (struct set){i * STEP, value + i * 0x0101010101010101u};
#else
  uint64_t *row = malloc(FIELDS * sizeof *row);
  memset(row, 0, FIELDS * sizeof *row);
#ifdef DENSE
  const uint64_t step = 1;
#else
  const uint64_t step = STEP;
#endif
  for (uint64_t i = 0; i < FIELDS; i += step)
    row[i] = value + i / step * 0x0101010101010101u;
#endif
  return row;
}

static void *rows[ROWS];

int main(void) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < ROWS; i++)
    rows[i] = make_row(i);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < ROWS; i++) {
#ifdef REPAIRED
      const struct set *row = rows[i];
      for (int f = 0; f < FIELDS / STEP; f++)
        sum += row[f].field + row[f].value;
#else
      const uint64_t *row = rows[i];
      for (int f = 0; f < FIELDS; f++)
        sum += row[f];
#endif
    }
  for (int i = 0; i < ROWS; i++)
    free(rows[i]);
  return sum == 1;
}
