// chunks.c - what is said of samples: exact of each, estimates within their errors, the same choice by the same seed.
// By all forms of allocation, by realloc from one range into the other, and in pieces of all sizes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: llvm-22
// RUN: %clang_heapprof -w -fno-builtin -O1 -g %s -o %t
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %t > %t.plain
// RUN: for o in sample_every=20 sample_bytes=20000 sample_every=1 sample_bytes=1; do \
// RUN:   env HEAPPROF_OPTIONS="dump_dir='%t.d/$o':chunk_log=all:$o" %t > %t.out && cmp %t.plain %t.out && \
// RUN:   %heapprof_build_dir/test/bin/heapprof-compare-log %t.d/$o || exit 1; done | FileCheck %s --check-prefix=LOG
// LOG-COUNT-4: equal
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/full'" %t > %t.out
//
// RUN: %sampled compare-usage %t.d/sample_every=20 %t.d/full | FileCheck %s --check-prefix=WITHIN
// RUN: %sampled compare-usage %t.d/sample_bytes=20000 %t.d/full | FileCheck %s --check-prefix=WITHIN
// WITHIN: within the errors
//
// Each chunk of S bytes is written S / 8 times and read once for each write; so samples say, too.
// RUN: %heapprof_score --by function --json %t.d/sample_every=20 | FileCheck %s --check-prefix=EXACT
// EXACT: "key": "pieces", {{.*}} "chunks": [[#CHUNKS:]], {{.*}}"size": {"min": 8, "mean": {{[0-9.]+}}, "max": 2000}
// EXACT-SAME: "usage": 1,
//
// RUN: %sampled list %t.d/sample_every=20 %t.d/sample_bytes=20000 | FileCheck %s --check-prefix=TOTALS
// TOTALS: mode every interval 20 seed 0 requests [[#N:]] bytes [[#B:]]
// TOTALS: samples add up
// TOTALS: mode bytes interval 20000 seed 0 requests [[#N]] bytes [[#B]]
// TOTALS: samples add up
//
// RUN: for s in 7 7 8; do env HEAPPROF_OPTIONS="dump_dir='%t.d/seed$s':sample_every=20:sample_seed=$s" %t > %t.out; done
// RUN: set -- %t.d/seed7/*; %sampled same $1 $2 | grep -x 'the same'
// RUN: set -- %t.d/seed7/*; %sampled same $1 %t.d/seed8 | grep -x 'not the same'
//
// What is compiled for samples counts the same, and is smaller.
// RUN: %clang_heapprof -w -fno-builtin -O1 -g -mllvm -heapprof-expect-samples %s -o %t.expects
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/expects':sample_every=20:sample_seed=7" %t.expects > %t.out && cmp %t.plain %t.out
// RUN: set -- %t.d/seed7/*; %sampled same $1 %t.d/expects | grep -x 'the same'
// RUN: llvm-size %t %t.expects | awk 'NR > 1 {text[NR] = $1} END {exit !(text[3] < text[2])}'
//
// The errors are neither too small nor left to luck: by ten seeds the truth is within two of them as often as they say.
// RUN: for s in 1 2 3 4 5 6 7 8 9 10; do \
// RUN:   env HEAPPROF_OPTIONS="dump_dir='%t.d/share/$s':sample_every=50:sample_seed=$s" %t > %t.out || exit 1; done
// RUN: %sampled share %t.d/full %t.d/share/* | FileCheck %s --check-prefix=SHARE
// SHARE: estimates within two standard errors: as stated
//
// Nothing is left to chance where every chunk is a sample.
// RUN: %heapprof_score %t.d/sample_every=1 | FileCheck %s --check-prefix=ALL
// ALL: sampled one for every 1 allocations, seed 0:
// RUN: %heapprof_score --json %t.d/sample_every=1 | FileCheck %s --check-prefix=ZERO
// ZERO: "error": {"chunks": 0, "bytes": 0, "usage": 0, "useful_lifetime": 0, "peak_bytes": 0}
//
// The tables say what is an estimate.
// RUN: %heapprof_score --stacks %t.d/sample_every=20 | FileCheck %s --check-prefix=TABLE
// TABLE: , peak ~
// TABLE: points {{[0-9]+}}, chunks ~{{.*}}, bytes ~{{.*}}, peak ~
// TABLE: estimates (~) from {{[0-9]+}} of {{[0-9]+}} chunks,
// TABLE: estimated from {{[0-9]+}} samples: chunks +-
// TABLE: ~ estimated from samples
// RUN: %heapprof_diff %t.d/sample_every=20 %t.d/full | FileCheck %s --check-prefix=DIFF
// DIFF: bytes ~
// DIFF: note: estimates from samples (~), old 1 in 20, new full
// RUN: for f in folded callgrind csv; do \
// RUN:   %heapprof_export --format=$f -o %t.out %t.d/sample_every=20 2>&1 | FileCheck %s --check-prefix=EXPORT && \
// RUN:   %heapprof_export --format=$f -o %t.out %t.d/full 2>&1 | count 0 || exit 1; done
// EXPORT: heapprof-export: note: not all chunks were profiled: the numbers are estimates from {{[0-9]+}} samples
// RUN: %heapprof_diff %t.d/full %t.d/full | not grep 'estimates from samples'
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long sum;

static void use(volatile char *p, size_t n) {
  for (size_t i = 0; i + 8 <= n; i += 8) {
    *(volatile long *)(p + i) = (long)i;
    sum += (unsigned long)*(volatile long *)(p + i);
  }
}

__attribute__((noinline)) static void pieces(int rounds) {
  for (int i = 0; i < rounds; i++) {
    size_t n = (size_t)(i * 7 % 250 + 1) * 8;
    char *p = malloc(n);
    if (malloc_usable_size(p) != n)
      abort();
    use(p, n);
    free(p);
  }
}

__attribute__((noinline)) static void aligned(int rounds) {
  for (int i = 0; i < rounds; i++) {
    size_t power = (size_t)16 << i % 12;
    char *p = aligned_alloc(power, 100), *q;
    if ((size_t)p % power || posix_memalign((void **)&q, power, 70000) ||
        (size_t)q % power || malloc_usable_size(q) != 70000)
      abort();
    use(p, 96);
    use(q, 64);
    free(q);
    free(p);
  }
}

static inline __attribute__((always_inline)) void zeroed(int rounds, size_t n) {
  for (int i = 0; i < rounds; i++) {
    char *dirty = malloc(n);
    memset(dirty, 1, n);
    free(dirty);
    char *p = calloc(1, n);
    for (size_t k = 0; k < n; k += 8)
      sum += (unsigned long)p[k];
    free(p);
  }
}

__attribute__((noinline)) static void zeroed_small(void) { zeroed(3000, 40); }
__attribute__((noinline)) static void zeroed_large(void) {
  zeroed(200, 100000);
}

/* The contents survive each step, whatever is a sample. */
__attribute__((noinline)) static void grown(int rounds) {
  for (int i = 0; i < rounds; i++) {
    char *p = NULL;
    for (size_t n = 24; n < 300000; n *= 3) {
      p = realloc(p, n);
      for (size_t k = 0; k < n / 3; k++)
        if (n > 24 && p[k] != (char)(k % 101))
          abort();
      for (size_t k = 0; k < n; k++)
        p[k] = (char)(k % 101);
    }
    p = realloc(p, 10);
    for (size_t k = 0; k < 10; k++)
      if (p[k] != (char)(k % 101))
        abort();
    free(p);
  }
}

int main(void) {
  pieces(40000);
  aligned(2000);
  zeroed_small();
  zeroed_large();
  grown(200);
  void *zero = malloc(0);
  if (!zero)
    abort();
  free(zero);
  printf("%lu\n", sum);
}
