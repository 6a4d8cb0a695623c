; followed.ll - a pointer is followed to the callers of its function, into callees and through memory.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -heapprof-follow-calls=0 -S %s | FileCheck %s --check-prefix=CALLS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -heapprof-follow-reads=0 -S %s | FileCheck %s --check-prefix=READS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-naive -S %s | FileCheck %s --check-prefix=NAIVE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"

; STATS-DAG: SkippedPassed 6
; STATS-DAG: SkippedRead 5
; STATS-DAG: PlacesPassed 5

@g = global [4 x i64] zeroinitializer
@llvm.used = appending global [1 x ptr] [ptr @used], section "llvm.metadata"
declare void @keep(ptr)
declare ptr @malloc(i64)

; ---- arguments

; All callers pass the stack or a global.
; CHECK-LABEL: define internal void @passed(
; CHECK-NOT: __heapprof_
; CHECK: ret void
; CALLS-LABEL: define internal void @passed(
; CALLS: call void @__heapprof_write
; READS-LABEL: define internal void @passed(
; READS-NOT: __heapprof_
; READS: ret void
; NAIVE-LABEL: define internal void @passed(
; NAIVE: call void @__heapprof_write
define internal void @passed(ptr %p) {
  store i64 0, ptr %p
  ret void
}

; And to itself, further on.
; CHECK-LABEL: define internal void @recursive(
; CHECK-NOT: __heapprof_
; CHECK: ret void
define internal void @recursive(ptr %p, i1 %c) {
  store i64 0, ptr %p
  %q = getelementptr i64, ptr %p, i64 1
  br i1 %c, label %on, label %end
on:
  call void @recursive(ptr %q, i1 false)
  br label %end
end:
  ret void
}

; Its caller's callers pass only the stack.
; CHECK-LABEL: define internal void @inner(
; CHECK-NOT: __heapprof_
; CHECK: ret void
define internal void @inner(ptr %p) {
  store i64 0, ptr %p
  ret void
}
define internal void @outer(ptr %p) {
  call void @inner(ptr %p)
  ret void
}

; One of many passes what may be the heap.
; CHECK-LABEL: define internal void @mixed(
; CHECK: call void @__heapprof_write
define internal void @mixed(ptr %p) {
  store i64 0, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @heap_inner(
; CHECK: call void @__heapprof_write
define internal void @heap_inner(ptr %p, i1 %c) {
  store i64 0, ptr %p
  br i1 %c, label %on, label %end
on:
  call void @heap_outer(ptr %p)
  br label %end
end:
  ret void
}
define internal void @heap_outer(ptr %p) {
  call void @heap_inner(ptr %p, i1 false)
  ret void
}

; Who calls these is not known.
; CHECK-LABEL: define internal void @taken(
; CHECK: call void @__heapprof_write
define internal void @taken(ptr %p) {
  store i64 0, ptr %p
  ret void
}
; CHECK-LABEL: define internal void @used(
; CHECK: call void @__heapprof_write
define internal void @used(ptr %p) {
  store i64 0, ptr %p
  ret void
}
; CHECK-LABEL: define internal void @other_type(
; CHECK: call void @__heapprof_write
define internal void @other_type(ptr %p) {
  store i64 0, ptr %p
  ret void
}
; CHECK-LABEL: define void @external(
; CHECK: call void @__heapprof_write
define void @external(ptr %p) {
  store i64 0, ptr %p
  ret void
}
; CHECK-LABEL: define linkonce_odr void @inline(
; CHECK: call void @__heapprof_write
define linkonce_odr void @inline(ptr %p) {
  store i64 0, ptr %p
  ret void
}

define void @callers(ptr %h, i1 %c, i64 %n) {
  %a = alloca [4 x i64]
  call void @passed(ptr %a)
  call void @passed(ptr @g)
  %s = select i1 %c, ptr %a, ptr @g
  call void @passed(ptr %s)
  call void @recursive(ptr %a, i1 %c)
  call void @outer(ptr %a)
  call void @mixed(ptr %a)
  call void @mixed(ptr %h)
  call void @heap_outer(ptr %h)
  call void @heap_inner(ptr %a, i1 %c)
  call void @taken(ptr %a)
  call void @keep(ptr @taken)
  call void @used(ptr %a)
  call void @other_type(ptr %a)
  call void @other_type(i64 %n)
  call void @external(ptr %a)
  call void @inline(ptr %a)
  ret void
}

; ---- results

define ptr @get(i1 %c) {
  br i1 %c, label %one, label %other
one:
  ret ptr @g
other:
  ret ptr getelementptr (i8, ptr @g, i64 8)
}
define ptr @get_heap(i1 %c) {
  br i1 %c, label %one, label %other
one:
  ret ptr @g
other:
  %p = call ptr @malloc(i64 8)
  ret ptr %p
}
; The linker may take another one.
define weak ptr @get_weak() {
  ret ptr @g
}

; Returns what its assembly says.
define ptr @get_naked() naked {
  call void asm sideeffect "jmp malloc", ""()
  unreachable
}

; CHECK-LABEL: define void @results(
; CHECK-NOT: __heapprof_
; CHECK: ret void
; CALLS-LABEL: define void @results(
; CALLS: call void @__heapprof_write
define void @results(i1 %c) {
  %p = call ptr @get(i1 %c)
  store i64 0, ptr %p
  ret void
}

; CHECK-LABEL: define void @unknown_results(
; CHECK-COUNT-4: call void @__heapprof_write
define void @unknown_results(i1 %c, ptr %f) {
  %p = call ptr @get_heap(i1 %c)
  store i64 0, ptr %p
  %q = call ptr @get_weak()
  store i64 0, ptr %q
  %r = call ptr %f()
  store i64 0, ptr %r
  %s = call ptr @get_naked()
  store i64 0, ptr %s
  ret void
}

; ---- libc's own

declare ptr @__errno_location()
declare ptr @__ctype_b_loc()
define ptr @__ctype_tolower_loc() {
  %p = call ptr @malloc(i64 8)
  ret ptr %p
}

; errno, and the table of isspace().
; CHECK-LABEL: define i16 @library(
; CHECK-NOT: __heapprof_
; CHECK: ret i16
; CALLS-LABEL: define i16 @library(
; CALLS: call void @__heapprof_write
; CALLS: call void @__heapprof_read
; CALLS-NOT: __heapprof_
; CALLS: ret i16
define i16 @library(i64 %i) {
  %e = call ptr @__errno_location()
  store i32 0, ptr %e
  %t = call ptr @__ctype_b_loc()
  %b = load ptr, ptr %t
  %q = getelementptr i16, ptr %b, i64 %i
  %v = load i16, ptr %q
  ret i16 %v
}

; The program's function of that name.
; CHECK-LABEL: define i16 @not_library(
; CHECK-COUNT-2: call void @__heapprof_read
define i16 @not_library() {
  %t = call ptr @__ctype_tolower_loc()
  %b = load ptr, ptr %t
  %v = load i16, ptr %b
  ret i16 %v
}

; ---- pointers in memory

@table = constant [2 x ptr] [ptr @g, ptr @table]
@known = internal global ptr null
@known_heap = internal global ptr null
@known_number = internal global ptr null
@known_copy = internal global ptr null
@known_outside = internal global ptr null
@other = global ptr @g
@weak_table = weak constant [1 x ptr] [ptr @g]

define void @set(ptr %h, i64 %n) {
  store ptr @g, ptr @known
  store ptr null, ptr @known
  store ptr @g, ptr @known_heap
  store ptr %h, ptr @known_heap
  store i64 %n, ptr @known_number
  call void @llvm.memcpy.p0.p0.i64(ptr @known_copy, ptr %h, i64 8, i1 false)
  call void @keep(ptr @known_outside)
  ret void
}

; CHECK-LABEL: define void @reads(
; CHECK-NOT: __heapprof_
; CHECK: ret void
; READS-LABEL: define void @reads(
; READS-COUNT-4: call void @__heapprof_write
; READS: ret void
; NAIVE-LABEL: define void @reads(
; NAIVE-COUNT-4: call void @__heapprof_write
; NAIVE: ret void
define void @reads(i64 %i, ptr %object) {
  %a = alloca [2 x ptr]
  call void @llvm.lifetime.start.p0(i64 16, ptr %a)
  %e = getelementptr ptr, ptr @table, i64 %i
  %p = load ptr, ptr %e
  store i64 0, ptr %p
  %q = load ptr, ptr @known
  store i64 0, ptr %q
  %second = getelementptr ptr, ptr %a, i64 1
  store ptr @g, ptr %a
  store ptr %q, ptr %second
  %any = getelementptr ptr, ptr %a, i64 %i
  %r = load ptr, ptr %any
  store i64 0, ptr %r
  %v = load ptr, ptr @other, !tbaa !0
  store i64 0, ptr %v
  ret void
}

; CHECK-LABEL: define void @unknown_reads(
; CHECK-COUNT-9: call void @__heapprof_write
; CHECK: ret void
define void @unknown_reads(ptr %h, i64 %i) {
  %a = alloca [2 x ptr]
  %b = alloca [2 x ptr]
  %p = load ptr, ptr @known_heap
  store i64 0, ptr %p
  %q = load ptr, ptr @known_number
  store i64 0, ptr %q
  %r = load ptr, ptr @known_copy
  store i64 0, ptr %r
  %s = load ptr, ptr @known_outside
  store i64 0, ptr %s
  %t = load ptr, ptr @other, !tbaa !3
  store i64 0, ptr %t
  %u = load ptr, ptr @weak_table
  store i64 0, ptr %u
  store ptr @g, ptr %a
  call void @keep(ptr %a)
  %v = load ptr, ptr %a
  store i64 0, ptr %v
  %e = getelementptr ptr, ptr %b, i64 %i
  store ptr %h, ptr %e
  %w = load ptr, ptr %b
  store i64 0, ptr %w
  %n = load i64, ptr %b
  %x = inttoptr i64 %n to ptr
  store i64 0, ptr %x
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2}
!2 = !{!"Simple C++ TBAA"}
!3 = !{!4, !4, i64 0}
!4 = !{!"any pointer", !2}
