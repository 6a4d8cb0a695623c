; inlining.ll - the usual access is written without a call, and a second one reuses the record.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-reuse=0 -S %s | FileCheck %s --check-prefix=NOREUSE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
; STATS-DAG: HooksInlined 4
; STATS-DAG: RecordsReused 1

; CHECK: @__heapprof_thread_number = external dso_local thread_local(initialexec) global i32
; No hook but the one for what is not usual.
; CHECK-LABEL: define void @one(
; CHECK: sub i64 %{{.*}}, 17592186044416
; CHECK: load i32, ptr @__heapprof_thread_number
; CHECK: load i64, ptr @__heapprof_clock_coarse
; CHECK: store i32 1, ptr %p
; CHECK-NEXT: ret void
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %p, i64 4, i64 0, i64 1)
; CHECK-NOT: call void @__heapprof_write
define void @one(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call void @unknown()
; CHECK-NOT: 17592186044416
; CHECK: ret void
; NOREUSE-LABEL: define void @two(
; NOREUSE: call void @unknown()
; NOREUSE: 17592186044416
define void @two(ptr %p) {
  store i32 1, ptr %p
  call void @unknown()
  store i32 2, ptr %p
  ret void
}

; Optimised for size: called.
; CHECK-LABEL: define void @small(
; CHECK: call void @__heapprof_write(ptr %p, i64 4)
define void @small(ptr %p) minsize optsize {
  store i32 1, ptr %p
  ret void
}

; Without any of it at -O0.
; CHECK-LABEL: define void @debugged(
; CHECK: call void @__heapprof_write(ptr %p, i64 4)
; CHECK: call void @__heapprof_write(ptr %p, i64 4)
define void @debugged(ptr %p) noinline optnone {
  store i32 1, ptr %p
  store i32 1, ptr %p
  ret void
}

define i32 @typed(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
