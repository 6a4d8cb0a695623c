/* spent-bodies.c - the code generator drops the bodies of functions whose code is written, and writes what it would have.
   Addresses that were taken in a body that is gone are still taken; a body that has an address of a block stays.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %clang -O2 -g -fcf-protection=full -fpass-plugin=%pass -Xclang -load -Xclang %pass -c %s -o %t.o -mllvm -print-module-scope -mllvm -print-before=codegenprepare -mllvm -filter-print-funcs=last 2>&1 | FileCheck %s
// RUN: %clang -O2 -g -fcf-protection=full -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-drop-bodies=0 -c %s -o %t.kept.o -mllvm -print-module-scope -mllvm -print-before=codegenprepare -mllvm -filter-print-funcs=last 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: cmp %t.o %t.kept.o
// A module without hooks is left alone, and so is one in which a table of one address is there only if it is used.
// RUN: %clang -O2 -S -emit-llvm %s -o %t.ll
// RUN: %clang -O2 -fpass-plugin=%pass -Xclang -load -Xclang %pass -Xclang -disable-llvm-passes -c %t.ll -o %t.o -mllvm -print-module-scope -mllvm -print-before=codegenprepare -mllvm -filter-print-funcs=last 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: echo '@only = private unnamed_addr constant ptr @table' >> %t.ll
// RUN: echo '@address = global ptr @only' >> %t.ll
// RUN: %clang -O2 -fpass-plugin=%pass -Xclang -load -Xclang %pass -c %t.ll -o %t.o -mllvm -print-module-scope -mllvm -print-before=codegenprepare -mllvm -filter-print-funcs=last 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT-NOT: {{^}}  unreachable
// KEPT: define {{.*}}@last(
extern int other(int), variable, table[4];

static int taken(int x) { return x * 3; }

// CHECK: define {{.*}}@pick(
// CHECK-NEXT: unreachable
int (*pick(int which))(int) { return which ? taken : other; }

// CHECK: define {{.*}}@where(
// CHECK-NEXT: unreachable
int *where(int i) { return &table[i]; }

// CHECK: define {{.*}}@jump(
// CHECK: indirectbr
int jump(int i, int *p) {
  static const void *const labels[] = {&&first, &&second};
  goto *labels[i];
first:
  return p[0]++;
second:
  return p[1]++;
}

// CHECK: define {{.*}}@use(
// CHECK-NEXT: unreachable
int use(int *p) {
  p[3] = p[2] + variable;
  return p[0];
}

// Only the next one drops it.
// CHECK: define {{.*}}@before(
// CHECK-NEXT: #dbg_value
int before(int *p) { return p[1] - p[0]; }

// CHECK: define {{.*}}@last(
// CHECK-NEXT: #dbg_value
int last(int *p) { return p[1] + p[0]; }
