/* opt-out.c - what a user writes in C to leave a function out.
   The attribute that clang knows, the annotation for older code, and an ignore list.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -O1 -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: echo 'fun:counted' > %t.list
// RUN: %clang -O1 -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -mllvm -heapprof-ignorelist=%t.list -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LIST
// RUN: not %clang -O1 -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -mllvm -heapprof-ignorelist=%t.none -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not ls %t.o
// ERROR: error: heapprof: ignore list: {{.*}}.none
// ERROR-NOT: {{Stack dump|PLEASE}}

// CHECK-LABEL: @counted(
// CHECK: call void @__heapprof_write
// LIST-LABEL: @counted(
// LIST-NOT: call void @__heapprof_write
// LIST: ret void
void counted(int *p) { *p = 1; }

// CHECK-LABEL: @attribute(
// CHECK-NOT: __heapprof
// CHECK: ret void
__attribute__((disable_sanitizer_instrumentation)) void attribute(int *p) {
  *p = 1;
}

// CHECK-LABEL: @annotated(
// CHECK-NOT: __heapprof
// CHECK: ret void
__attribute__((annotate("heapprof:skip"))) void annotated(int *p) { *p = 1; }
