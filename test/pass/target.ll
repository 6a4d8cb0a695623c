; target.ll - a target whose numbers would come out wrong is refused.
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -S %s 2>&1 | FileCheck %s
; CHECK: error: heapprof: only 64-bit little-endian targets are supported
target datalayout = "E-p:64:64"
define void @f(ptr %p) {
  ret void
}
