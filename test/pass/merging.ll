; merging.ll - accesses to one object that are executed together get one hook.
; Only while nothing between them may end the execution or free the object.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -heapprof-sink=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -heapprof-merge=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
declare void @harmless() nounwind willreturn nofree
; STATS-DAG: MergedInBlock 8
; STATS-DAG: MergedDominated 1

; CHECK-LABEL: define i32 @block(
; CHECK-NEXT: call void @__heapprof_many(ptr %p, i64 12, i64 1, i64 2)
; CHECK-NOT: call void @__heapprof
; CHECK: ret i32
; OFF-LABEL: define i32 @block(
; OFF-COUNT-3: call void @__heapprof_
define i32 @block(ptr %p) {
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  %v = load i32, ptr %q
  store i32 2, ptr %p
  ret i32 %v
}

; The hull begins before the pointer of the first access.
; CHECK-LABEL: define void @backwards(
; CHECK: [[LOW:%.*]] = getelementptr i8, ptr %p, i64 -16
; CHECK-NEXT: call void @__heapprof_many(ptr [[LOW]], i64 20, i64 0, i64 2)
; CHECK-NOT: call void @__heapprof
define void @backwards(ptr %p) {
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 -16
  store i64 2, ptr %q
  ret void
}

; Equal variable offsets: the addresses differ by a constant.
; CHECK-LABEL: define void @indexed(
; CHECK: call void @__heapprof_many(ptr %q, i64 8, i64 0, i64 2)
; CHECK-NOT: call void @__heapprof
define void @indexed(ptr %p, i64 %i) {
  %q = getelementptr { i32, i32 }, ptr %p, i64 %i
  store i32 1, ptr %q
  %r = getelementptr { i32, i32 }, ptr %p, i64 %i, i32 1
  store i32 1, ptr %r
  ret void
}

; What constants add to an index, as in unrolled loops, is constant, too.
; CHECK-LABEL: define void @unrolled(
; CHECK: call void @__heapprof_many(ptr %q, i64 16, i64 0, i64 4)
; CHECK-NOT: call void @__heapprof
define void @unrolled(ptr %p, i64 %i) {
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  %i1 = or disjoint i64 %i, 1
  %r = getelementptr i32, ptr %p, i64 %i1
  store i32 1, ptr %r
  %i2 = add i64 %i1, 1
  %s = getelementptr i32, ptr %p, i64 %i2
  store i32 1, ptr %s
  %i3 = add i64 %i, 3
  %t = getelementptr i32, ptr %p, i64 %i3
  store i32 1, ptr %t
  ret void
}

; But not of an index that may wrap before it is extended, or lose bits.
; CHECK-LABEL: define void @narrow(
; CHECK: call void @__heapprof_write(ptr %q, i64 4)
; CHECK: call void @__heapprof_write(ptr %r, i64 4)
; CHECK: call void @__heapprof_write(ptr %s, i64 4)
define void @narrow(ptr %p, i32 %i, i64 %l) {
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 1, ptr %q
  %i1 = add i32 %i, 1
  %r = getelementptr i32, ptr %p, i32 %i1
  store i32 1, ptr %r
  %l1 = or i64 %l, 1
  %s = getelementptr i32, ptr %p, i64 %l1
  store i32 1, ptr %s
  ret void
}

; CHECK-LABEL: define void @barrier(
; CHECK: call void @__heapprof_write(ptr %p, i64 4)
; CHECK: call void @unknown()
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
define void @barrier(ptr %p) {
  store i32 1, ptr %p
  call void @unknown()
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @noBarrier(
; CHECK: call void @__heapprof_many(ptr %p, i64 4, i64 0, i64 2)
; CHECK-NOT: call void @__heapprof
define void @noBarrier(ptr %p) {
  store i32 1, ptr %p
  call void @harmless()
  store i32 1, ptr %p
  ret void
}

; What follows in every case is merged, what may not follow is not.
; CHECK-LABEL: define void @diamond(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @__heapprof_many(ptr %p, i64 8, i64 0, i64 2)
; CHECK: left:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 1)
; CHECK: join:
; CHECK-NOT: call void @__heapprof
define void @diamond(ptr %p, i1 %c) {
entry:
  store i32 1, ptr %p
  br i1 %c, label %left, label %join
left:
  store i8 1, ptr %p
  br label %join
join:
  %q = getelementptr i8, ptr %p, i64 4
  store i32 1, ptr %q
  ret void
}

; CHECK-LABEL: define void @inlineAsm(
; CHECK-COUNT-2: call void @__heapprof_write(ptr %p, i64 4)
define void @inlineAsm(ptr %p) {
  store i32 1, ptr %p
  call void asm sideeffect "", ""()
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @nextTurn(
; CHECK: before:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
; CHECK: after:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
define void @nextTurn(ptr %p, ptr %next) {
entry:
  br label %before
before:
  store i32 1, ptr %p
  %again = load volatile i1, ptr null
  br i1 %again, label %before, label %after
after:
  store i32 1, ptr %p
  ret void
}
