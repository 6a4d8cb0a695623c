; calls.ll - what calls touch: byval arguments, asm operands, va_lists.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

%big = type { [5 x i64], i8 }

declare void @take(ptr byval(%big), i32)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define void @byval
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 48)
; CHECK-NEXT: call void @take
define void @byval(ptr %p) {
  call void @take(ptr byval(%big) %p, i32 1)
  ret void
}

; The copy is made by the caller, before the invoke.
; CHECK-LABEL: define void @byval_invoke
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 48)
; CHECK-NEXT: invoke void @take
define void @byval_invoke(ptr %p) personality ptr @__gxx_personality_v0 {
  invoke void @take(ptr byval(%big) %p, i32 1) to label %ok unwind label %bad
ok:
  ret void
bad:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}

; Nothing may stand between a musttail call and its return.
; CHECK-LABEL: define void @byval_tail
; CHECK: call void @__heapprof_read(ptr %h, i64 48)
; CHECK-NEXT: musttail call void @take
; CHECK-NEXT: ret void
define void @byval_tail(ptr byval(%big) %p, i32 %n) {
  %h = load ptr, ptr %p
  musttail call void @take(ptr byval(%big) %h, i32 %n)
  ret void
}

; A byval argument is the callee's stack.
; CHECK-LABEL: define i64 @own_byval
; CHECK-NEXT: load i64
define i64 @own_byval(ptr byval(%big) %p) {
  %v = load i64, ptr %p
  ret i64 %v
}

; A result returned in memory may be heap.
; CHECK-LABEL: define void @sret
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 8)
define void @sret(ptr sret(%big) %p) {
  store i64 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @asm
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
; CHECK-NEXT: call void @__heapprof_read(ptr %q, i64 8)
; CHECK-NEXT: call void asm "mem", "=*m,r,*m"
; CHECK-NEXT: call i64 asm "none", "=r,r"
; CHECK-NEXT: ret void
define void @asm(ptr %p, ptr %q) {
  call void asm "mem", "=*m,r,*m"(ptr elementtype(i32) %p, i64 1, ptr elementtype(i64) %q)
  %a = call i64 asm "none", "=r,r"(ptr %p)
  ret void
}

; CHECK-LABEL: define void @va
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 24)
; CHECK-NEXT: call void @llvm.va_start
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 24)
; CHECK-NEXT: call void @__heapprof_write(ptr %q, i64 24)
; CHECK-NEXT: call void @llvm.va_copy
; CHECK-NEXT: call void @__heapprof_read_write(ptr %q, i64 24)
; CHECK-NEXT: va_arg
; CHECK-NEXT: call void @llvm.va_end
define void @va(ptr %p, ptr %q, ...) {
  call void @llvm.va_start.p0(ptr %p)
  call void @llvm.va_copy.p0(ptr %q, ptr %p)
  %v = va_arg ptr %q, i32
  call void @llvm.va_end.p0(ptr %p)
  ret void
}
