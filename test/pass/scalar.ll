; scalar.ll - loads, stores and atomics get one hook each, of the type's store size.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @sizes
define void @sizes(ptr %p) {
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 1), !nosanitize
; CHECK-NEXT: load i1
  %a = load i1, ptr %p
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 1)
; CHECK-NEXT: store i7
  store i7 1, ptr %p
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 2)
; CHECK-NEXT: load i9
  %b = load i9, ptr %p
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 8)
; CHECK-NEXT: load ptr
  %c = load ptr, ptr %p
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 10)
; CHECK-NEXT: load x86_fp80
  %d = load x86_fp80, ptr %p
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 16)
; CHECK-NEXT: store i128
  store i128 0, ptr %p
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 12)
; CHECK-NEXT: load <3 x i32>
  %e = load <3 x i32>, ptr %p
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 16)
; CHECK-NEXT: store { i32, i64 }
  store { i32, i64 } zeroinitializer, ptr %p
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 1)
; CHECK-NEXT: load <8 x i1>
  %f = load <8 x i1>, ptr %p
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
; CHECK-NEXT: store volatile i32
  store volatile i32 0, ptr %p
; CHECK-NEXT: ret void
  ret void
}

; CHECK-LABEL: define void @atomics
define void @atomics(ptr %p) {
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 4)
; CHECK-NEXT: load atomic
  %a = load atomic i32, ptr %p seq_cst, align 4
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 8)
; CHECK-NEXT: store atomic
  store atomic i64 1, ptr %p release, align 8
; CHECK-NEXT: call void @__heapprof_read_write(ptr %p, i64 2)
; CHECK-NEXT: atomicrmw
  %b = atomicrmw add ptr %p, i16 1 monotonic
; CHECK-NEXT: call void @__heapprof_read_write(ptr %p, i64 8)
; CHECK-NEXT: cmpxchg
  %c = cmpxchg weak ptr %p, ptr null, ptr %p acq_rel monotonic
; CHECK-NEXT: fence
  fence seq_cst
  ret void
}

; An access of no bytes is no access.
; CHECK-LABEL: define void @empty
; CHECK-NOT: __heapprof
; CHECK: ret void
define void @empty(ptr %p) {
  %a = load {}, ptr %p
  store [0 x i64] zeroinitializer, ptr %p
  ret void
}

; The hook stands right before the access also at the start of a block with phis.
; CHECK-LABEL: define i32 @phi
; CHECK: phi ptr
; CHECK-NEXT: call void @__heapprof_read(ptr %q, i64 4)
; CHECK-NEXT: load i32
define i32 @phi(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %q = phi ptr [ %p, %entry ], [ null, %then ]
  %v = load i32, ptr %q
  ret i32 %v
}

; The hooks tell the optimiser that they look at the address alone.
; CHECK: declare void @__heapprof_read(ptr {{.*}}readnone{{.*}}, i64) [[HOOK:#[0-9]+]]
; CHECK: attributes [[HOOK]] = { nofree nounwind willreturn memory(inaccessiblemem: readwrite) }
