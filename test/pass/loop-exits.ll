; loop-exits.ll - accesses of loops whose turns are not known before them are counted at each exit.
; As often as turns are complete, and once more if the last one came to them.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -heapprof-loop-exits=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-naive -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -S %s | FileCheck %s --check-prefix=INLINE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
declare void @writes() nofree nounwind willreturn
; STATS: LoopExitsTaken 11
; OFF-NOT: asm

; The loop's own counter tells the turns; the last one is not complete.
; CHECK-LABEL: define i64 @length(
; CHECK: loop:
; CHECK-NOT: call
; CHECK: done:
; CHECK-NEXT: [[TURNS:%.*]] = call i64 asm "", "=r,0"(i64 %i)
; CHECK-NEXT: [[TIMES:%.*]] = add i64 [[TURNS]], 1
; CHECK-NEXT: [[BYTES:%.*]] = add i64 [[TURNS]], 1
; CHECK: call void @__heapprof_many(ptr %p, i64 [[BYTES]], i64 [[TIMES]], i64
; CHECK-NEXT: ret i64 %i
; OFF-LABEL: define i64 @length(
; OFF: loop:
; OFF: call void @__heapprof_read(ptr %q, i64 1)
; Usual if the interval has its last byte and a counter room for all.  What is
; not is called for, at most 255 turns at once.
; INLINE-LABEL: define i64 @length(
; INLINE: done:
; INLINE-NEXT: [[REPEATS:%.*]] = call i64 asm
; INLINE: icmp ule i64 [[REPEATS]], 32766
; INLINE: [[FIRST:%.*]] = trunc i64 %{{.*}} to i32
; INLINE: [[FROM:%.*]] = zext i32 [[FIRST]] to i64
; INLINE: [[LAST:%.*]] = add i64 [[FROM]], [[REPEATS]]
; INLINE: icmp ule i64 [[LAST]], {{%.*}}
; INLINE: heapprof.usual:
; INLINE: add i64 [[REPEATS]], 1
; INLINE: heapprof.calls:
; INLINE-NEXT: [[AT:%.*]] = phi ptr [ %p, %heapprof.slow ], [ [[NEXT:%.*]], %heapprof.calls ]
; INLINE-NEXT: [[LEFT:%.*]] = phi i64
; INLINE-NEXT: [[NOW:%.*]] = call i64 @llvm.umin.i64(i64 [[LEFT]], i64 255)
; INLINE: mul i64 [[NOW]], 16777217
; INLINE: call preserve_mostcc ptr @__heapprof_slow(ptr [[AT]],
; INLINE: sub i64 [[LEFT]], [[NOW]]
; INLINE: [[NEXT]] = getelementptr i8, ptr [[AT]], i64 [[NOW]]
define i64 @length(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  switch i8 %v, label %latch [
    i8 0, label %done
    i8 44, label %done
  ]
latch:
  %next = add nuw i64 %i, 1
  br label %loop
done:
  ret i64 %i
}

; Two exits, one ahead of the access: there it may have been executed no times.
; CHECK-LABEL: define i32 @search(
; CHECK-NOT: call void @__heapprof
; CHECK: end:
; CHECK-NEXT: [[WIDE:%.*]] = zext i32 %i to i64
; CHECK-NEXT: [[TURNS:%.*]] = call i64 asm "", "=r,0"(i64 [[WIDE]])
; CHECK-NEXT: [[REPEATS:%.*]] = sub i64 [[TURNS]], 1
; CHECK-NEXT: [[ANY:%.*]] = icmp ne i64 [[REPEATS]], -1
; CHECK-NEXT: br i1 [[ANY]], label %[[THEN:.*]], label %[[BEHIND:.*]]
; CHECK: [[THEN]]:
; CHECK: call void @__heapprof_many(ptr %p,
; CHECK: [[BEHIND]]:
; CHECK-NEXT: ret i32 -1
; CHECK: found:
; CHECK: call i64 asm
; CHECK-NOT: br
; CHECK: call void @__heapprof_many(ptr %p,
; CHECK-NEXT: ret i32 %i
define i32 @search(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %left = icmp eq i32 %i, %n
  br i1 %left, label %end, label %body
body:
  %at = sext i32 %i to i64
  %q = getelementptr i32, ptr %p, i64 %at
  %v = load i32, ptr %q
  %is = icmp eq i32 %v, 7
  br i1 %is, label %found, label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  br label %loop
end:
  ret i32 -1
found:
  ret i32 %i
}

; Both lead to one block.
; CHECK-LABEL: define void @oneExit(
; CHECK: done:
; CHECK-NEXT: [[LESS:%.*]] = phi i64 [ 0, %body ], [ 1, %loop ]
; CHECK-NEXT: [[TURNS:%.*]] = call i64 asm
; CHECK-NEXT: [[REPEATS:%.*]] = sub i64 [[TURNS]], [[LESS]]
; CHECK-NEXT: icmp ne i64 [[REPEATS]], -1
define void @oneExit(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %left = icmp eq i64 %i, %n
  br i1 %left, label %done, label %body
body:
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  %is = icmp eq i8 %v, 7
  br i1 %is, label %done, label %latch
latch:
  %next = add nuw i64 %i, 1
  br label %loop
done:
  ret void
}

; Backwards: the last one is the first in memory.
; CHECK-LABEL: define ptr @backwards(
; CHECK: done:
; CHECK: [[DISTANCE:%.*]] = sub i64 %{{.*}}, %{{.*}}
; CHECK: [[SHIFTED:%.*]] = lshr exact i64 [[DISTANCE]], 2
; CHECK: [[TURNS:%.*]] = call i64 asm "", "=r,0"(i64 [[SHIFTED]])
; CHECK: [[BACK:%.*]] = mul i64 [[TURNS]], -4
; CHECK: [[LOW:%.*]] = getelementptr i8, ptr {{%.*}}, i64 [[BACK]]
; CHECK: call void @__heapprof_many(ptr [[LOW]]
define ptr @backwards(ptr %end) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %end, %entry ], [ %q, %loop ]
  %q = getelementptr i8, ptr %p, i64 -4
  %v = load i32, ptr %q
  %is = icmp eq i32 %v, 7
  br i1 %is, label %done, label %loop
done:
  ret ptr %q
}

; Two beside each other are one; a read and a write.  No value of the loop is a
; power of 2 times the turns: they are counted.
; CHECK-LABEL: define void @beside(
; CHECK: loop:
; CHECK: [[COUNTER:%heapprof.turns]] = phi i64 [ 0, %entry ], [ [[MORE:%.*]], %loop ]
; CHECK: [[MORE]] = add i64 [[COUNTER]], 1
; CHECK: done:
; CHECK-NEXT: [[TURNS:%.*]] = call i64 asm "", "=r,0"(i64 [[COUNTER]])
; CHECK-NEXT: [[TIMES:%.*]] = add i64 [[TURNS]], 1
; CHECK-NEXT: [[DISTANCE:%.*]] = mul i64 [[TURNS]], 12
; CHECK-NEXT: [[BYTES:%.*]] = add i64 [[DISTANCE]], 8
; CHECK-NEXT: call void @__heapprof_many(ptr %start, i64 [[BYTES]], i64 [[TIMES]], i64 [[TIMES]])
; CHECK-NOT: call
define void @beside(ptr %start) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr %p, i64 4
  %v = load i32, ptr %p
  store i32 0, ptr %q
  %next = getelementptr i8, ptr %p, i64 12
  %is = icmp eq i32 %v, 7
  br i1 %is, label %done, label %loop
done:
  ret void
}

; One place in all turns; two of one object are counted together.
; CHECK-LABEL: define void @several(
; CHECK: done:
; CHECK-COUNT-3: call void @__heapprof_many(
; INLINE-LABEL: define void @several(
; INLINE: done:
; INLINE: heapprof.usual:
; INLINE: [[TIMES:%.*]] = add i64 %{{.*}}, 1
; INLINE-NEXT: mul i64 [[TIMES]], 2
; INLINE: heapprof.usual{{[0-9]+}}:
define void @several(ptr %p, ptr %sum, i64 %from) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %r = getelementptr i8, ptr %q, i64 %from
  %v = load i8, ptr %q
  %w = load i8, ptr %r
  store i8 %v, ptr %sum
  %next = add nuw i64 %i, 1
  %same = icmp eq i8 %v, %w
  br i1 %same, label %loop, label %done
done:
  ret void
}

; Not where a turn may end within, also by a call that only may be slow or let
; another thread go on; not in some turns only; not an outer loop's.
; CHECK-LABEL: define void @call(
; CHECK: loop:
; CHECK: call void @__heapprof_read(
define void @call(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  call void @unknown()
  %next = add nuw i64 %i, 1
  %is = icmp eq i8 %v, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @slowCall(
; CHECK: loop:
; CHECK: call void @__heapprof_read(
define void @slowCall(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  call void @writes()
  %next = add nuw i64 %i, 1
  %is = icmp eq i8 %v, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @atomic(
; CHECK: loop:
; CHECK: call void @__heapprof_read(
define void @atomic(ptr %p, ptr %free) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  store atomic i8 %v, ptr %free release, align 1
  %next = add nuw i64 %i, 1
  %is = icmp eq i8 %v, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @volatile(
; CHECK: loop:
; CHECK: call void @__heapprof_read(
define void @volatile(ptr %p) {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %is = icmp eq i8 %v, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

; Neither is it in each turn, nor is it known whether one that is left came by.
; CHECK-LABEL: define void @condition(
; CHECK: odd:
; CHECK: call void @__heapprof_read(
; CHECK: latch:
; CHECK: call void @__heapprof_write(
define void @condition(ptr %p, ptr %to) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i8, ptr %p, i64 %i
  %is.odd = trunc i64 %i to i1
  br i1 %is.odd, label %odd, label %latch
odd:
  %v = load i8, ptr %q
  %is = icmp eq i8 %v, 0
  br i1 %is, label %done, label %latch
latch:
  %r = getelementptr i8, ptr %to, i64 %i
  store i8 0, ptr %r
  %next = add nuw i64 %i, 1
  br label %loop
done:
  ret void
}

; Not where the pointer does not walk at one speed.
; CHECK-LABEL: define void @list(
; CHECK: loop:
; CHECK: call void @__heapprof_read(
define void @list(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %q
  %is = icmp eq ptr %next, null
  br i1 %is, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @variable(
; CHECK: loop:
; CHECK: call void @__heapprof_read(
define void @variable(ptr %p, i64 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  %next = add nuw i64 %i, %step
  %is = icmp eq i8 %v, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @wide(
; CHECK: loop:
; CHECK: call void @__heapprof_read(
define void @wide(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr [32768 x i8], ptr %p, i64 %i
  %v = load i8, ptr %q
  %next = add nuw i64 %i, 1
  %is = icmp eq i8 %v, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

; The inner loop's are counted in the outer one, whose own stay.
; CHECK-LABEL: define void @nest(
; CHECK: outer:
; CHECK: call void @__heapprof_read(ptr %r, i64 1)
; CHECK: inner:
; CHECK-NOT: call
; CHECK: latch:
; CHECK: call void @__heapprof_many(ptr %p,
; CHECK: done:
; CHECK-NEXT: ret void
define void @nest(ptr %p, ptr %rows) {
entry:
  br label %outer
outer:
  %y = phi i64 [ 0, %entry ], [ %y.next, %latch ]
  %r = getelementptr i8, ptr %rows, i64 %y
  %end = load i8, ptr %r
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  %i.next = add nuw i64 %i, 1
  %is = icmp eq i8 %v, %end
  br i1 %is, label %latch, label %inner
latch:
  %y.next = add nuw i64 %y, 1
  %last = icmp eq i8 %end, 0
  br i1 %last, label %done, label %outer
done:
  ret void
}

; Three exits, three accesses: of one there would be too many hooks.
; CHECK-LABEL: define i32 @exits(
; CHECK: loop:
; CHECK: call void @__heapprof_read(ptr %q3, i64 1)
; CHECK: latch:
; CHECK-COUNT-6: call void @__heapprof_many(
; CHECK-NOT: call void @__heapprof
define i32 @exits(ptr %p1, ptr %p2, ptr %p3) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q1 = getelementptr i8, ptr %p1, i64 %i
  %q2 = getelementptr i8, ptr %p2, i64 %i
  %q3 = getelementptr i8, ptr %p3, i64 %i
  %v1 = load i8, ptr %q1
  %v2 = load i8, ptr %q2
  %v3 = load i8, ptr %q3
  switch i8 %v1, label %latch [
    i8 0, label %a
    i8 1, label %b
    i8 2, label %c
  ]
latch:
  %next = add nuw i64 %i, 1
  br label %loop
a:
  ret i32 0
b:
  ret i32 1
c:
  ret i32 2
}

; A way round inside that has two entries, which LoopInfo does not see.
; CHECK-LABEL: define void @twoEntries(
; CHECK: again:
; CHECK: call void @__heapprof_read(
define void @twoEntries(ptr %p, i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %other, label %again
other:
  br label %again
again:
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  %round = icmp eq i8 %v, 1
  br i1 %round, label %other, label %latch
latch:
  %next = add nuw i64 %i, 1
  %is = icmp eq i8 %v, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

; Another thread may end the process.
; CHECK-LABEL: define void @endless(
; CHECK: loop:
; CHECK: call void @__heapprof_write(
define void @endless(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  br label %loop
}

; Another thread may free the object behind a release, as that of a last turn.
; CHECK-LABEL: define void @released(
; CHECK: loop:
; CHECK: call void @__heapprof_read(ptr %q, i64 1)
; CHECK: atomicrmw
; CHECK: done:
; CHECK-NEXT: ret void
define void @released(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  %next = add nuw i64 %i, 1
  %old = atomicrmw sub ptr @left, i64 1 release
  %c = icmp eq i64 %old, 1
  br i1 %c, label %done, label %loop
done:
  ret void
}
@left = global i64 0
