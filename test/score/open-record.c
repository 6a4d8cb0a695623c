// open-record.c - a record that goes on behind its end, by a flexible array, is one record, also in a chunk as large as many.
// What is done to the array is its own, and not of the members that would lie there in a row of such records.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: for o in 0 2; do %clang_heapprof -fsanitize-heapprof-members -O$o -g %s -o %t && env HEAPPROF_OPTIONS=members=1:exact_time=1 %run %t && %heapprof_score --by member --json %dump/heapprof.* | tr '{' '\n' | FileCheck %s || exit 1; done
// CHECK-DAG: "type": "block", "has_layout": true, {{.*}}"size": 16, {{.*}}"elements": null, "chunks_counted": 10, {{.*}}"reads": 30, "writes": 4020, "lost": 0,
// CHECK-DAG: "member": "contents", {{.*}}"reads": 0, "writes": 4000,
// CHECK-DAG: "member": "limit", {{.*}}"offset": 0, "size": 8, {{.*}}"reads": 30, "writes": 10,
// CHECK-DAG: "member": "before", {{.*}}"offset": 8, "size": 8, {{.*}}"reads": 0, "writes": 10,
#include <stdlib.h>

struct block {
  char *limit;
  struct block *before;
  char contents[];
};
enum { BLOCKS = 10, BYTES = 400 };

__attribute__((noinline)) static struct block *make(struct block *before) {
  struct block *volatile made = malloc(sizeof *made + BYTES);
  struct block *b = made;
  b->limit = b->contents + BYTES;
  b->before = before;
  return b;
}

__attribute__((noinline)) static long fill(volatile struct block *b) {
  for (int i = 0; i < BYTES; i++)
    b->contents[i] = (char)i;
  return (b->limit - (char *)b->contents) + (b->limit - (char *)b) +
         (b->limit != NULL);
}

int main(void) {
  long sum = 0;
  struct block *last = NULL, *all[BLOCKS];
  for (int i = 0; i < BLOCKS; i++)
    sum += fill(all[i] = last = make(last));
  for (int i = 0; i < BLOCKS; i++)
    free(all[i]);
  return sum == 1;
}
