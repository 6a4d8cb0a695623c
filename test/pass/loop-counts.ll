; loop-counts.ll - what an innermost loop counts of an object is added to the record where the loop is left.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-loop-counts=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
declare i64 @next() memory(none) nounwind willreturn
; STATS-DAG: LoopCountsKept 4

; In the loop nothing is added in memory; behind it the record has the sum, if there is any.
; CHECK-LABEL: define void @histogram(
; CHECK: [[READS:%heapprof.counted[0-9.]*]] = phi i64 [ 0, %{{.*}} ]
; CHECK: add i64 [[READS]], 1
; CHECK: done:
; CHECK: [[ANY:%.*]] = or i64
; CHECK: [[IS:%.*]] = icmp ne i64 [[ANY]], 0
; CHECK: [[HAS:%.*]] = icmp sgt i64 %{{.*}}, 0
; CHECK-NEXT: [[BOTH:%.*]] = select i1 [[IS]], i1 [[HAS]], i1 false
; CHECK-NEXT: br i1 [[BOTH]]
; CHECK: [[AT:%.*]] = getelementptr i8, ptr [[RECORD:%heapprof.[a-z0-9.]*]], i32 8
; CHECK-NEXT: shl
; CHECK-NEXT: [[BEFORE:%.*]] = load i64, ptr [[AT]]
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[BEFORE]],
; CHECK-NEXT: store i64 [[SUM]], ptr [[AT]]
; CHECK-NEXT: [[AT:%.*]] = getelementptr i8, ptr [[RECORD]], i32 0
; CHECK-NEXT: shl i64 %{{.*}}, 16
; CHECK: ret void
; OFF-LABEL: define void @histogram(
; OFF-NOT: heapprof.counted
; OFF-LABEL: define void @calling(
define void @histogram(ptr %p) {
entry:
  br label %loop
loop:
  %i = call i64 @next()
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %w = add i32 %v, 1
  %j = call i64 @next()
  %r = getelementptr i32, ptr %p, i64 %j
  store i32 %w, ptr %r
  %c = icmp eq i32 %v, 0
  br i1 %c, label %done, label %loop
done:
  ret void
}

; A call may end the program, or free the chunk: then all must be counted.
; CHECK-LABEL: define void @calling(
; CHECK-NOT: heapprof.counted
; CHECK-LABEL: define void @outer(
define void @calling(ptr %p) {
entry:
  br label %loop
loop:
  %i = call i64 @next()
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  call void @unknown()
  %c = icmp eq i32 %v, 0
  br i1 %c, label %done, label %loop
done:
  ret void
}

; Each time that the inner loop begins, nothing has been counted; what the outer one accesses is not in a register.
; CHECK: outer:
; CHECK-NOT: heapprof.counted
; CHECK: inner:
; CHECK: %heapprof.counted{{[0-9.]*}} = phi i64 [ 0, %{{.*}} ]
; CHECK-LABEL: define void @walking(
define void @outer(ptr %p) {
entry:
  br label %outer
outer:
  %k = call i64 @next()
  %s = getelementptr i32, ptr %p, i64 %k
  %u = load i32, ptr %s
  %d = icmp eq i32 %u, 0
  br i1 %d, label %done, label %inner
inner:
  %i = call i64 @next()
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %c = icmp eq i32 %v, 0
  br i1 %c, label %outer, label %inner
done:
  ret void
}

; Another object in each turn, and with it another record.
; CHECK-NOT: heapprof.counted
; CHECK-LABEL: define void @exits(
define void @walking(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %n, %loop ]
  %i = call i64 @next()
  %n = getelementptr i8, ptr %q, i64 %i
  %v = load i8, ptr %n
  %c = icmp eq i8 %v, 0
  br i1 %c, label %done, label %loop
done:
  ret void
}

; At each exit, whichever is taken.
; CHECK: one:
; CHECK: [[IS:%.*]] = icmp ne i64 %heapprof.counted
; CHECK: [[BOTH:%.*]] = select i1 [[IS]],
; CHECK-NEXT: br i1 [[BOTH]]
; CHECK: two:
; CHECK: [[IS:%.*]] = icmp ne i64 %heapprof.counted
; CHECK: [[BOTH:%.*]] = select i1 [[IS]],
; CHECK-NEXT: br i1 [[BOTH]]
define void @exits(ptr %p) {
entry:
  br label %loop
loop:
  %i = call i64 @next()
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %c = icmp eq i32 %v, 0
  br i1 %c, label %one, label %more
more:
  %d = icmp eq i32 %v, 1
  br i1 %d, label %two, label %loop
one:
  call void @unknown()
  ret void
two:
  ret void
}
