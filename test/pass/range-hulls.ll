; range-hulls.ll - ranges of one object that a loop walks through: one hook for
; their hull, and hooks for each where that hook counts nothing.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -heapprof-members -S %s | FileCheck %s --check-prefix=EACH
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @three(
; CHECK: [[DONE:%.*]] = call i32 @__heapprof_hull(ptr %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %n)
; CHECK: [[NONE:%.*]] = icmp eq i32 [[DONE]], 0
; CHECK: br i1 [[NONE]], label %[[APART:.*]], label %{{.*}}, !prof
; CHECK: [[APART]]:
; CHECK-COUNT-3: call void @__heapprof_many(
; CHECK-NOT: call void @__heapprof_{{many|read|write}}
; One look behind a long loop, for all of them.
; CHECK: call void @__heapprof_touch(
; CHECK-NOT: call void @__heapprof_touch(
; CHECK: ret void
; EACH-LABEL: define void @three(
; EACH-NOT: @__heapprof_hull
; EACH-COUNT-3: call void @__heapprof_loop_members(
define void @three(ptr %p, i64 %gap, i64 %other, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %before, label %done
before:
  %q = getelementptr i8, ptr %p, i64 %gap
  %r = getelementptr i8, ptr %q, i64 %other
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %b = getelementptr i8, ptr %q, i64 %i
  %c = getelementptr i8, ptr %r, i64 %i
  %va = load i8, ptr %a
  %vb = load i8, ptr %b
  %sum = add i8 %va, %vb
  store i8 %sum, ptr %c
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Two, and two of another object: for so few, hooks for each are not longer.
; CHECK-LABEL: define void @two(
; CHECK-NOT: @__heapprof_hull
; CHECK-COUNT-4: call void @__heapprof_many(
; CHECK: ret void
define void @two(ptr %p, ptr %q, i64 %gap, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %before, label %done
before:
  %p2 = getelementptr i8, ptr %p, i64 %gap
  %q2 = getelementptr i8, ptr %q, i64 %gap
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %b = getelementptr i8, ptr %p2, i64 %i
  %c = getelementptr i8, ptr %q, i64 %i
  %d = getelementptr i8, ptr %q2, i64 %i
  %va = load i8, ptr %a
  %vb = load i8, ptr %b
  store i8 %va, ptr %c
  store i8 %vb, ptr %d
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Code that is to be short has no second way.
; CHECK-LABEL: define void @short(
; CHECK-NOT: @__heapprof_hull
; CHECK-COUNT-3: call void @__heapprof_many(
; CHECK: ret void
define void @short(ptr %p, i64 %gap, i64 %other, i64 %n) optsize {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %before, label %done
before:
  %q = getelementptr i8, ptr %p, i64 %gap
  %r = getelementptr i8, ptr %q, i64 %other
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %b = getelementptr i8, ptr %q, i64 %i
  %c = getelementptr i8, ptr %r, i64 %i
  %va = load i8, ptr %a
  %vb = load i8, ptr %b
  %sum = add i8 %va, %vb
  store i8 %sum, ptr %c
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
