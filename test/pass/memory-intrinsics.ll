; memory-intrinsics.ll - memcpy, memmove and memset are replaced, their other forms get hooks.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-instrument-memintrinsics=0 -S %s | FileCheck %s --check-prefix=OFF
target triple = "x86_64-unknown-linux-gnu"

@table = global [64 x i8] zeroinitializer

; Replaced, not accompanied: the code generator may call the intercepted libc
; function for what stays an intrinsic, and count it again.
; CHECK-LABEL: define void @replaced
; OFF-LABEL: define void @replaced
; OFF-NOT: __heapprof
; OFF: ret void
define void @replaced(ptr %p, ptr %q, i64 %n, i32 %m, i8 %b) {
; CHECK-NEXT: call ptr @__heapprof_memcpy(ptr %p, ptr %q, i64 %n), !nosanitize
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
; CHECK-NEXT: [[N:%.*]] = zext i32 %m to i64
; CHECK-NEXT: call ptr @__heapprof_memcpy(ptr %p, ptr %q, i64 [[N]])
  call void @llvm.memcpy.p0.p0.i32(ptr %p, ptr %q, i32 %m, i1 false)
; CHECK-NEXT: call ptr @__heapprof_memmove(ptr %p, ptr %q, i64 16)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 true)
; CHECK-NEXT: [[B:%.*]] = zext i8 %b to i32
; CHECK-NEXT: call ptr @__heapprof_memset(ptr %p, i32 [[B]], i64 %n)
  call void @llvm.memset.p0.i64(ptr %p, i8 %b, i64 %n, i1 false)
; CHECK-NEXT: call ptr @__heapprof_memset(ptr %p, i32 255, i64 8)
  call void @llvm.memset.p0.i64(ptr %p, i8 -1, i64 8, i1 false)
; CHECK-NEXT: ret void
  ret void
}

; One side that may be heap is enough.
; CHECK-LABEL: define void @half
define void @half(ptr %p) {
  %a = alloca [64 x i8]
; CHECK: call ptr @__heapprof_memcpy(ptr %a, ptr %p, i64 64)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %p, i64 64, i1 false)
; CHECK-NEXT: call ptr @__heapprof_memcpy(ptr %p, ptr @table, i64 64)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @table, i64 64, i1 false)
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @table
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @table, i64 64, i1 false)
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr %a
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 64, i1 false)
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 0
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 0, i1 false)
  ret void
}

; These are never lowered to calls that are intercepted.
; CHECK-LABEL: define void @beside
define void @beside(ptr %p, ptr %q, i64 %n, i32 %m) {
; CHECK-NEXT: call void @__heapprof_read(ptr %q, i64 24)
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 24)
; CHECK-NEXT: call void @llvm.memcpy.inline
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 24, i1 false)
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 24)
; CHECK-NEXT: call void @llvm.memset.inline
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 0, i64 24, i1 false)
; CHECK-NEXT: call void @__heapprof_read(ptr %q, i64 %n)
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 %n)
; CHECK-NEXT: call void @llvm.memcpy.element.unordered.atomic
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 %n, i32 4)
; CHECK-NEXT: call void @__heapprof_read(ptr %q, i64 %n)
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 %n)
; CHECK-NEXT: call void @llvm.memmove.element.unordered.atomic
  call void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 %n, i32 4)
; CHECK-NEXT: [[N:%.*]] = zext i32 %m to i64
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 [[N]])
; CHECK-NEXT: call void @llvm.memset.element.unordered.atomic
  call void @llvm.memset.element.unordered.atomic.p0.i32(ptr align 4 %p, i8 0, i32 %m, i32 4)
; CHECK-NEXT: ret void
  ret void
}
; CHECK: declare ptr @__heapprof_memcpy(ptr returned, ptr {{.*}}readonly{{.*}}, i64) [[MEM:#[0-9]+]]
; CHECK: attributes [[MEM]] = { nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
