/* wrapper-constant.c - a constructor that four functions call, and that makes buffers of one size each beside its record, is the
   place of those: they are no memory that it passes on. A line that makes as many bytes as its callers ask for is theirs.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t && %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DASKED %s -o %t.asked && %run %t.asked && %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=ASKED %s
// CHECK-NOT: from {{(begin|sign|patch|load)}}_job
// CHECK:     160 chunks of 96.0 KiB (unsigned char) from new_job (wrapper-constant.c:[[#@LINE+17]]) are never read nor written
// CHECK-NOT: from {{(begin|sign|patch|load)}}_job
// ASKED-DAG: from begin_job (wrapper-constant.c:[[#]]) are never read nor written
// ASKED-DAG: from load_job (wrapper-constant.c:[[#]]) are never read nor written
#include <stdlib.h>

#define APART __attribute__((noinline))

struct job {
  int kind;
  unsigned char *buffer;
  long sums[6];
};

APART static struct job *new_job(int kind, size_t bytes) {
  struct job *job = calloc(1, sizeof *job);
  job->kind = kind;
  job->buffer = malloc(bytes);
  return job;
}

#ifdef ASKED
#define BYTES(kind) (98304 + 16 * (kind))
#else
#define BYTES(kind) 98304
#endif

APART static struct job *begin_job(void) { return new_job(1, BYTES(1)); }
APART static struct job *sign_job(void) { return new_job(2, BYTES(2)); }
APART static struct job *patch_job(void) { return new_job(3, BYTES(3)); }
APART static struct job *load_job(void) { return new_job(4, BYTES(4)); }

int main(void) {
  long sum = 0;
  for (int i = 0; i < 160; i++) {
    struct job *(*const make[])(void) = {begin_job, sign_job, patch_job,
                                         load_job};
    struct job *job = make[i % 4]();
    sum += job->kind + job->sums[i % 6];
    free(job->buffer);
    free(job);
  }
  return sum != 400;
}
