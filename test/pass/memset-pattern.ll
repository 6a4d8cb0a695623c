; memset-pattern.ll - the intrinsic that LLVM 19 does not have: one write of all copies.
; REQUIRES: llvm-22
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; CHECK-LABEL: define void @f
; CHECK-NEXT: [[N:%.*]] = mul i64 %n, 4
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 [[N]])
; CHECK-NEXT: call void @llvm.experimental.memset.pattern
define void @f(ptr %p, i32 %v, i64 %n) {
  call void @llvm.experimental.memset.pattern.p0.i32.i64(ptr %p, i32 %v, i64 %n, i1 false)
  ret void
}

; How far a fault-only-first load reads is not known before; it is counted as such.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; STATS: SkippedUnmeasured 1
define { <4 x i32>, i32 } @ff(ptr %p, <4 x i1> %m, i32 %n) {
  %v = call { <4 x i32>, i32 } @llvm.vp.load.ff.v4i32.p0(ptr %p, <4 x i1> %m, i32 %n)
  ret { <4 x i32>, i32 } %v
}
