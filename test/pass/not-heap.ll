; not-heap.ll - accesses that cannot be heap get no hook; -heapprof-naive gives them one.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-naive -S %s | FileCheck %s --check-prefix=NAIVE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"

; STATS: HooksPlain 5
; STATS: SkippedStack 5
; STATS: SkippedGlobal 10
; STATS: SkippedCounter 3
; STATS: SkippedNoSanitize 1
; STATS: SkippedAddressSpace 1
; STATS: SkippedSwiftError 2
; STATS: SkippedScalable 2

@g = global [100 x i64] zeroinitializer
@t = thread_local global i64 0
@alias = alias i64, ptr getelementptr (i8, ptr @g, i64 8)
@__llvm_gcov_ctr = internal global [2 x i64] zeroinitializer
@llvm.own = private global i64 0
@counter = private global [1 x i64] zeroinitializer, section "__llvm_prf_cnts"

; CHECK-LABEL: define void @stack
; CHECK-NOT: __heapprof
; CHECK: ret void
; NAIVE-LABEL: define void @stack
; NAIVE-COUNT-5: call void @__heapprof_
; NAIVE: ret void
define void @stack(i64 %i, i64 %n, i1 %c) {
entry:
  %a = alloca [100 x i64]
  %b = alloca i64, i64 %n
  store i64 0, ptr %a
  %e = getelementptr [100 x i64], ptr %a, i64 0, i64 %i
  %e2 = getelementptr i8, ptr %e, i64 %n
  %v = load i64, ptr %e2
  %s = select i1 %c, ptr %e, ptr %b
  store i64 1, ptr %s
  %m = select i1 %c, ptr %b, ptr @g
  store i64 1, ptr %m
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  %q = getelementptr i64, ptr %p, i64 1
  store i64 2, ptr %p
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @globals
; CHECK-NOT: __heapprof
; CHECK: ret void
; NAIVE-LABEL: define void @globals
; NAIVE-COUNT-8: call void @__heapprof_
; NAIVE: ret void
define void @globals(i64 %i) {
  store i64 0, ptr @g
  %e = getelementptr [100 x i64], ptr @g, i64 0, i64 %i
  store i64 0, ptr %e
  store i64 0, ptr getelementptr (i8, ptr @g, i64 16)
  store i64 0, ptr @alias
  %t = call ptr @llvm.threadlocal.address.p0(ptr @t)
  store i64 0, ptr %t
  store i64 0, ptr null
  %a = load i64, ptr inttoptr (i64 4096 to ptr)
  %x = load i64, ptr @globals
  ret void
}

; Not the program's accesses, so that even the naive form leaves them.
; CHECK-LABEL: define void @never
; CHECK-NOT: __heapprof
; CHECK: ret void
; NAIVE-LABEL: define void @never
; NAIVE-NOT: __heapprof
; NAIVE: ret void
define void @never(ptr addrspace(1) %far, ptr %p, ptr swifterror %err, ptr %ret) {
  store i64 0, ptr addrspace(1) %far
  store i64 0, ptr %p, !nosanitize !0
  store ptr null, ptr %err
  %v = load ptr, ptr %err
  store i64 0, ptr @__llvm_gcov_ctr
  store i64 0, ptr @llvm.own
  %c = load i64, ptr @counter
  %s = load <vscale x 4 x i32>, ptr %p
  call void @llvm.masked.store.nxv4i32.p0(<vscale x 4 x i32> %s, ptr %p, i32 4, <vscale x 4 x i1> zeroinitializer)
  ret void
}

; A pointer that was stored somewhere, and one that is heap on one way only.
; CHECK-LABEL: define void @maybe
; CHECK-COUNT-5: call void @__heapprof_
; CHECK: ret void
define void @maybe(ptr %h, i1 %c, i64 %n) {
  %a = alloca ptr
  %l = load ptr, ptr @g
  store i64 0, ptr %l
  %s = select i1 %c, ptr %h, ptr %a
  store i64 0, ptr %s
  %i = inttoptr i64 %n to ptr
  store i64 0, ptr %i
  %r = call ptr @malloc(i64 8)
  store i64 0, ptr %r
  store i64 0, ptr %h
  ret void
}

declare ptr @malloc(i64)

; A gather whose addresses all lie in one object.
; CHECK-LABEL: define void @vector
; CHECK-NOT: __heapprof
; CHECK: ret void
define void @vector(<4 x i64> %i) {
  %q = getelementptr i64, ptr @g, <4 x i64> %i
  %v = call <4 x i64> @llvm.masked.gather.v4i64.v4p0(<4 x ptr> %q, i32 8, <4 x i1> splat (i1 true), <4 x i64> zeroinitializer)
  ret void
}

!0 = !{}
