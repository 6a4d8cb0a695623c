/* freed-kept.c - a small chunk that was just freed keeps what is behind its first 16 bytes, as with libc, also one that had
   pages of its own: inspircd asks a node of a map whose service it was after it took the node out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: gcc -O1 -w %s -o %t && %t | FileCheck %s
// RUN: rm -rf %t.d && %heapprof_run --quiet -o %t.d %t | FileCheck %s
// CHECK: chunks that were lost with free: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKS = 5000, SIZE = 72, FIRST = 16 };

static unsigned char *volatile chunks[CHUNKS];

static int is_lost(unsigned i) {
  unsigned char *volatile chunk = chunks[i];
  int lost = 0;
  free(chunk);
  for (unsigned k = FIRST; k < SIZE; k++)
    lost |= chunk[k] != (unsigned char)(i | 1);
  return lost;
}

int main(void) {
  int lost = 0;
  for (unsigned i = 0; i < CHUNKS; i++) {
    chunks[i] = malloc(SIZE);
    memset(chunks[i], (int)(i | 1), SIZE);
  }
  for (unsigned i = 0; i < CHUNKS; i++)
    lost += is_lost(i);
  printf("chunks that were lost with free: %d\n", lost);
  return 0;
}
