/* profile-counters.c - counters of other instrumentation are not the program's accesses.
   Not even in the naive form; and a UBSan check's own reads are not either.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -O1 -fprofile-instr-generate -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-naive -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O1 --coverage -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-naive -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O1 -fsanitize=undefined -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-naive -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@f(
// CHECK: call void @__heapprof_read(ptr {{.*}}, i64 4)
// CHECK-NOT: call void @__heapprof
// CHECK: ret i32
int f(int *p) { return *p; }
