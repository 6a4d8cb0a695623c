; short-copies.ll - copies and fills of few bytes stay, and their two sides are merged with other accesses.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-short-copies=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-naive -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-instrument-memintrinsics=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
; STATS-DAG: CopiesKept 5
; STATS-DAG: HooksMemory 4
; NONE-NOT: .inline

; Both sides, 24 bytes: what is read is one with the load behind it (32 bytes).
; CHECK-LABEL: define i64 @both(
; CHECK: call void @llvm.memcpy.inline.p0.p0.i64(ptr align 8 %p, ptr %q, i64 24, i1 false), !tbaa.struct
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %q, i32 33554464)
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %p, i32 65560)
; OFF-LABEL: define i64 @both(
; OFF: call ptr @__heapprof_memcpy(ptr %p, ptr %q, i64 24)
define i64 @both(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr %q, i64 24, i1 false), !tbaa.struct !0
  %r = getelementptr i8, ptr %q, i64 24
  %v = load i64, ptr %r
  ret i64 %v
}

; Of the stack there is nothing to count.
; CHECK-LABEL: define void @half(
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %p, i32 65664)
; CHECK-NOT: call preserve_mostcc
; CHECK-LABEL: define void @within(
define void @half(ptr %p) {
  %a = alloca [128 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 128, i1 false)
  ret void
}

; Two sides of one object, at one place; and an object that was accessed before.
; CHECK: call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
; CHECK: call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
define void @within(ptr %p, i64 %i) {
  %q = getelementptr i8, ptr %p, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: define void @fill(
; CHECK: call void @llvm.memset.inline.p0.i64(ptr %p, i8 %b, i64 40, i1 false)
; OFF-LABEL: define void @fill(
; OFF: call ptr @__heapprof_memset(
define void @fill(ptr %p, i8 %b) {
  call void @llvm.memset.p0.i64(ptr %p, i8 %b, i64 40, i1 false)
  ret void
}

; Longer, of any length, volatile, or for size: replaced.
; CHECK-LABEL: define void @others(
; CHECK: call ptr @__heapprof_memcpy(ptr %p, ptr %q, i64 129)
; CHECK: call ptr @__heapprof_memset(ptr %p, i32 0, i64 %n)
; CHECK: call ptr @__heapprof_memcpy(ptr %p, ptr %q, i64 16)
; CHECK-LABEL: define void @for_size(
; CHECK: call ptr @__heapprof_memcpy(ptr %p, ptr %q, i64 16)
define void @others(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 129, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 true)
  ret void
}
define void @for_size(ptr %p, ptr %q) optsize {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  ret void
}

!0 = !{i64 0, i64 24, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"x", !3}
!3 = !{!"root"}
