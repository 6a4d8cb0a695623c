// many-points.c - more lifetime groups than the runtime keeps: every sum is exact, and what is an estimate is said.
// 8192 call stacks allocate a hundred times each, a hundredth of the run apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: for log in all budget:chunk_log_total=20000 none; do %env_heapprof_opts=collapse_recursion=0:chunk_log=$log %run %t || exit 1; \
// RUN:   echo "log $log"; %heapprof_score --json %dump/heapprof.* > %t.json || exit 1; \
// RUN:   %python -c 'import json, sys; j = json.load(open(sys.argv[1])); p = j["points"]; \
// RUN:     print(sum(q["chunks"] for q in p) - j["processes"][0]["allocations"], any(q["estimated"] for q in p)); \
// RUN:     print(*[w.split(": ", 1)[1] for w in j["warnings"]], sep="\n")' %t.json || exit 1; done > %t.out
// RUN: FileCheck %s < %t.out
// CHECK:      log all
// CHECK-NEXT: 0 False
// CHECK-NOT:  groups
// CHECK:      log budget
// CHECK-NEXT: 0 True
// CHECK-NEXT: {{[0-9]+}} of 819{{[0-9]+}} chunks logged; the numbers are of all of them
// CHECK-NEXT: estimate from {{[0-9]+}} of {{[0-9]+}} chunks logged, because there were too many lifetime groups to keep
// CHECK-NOT:  groups
// CHECK:      log none
// CHECK-NEXT: 0 False
// CHECK-NEXT: 0 of 819{{[0-9]+}} chunks logged; the numbers are of all of them
// CHECK-NEXT: points with too many lifetime groups: {{[1-9][0-9]*}}, whose gap is up to 0.{{[0-9]+}} instead of 0.001
#include <stdlib.h>

struct node {
  struct node *left, *right;
};

static struct node *make(int depth) {
  struct node *node = malloc(sizeof *node);
  if (!node)
    exit(1);
  node->left = depth ? make(depth - 1) : NULL;
  node->right = depth ? make(depth - 1) : NULL;
  return node;
}

static void drop(struct node *node) {
  if (node) {
    drop(node->left);
    drop(node->right);
    free(node);
  }
}

int main(void) {
  for (int round = 0; round < 100; round++)
    drop(make(12));
  return 0;
}
