; loop-ranges.ll - accesses of exactly counted loops are counted before them.
; Bytes are the hull, forwards and backwards; nests are left as a whole.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-loop-exits=0 -heapprof-inline=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-loop-exits=0 -heapprof-inline=0 -heapprof-loop-ranges=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-loop-exits=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
; STATS-DAG: LoopRangesMade 7
; STATS-DAG: LoopLevelsLeft 10
; STATS-DAG: HooksTouch 4

; CHECK-LABEL: define void @forwards(
; CHECK: call void @__heapprof_many(ptr %p, i64 792, i64 0, i64 50)
; CHECK: loop:
; CHECK-NOT: call void @__heapprof
; CHECK: ret void
; OFF-LABEL: define void @forwards(
; OFF: loop:
; OFF: call void @__heapprof_write(
define void @forwards(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 0, ptr %q
  %next = add nuw nsw i64 %i, 2
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define void @backwards(
; CHECK: call void @__heapprof_many(ptr %p, i64 400, i64 100, i64 0)
; CHECK: loop:
; CHECK-NOT: call void @__heapprof
; CHECK: ret void
define void @backwards(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 99, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %next = add nsw i64 %i, -1
  %more = icmp sge i64 %next, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The turns are known only when running: a long loop is touched at its end.
; CHECK-LABEL: define void @nest(
; CHECK: call void @__heapprof_many(ptr %p, i64 {{%.*}}, i64 {{%.*}}, i64 0)
; CHECK-NOT: call void @__heapprof_{{read|many}}
; CHECK: call void @__heapprof_touch(ptr %p)
define void @nest(ptr %p, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %row = getelementptr [10 x i64], ptr %p, i64 %i
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %q = getelementptr i64, ptr %row, i64 %j
  %v = load i64, ptr %q
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 10
  br i1 %j.more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %outer, label %done
done:
  ret void
}

; Behind the exit there is one turn less.
; CHECK-LABEL: define void @exitFirst(
; CHECK: call void @__heapprof_many(ptr %p, i64 40, i64 0, i64 10)
; CHECK-NOT: call void @__heapprof
; CHECK: ret void
define void @exitFirst(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, 10
  br i1 %more, label %body, label %done
body:
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %q
  %next = add nuw nsw i64 %i, 1
  br label %loop
done:
  ret void
}

; Not in each turn; not in a loop that a call may leave; not with two exits.
; CHECK-LABEL: define void @condition(
; CHECK: loop:
; CHECK: call void @__heapprof_write(
; CHECK-LABEL: define void @call(
; CHECK: loop:
; CHECK: call void @__heapprof_write(
; CHECK-LABEL: define void @twoExits(
; CHECK: loop:
; CHECK: call void @__heapprof_read(
define void @condition(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %then, label %latch
then:
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}
define void @call(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %q
  call void @unknown()
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}
define void @twoExits(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %found = icmp eq i32 %v, 0
  br i1 %found, label %done, label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A condition that is the same in all turns: counted as often as it is true.
; CHECK-LABEL: define void @sameCondition(
; CHECK: [[TRUE:%.*]] = zext i1 %c to i64
; CHECK: [[WRITES:%.*]] = mul {{.*}}i64 [[TRUE]], 10
; CHECK: call void @__heapprof_many(ptr %p, i64 40, i64 0, i64 [[WRITES]])
; CHECK: loop:
; CHECK-NOT: call void @__heapprof_{{read|write|many}}
; CHECK: ret void
define void @sameCondition(ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %then, label %latch
then:
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What a vectoriser makes of a loop in a loop: by fours, and then one by one
; from 0 or from %fours on.  Both are left together with the outer loop.
; CHECK-LABEL: define void @rows(
; CHECK: entry:
; CHECK-COUNT-2: call void @__heapprof_many(
; CHECK: outer:
; CHECK-NOT: call void @__heapprof_{{read|write|many}}
; CHECK: ret void
define void @rows(ptr %p, i64 %n) {
entry:
  %few = icmp ult i64 %n, 4
  %fours = and i64 %n, -4
  %all = icmp eq i64 %n, %fours
  br label %outer
outer:
  %y = phi i64 [ 0, %entry ], [ %y.next, %latch ]
  %start = mul i64 %y, %n
  %row = getelementptr i32, ptr %p, i64 %start
  br i1 %few, label %rest, label %by.fours
by.fours:
  %i = phi i64 [ 0, %outer ], [ %i.next, %by.fours ]
  %q = getelementptr i32, ptr %row, i64 %i
  store <4 x i32> zeroinitializer, ptr %q
  %i.next = add nuw i64 %i, 4
  %i.end = icmp eq i64 %i.next, %fours
  br i1 %i.end, label %middle, label %by.fours
middle:
  br i1 %all, label %latch, label %rest
rest:
  %from = phi i64 [ 0, %outer ], [ %fours, %middle ]
  br label %by.one
by.one:
  %j = phi i64 [ %from, %rest ], [ %j.next, %by.one ]
  %r = getelementptr i32, ptr %row, i64 %j
  store i32 0, ptr %r
  %j.next = add nuw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %n
  br i1 %j.end, label %latch, label %by.one
latch:
  %y.next = add nuw i64 %y, 1
  %y.end = icmp eq i64 %y.next, 8
  br i1 %y.end, label %done, label %outer
done:
  ret void
}

; A way round inside the loop that has two entries, which LoopInfo does not see.
; CHECK-LABEL: define void @twoEntries(
; CHECK: again:
; CHECK: call void @__heapprof_write(
define void @twoEntries(ptr %p, i1 %c, ptr %state) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %other, label %again
other:
  br label %again
again:
  store i32 0, ptr %p
  %v = load atomic i32, ptr %state unordered, align 4
  %round = icmp eq i32 %v, 0
  br i1 %round, label %other, label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}
