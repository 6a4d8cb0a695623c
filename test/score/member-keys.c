// member-keys.c - sets by what was done to a member: points whose counted chunks had it read, written, or never read; each point by itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -fsanitize-heapprof-members -g -O1 %s -o %t && env HEAPPROF_OPTIONS=members=1 %run %t && rm -rf %t.kept && mv %dump/heapprof.* %t.kept
// RUN: %heapprof_score --json %t.kept > %t.json && %python %S/Inputs/member_keys.py %t.json %heapprof_score %t.kept
// RUN: echo 'cold = member_unused=spare' > %t.sets && %heapprof_score --sets %t.sets --filter 'cold & member_read=key' %t.kept | grep -c walked
// RUN: not %heapprof_score --filter 'member_read>1' %t.kept 2>&1 | FileCheck --check-prefix=SIGN %s
// SIGN: heapprof-score: filter: member_read is written as in member_read=PATTERN
// RUN: rm -rf %t.kept && %run %t && not %heapprof_score --filter 'type=node & member_read=key' %dump/heapprof.* 2>&1 | FileCheck --check-prefix=OFF %s
// OFF: heapprof-score: filter: member_read needs accesses counted by member: build with -fsanitize-heapprof-members, run with HEAPPROF_OPTIONS=members=1 (at column 13)
#include <stdlib.h>

struct point {
  int x, y;
};
struct node {
  struct node *next;
  long key, spare;
  struct point at;
};

static struct node *walked_list, *kept_list;
int *numbers;

/* key and next are read, spare is written only, at.x read, at.y never touched. */
__attribute__((noinline)) static void make_walked(void) {
  for (int i = 0; i < 50; i++) {
    struct node *walked = malloc(sizeof *walked);
    walked->next = walked_list;
    walked->key = i;
    walked->spare = i;
    walked->at.x = i;
    walked_list = walked;
  }
}

/* Only next is read; spare is written and read. */
__attribute__((noinline)) static void make_kept(void) {
  for (int i = 0; i < 50; i++) {
    struct node *kept = malloc(sizeof *kept);
    kept->next = kept_list;
    kept->key = i;
    kept->spare = i;
    kept_list = kept;
  }
}

int main(void) {
  long sum = 0;
  make_walked();
  make_kept();
  numbers = calloc(100, sizeof *numbers);
  for (struct node *n = walked_list; n; n = n->next)
    sum += n->key + n->at.x;
  for (struct node *n = kept_list; n; n = n->next)
    sum += n->spare;
  return sum + numbers[7] == 1;
}
