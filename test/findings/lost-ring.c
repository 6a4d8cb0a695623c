// lost-ring.c - lists that are linked both ways: each member is pointed to by its neighbours, and all are lost.
// One member of each is told of, the others hang from it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// Of samples the neighbours may be in none: they point to it nevertheless.
// RUN: rm -rf %t.d && env HEAPPROF_OPTIONS="dump_dir='%t.d':sample_every=200:sample_seed=7" %t
// RUN: %heapprof_score --findings %t.d/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=SAMPLED %s
// SAMPLED: Fact: ~{{[0-9]+}} chunks of ~32 B (member) from append (lost-ring.c:{{[0-9]+}}) are lost: nothing outside points to them at the end
// CHECK: 1. Fact: 100 chunks of 32 B (member) from append (lost-ring.c:[[#]]) are lost: nothing outside points to them at the end, nor to 900 more, 28.1 KiB in all, that only hang from them:
// CHECK-SAME: [lost]
// CHECK-NOT: [lost]
// REPAIRED-NOT: [lost]
#include <stdlib.h>

struct member {
  struct member *next, *before;
  long value, sum;
};

__attribute__((noinline)) static void append(struct member *ring, long value) {
  struct member *member = malloc(sizeof *member);
  member->value = value;
  member->sum = value;
  member->next = ring;
  member->before = ring->before;
  ring->before->next = member;
  ring->before = member;
}

/* The head goes, and its ring closes behind it. */
__attribute__((noinline)) static long leave(struct member *head) {
  long sum = 0;
  for (struct member *member = head->next; member != head;
       member = member->next)
    sum += member->value + member->sum;
  head->next->before = head->before;
  head->before->next = head->next;
#ifdef REPAIRED
  head->before->next = NULL;
  for (struct member *member = head->next, *next; member; member = next) {
    next = member->next;
    free(member);
  }
#endif
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 100; i++) {
    struct member head = {&head, &head, 0, 0};
    for (int k = 0; k < 10; k++)
      append(&head, k);
    sum += leave(&head);
  }
  return sum != 100 * 90;
}
