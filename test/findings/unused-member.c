// unused-member.c - nodes of a list with a name that is written and never read; a twin without it, and one that prints it once.
// What nobody reads is a member, not the chunk: seen in runs that count members.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 -g %s -o %t && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DREPAIRED %s -o %t.repaired && %clang_heapprof -fsanitize-heapprof-members -O1 -g -DREAD %s -o %t.read
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.repaired && %heapprof_score --json %dump/heapprof.* > %t.repaired.json
// RUN: %python %S/Inputs/kept_promise.py unused_member %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: env HEAPPROF_OPTIONS=members=1 %run %t.read && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// Without the option nobody counts, without debug information no member has a name.
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 %s -o %t.bare && env HEAPPROF_OPTIONS=members=1 %run %t.bare && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %heapprof_score --by member %dump/heapprof.* | FileCheck --check-prefix=BARE %s
// CHECK: Likely: name of node (unused-member.c:{{[0-9]+}}) is never read in any of {{[0-9]+}} chunks that were counted, of 20000; without that a record has 24 bytes instead of 40: 312 KiB of malloc's memory at the peak
// CHECK-SAME: -> Remove name,
// CHECK-SAME: [unused_member]
// NONE-NOT: {{\[(unused_member|cold_tail)\]}}
// BARE: node: 40 bytes, 20000 chunks
// BARE: no debug information of this type: offsets without names
// BARE: {{^ +0 +8 +[1-9][0-9]+ .* - }}
#include <stdlib.h>
#include <string.h>

enum { NODES = 20000 };
struct node {
  struct node *next;
  int key, colour;
  long visits;
#ifndef REPAIRED
  char name[16];
#endif
};

static struct node *first;

__attribute__((noinline)) static void make(int key) {
  struct node *node = malloc(sizeof *node);
  node->next = first;
  node->key = key;
  node->colour = key & 7;
  node->visits = 0;
#ifndef REPAIRED
  memset(node->name, 'a' + key % 26, sizeof node->name);
#endif
  first = node;
}

__attribute__((noinline)) static long walk(int colour) {
  long sum = 0;
  for (struct node *node = first; node; node = node->next) {
    if (node->colour == colour)
      node->visits++;
    sum += node->key + node->visits;
#ifdef READ
    sum += node->name[colour];
#endif
  }
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < NODES; i++)
    make(i);
  for (int i = 0; i < 8; i++)
    sum += walk(i);
  return sum == 1;
}
