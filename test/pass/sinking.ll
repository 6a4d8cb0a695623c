; sinking.ll - an access before a branch is counted by the hook of one behind it, and on the other way by its own.
; Only while nothing between them may end the execution or free the object.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -heapprof-sink=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
; STATS-DAG: AccessesSunk 7

; The other way has a block of its own.
; CHECK-LABEL: define i32 @one(
; CHECK-NEXT: entry:
; CHECK-NOT: call void @__heapprof
; CHECK: left:
; CHECK-NEXT: call void @__heapprof_read_write(ptr %q, i64 12)
; CHECK: right:
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 4)
; CHECK-NOT: call void @__heapprof
; OFF-LABEL: define i32 @one(
; OFF: call void @__heapprof_read(ptr %p, i64 4)
; OFF: left:
; OFF-NEXT: call void @__heapprof_write(ptr %q, i64 1)
define i32 @one(ptr %p) {
entry:
  %q = getelementptr i8, ptr %p, i64 -8
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %left, label %right
left:
  store i8 1, ptr %q
  ret i32 %v
right:
  ret i32 0
}

; The other way has none: it gets one.
; CHECK-LABEL: define void @edge(
; CHECK-NEXT: entry:
; CHECK-NOT: call void @__heapprof
; CHECK: br i1 %c, label %left, label %[[SPLIT:.*]]
; CHECK: [[SPLIT]]:
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 4)
; CHECK-NEXT: br label %join
; CHECK: left:
; CHECK-NEXT: call void @__heapprof_read_write(ptr %p, i64 4)
; CHECK: join:
; CHECK-NOT: call void @__heapprof
define void @edge(ptr %p) {
entry:
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %left, label %join
left:
  store i32 1, ptr %p
  br label %join
join:
  ret void
}

; What is known of the edge moves to the new one: the phi's value, and what the branch says of its loop.
; CHECK-LABEL: define i32 @valued(
; CHECK: br i1 %c, label %left, label %[[SPLIT:.*]], !llvm.loop [[LOOP:![0-9]+]]
; CHECK: [[SPLIT]]:
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 4)
; CHECK-NEXT: br label %join, !llvm.loop [[LOOP]]
; CHECK: join:
; CHECK-NEXT: phi i32 [ %v, %[[SPLIT]] ], [ 1, %left ]
define i32 @valued(ptr %p) {
entry:
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %left, label %join, !llvm.loop !0
left:
  store i32 1, ptr %p
  br label %join
join:
  %r = phi i32 [ %v, %entry ], [ 1, %left ]
  ret i32 %r
}

; Joined on both ways; on one of them moved again, with what was joined.
; CHECK-LABEL: define void @again(
; CHECK-NEXT: entry:
; CHECK-NOT: call void @__heapprof
; CHECK: left:
; CHECK-NEXT: call void @__heapprof_read_write(ptr %p, i64 4)
; CHECK: right:
; CHECK-NOT: call void @__heapprof
; CHECK: rightLeft:
; CHECK-NEXT: call void @__heapprof_many(ptr %p, i64 4, i64 2, i64 1)
; CHECK: rightRight:
; CHECK-NEXT: call void @__heapprof_many(ptr %p, i64 4, i64 2, i64 0)
; CHECK-NOT: call void @__heapprof
define void @again(ptr %p, i1 %d) {
entry:
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %left, label %right
left:
  store i32 1, ptr %p
  ret void
right:
  %w = load i16, ptr %p
  br i1 %d, label %rightLeft, label %rightRight
rightLeft:
  store i32 2, ptr %p
  ret void
rightRight:
  ret void
}

; Only to where no other way leads, and where nothing is in between.
; CHECK-LABEL: define void @notMoved(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 4)
; CHECK: first:
; CHECK: call void @unknown()
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
; CHECK: second:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 2)
define void @notMoved(ptr %p, i1 %d) {
entry:
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %first, label %second
first:
  call void @unknown()
  store i32 1, ptr %p
  br i1 %d, label %second, label %third
second:
  store i16 1, ptr %p
  br label %third
third:
  ret void
}

; CHECK-LABEL: define void @behindCall(
; CHECK: call void @__heapprof_read(ptr %p, i64 4)
; CHECK: call void @unknown()
; CHECK: left:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
define void @behindCall(ptr %p) {
entry:
  %v = load i32, ptr %p
  call void @unknown()
  %c = icmp eq i32 %v, 0
  br i1 %c, label %left, label %join
left:
  store i32 1, ptr %p
  br label %join
join:
  ret void
}

; Not out of a loop, on whose way back it would be a block more.
; CHECK-LABEL: define void @turns(
; CHECK: loop:
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 4)
; CHECK: br i1 %c, label %done, label %loop
; CHECK: done:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
define void @turns(ptr %p) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %done, label %loop
done:
  store i32 1, ptr %p
  ret void
}

; More bytes than one hook counts inline.
; CHECK-LABEL: define void @far(
; CHECK-NEXT: entry:
; CHECK: call void @__heapprof_read(ptr %p, i64 4)
; CHECK: left:
; CHECK-NEXT: call void @__heapprof_write(ptr %q, i64 4)
; CHECK: right:
; CHECK-NEXT: ret void
define void @far(ptr %p) {
entry:
  %q = getelementptr i8, ptr %p, i64 70000
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %left, label %right
left:
  store i32 1, ptr %q
  ret void
right:
  ret void
}

; Nor where the other way cannot get a block: a computed jump leads there, too.
; CHECK-LABEL: define void @computed(
; CHECK: loop:
; CHECK: call void @__heapprof_read(ptr %p, i64 4)
; CHECK: br i1 %c, label %left, label %done
; CHECK: left:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 4)
define void @computed(ptr %p, ptr %to) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %left, label %done
left:
  store i32 1, ptr %p
  indirectbr ptr %to, [label %loop, label %done]
done:
  ret void
}

; Nor behind a release: another thread may free the object then.
; CHECK-LABEL: define void @unreference(
; CHECK-NEXT: entry:
; CHECK: call void @__heapprof_{{.*}}(ptr %p,
; CHECK: atomicrmw sub
; CHECK-NOT: call void @__heapprof
; CHECK: last:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 8)
; CHECK: other:
; CHECK-NOT: call void @__heapprof
define void @unreference(ptr %p) {
entry:
  %v = load i64, ptr %p
  %n = getelementptr i8, ptr %p, i64 8
  %old = atomicrmw sub ptr %n, i64 1 acq_rel
  %c = icmp eq i64 %old, 1
  br i1 %c, label %last, label %other
last:
  store i64 0, ptr %p
  ret void
other:
  ret void
}

; CHECK-LABEL: define void @throughCall(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 8)
; CHECK: call i64 @takeBack(
; CHECK: last:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 8)
; CHECK: other:
; CHECK-NOT: call void @__heapprof
define void @throughCall(ptr %p, ptr %n) {
entry:
  %v = load i64, ptr %p
  %old = call i64 @takeBack(ptr %n)
  %c = icmp eq i64 %old, 1
  br i1 %c, label %last, label %other
last:
  store i64 0, ptr %p
  ret void
other:
  ret void
}

; CHECK-LABEL: define i64 @takeBack(
define i64 @takeBack(ptr %n) nofree nounwind willreturn {
  %old = atomicrmw sub ptr %n, i64 1 release
  ret i64 %old
}

; Of a tag that a switch looks at, by the hooks of its cases: the default, which
; two values lead to, and the case that accesses nothing have one of their own.
; CHECK-LABEL: define i64 @tagged(
; CHECK-NEXT: entry:
; CHECK-NOT: call void @__heapprof
; CHECK: number:
; CHECK-NEXT: call void @__heapprof_many(ptr %p, i64 9, i64 2, i64 0)
; CHECK: text:
; CHECK-NEXT: call void @__heapprof_read_write(ptr %p, i64 9)
; CHECK: nothing:
; CHECK-NEXT: call void @__heapprof_read(ptr %q, i64 1)
; CHECK: other:
; CHECK-NEXT: call void @__heapprof_read(ptr %q, i64 1)
; CHECK-NOT: call void @__heapprof
; CHECK: ret i64
define i64 @tagged(ptr %p) {
entry:
  %q = getelementptr i8, ptr %p, i64 8
  %tag = load i8, ptr %q
  switch i8 %tag, label %other [
    i8 1, label %number
    i8 2, label %text
    i8 3, label %nothing
    i8 4, label %other
  ]
number:
  %v = load i64, ptr %p
  ret i64 %v
text:
  store i64 0, ptr %p
  ret i64 2
nothing:
  ret i64 3
other:
  ret i64 0
}

; Where other code leads to, too, a block is put between, one for all values;
; where nobody gets to, nothing.
; CHECK-LABEL: define void @shared(
; CHECK: tested:
; CHECK-NEXT: load i8
; CHECK-NEXT: switch i8 %tag, label %never [
; CHECK-NEXT: i8 1, label %one
; CHECK-NEXT: i8 2, label %[[SPLIT:.*]]
; CHECK-NEXT: i8 3, label %[[SPLIT]]
; CHECK: one:
; CHECK-NEXT: call void @__heapprof_read_write(ptr %p, i64 1)
; CHECK: [[SPLIT]]:
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 1)
; CHECK-NEXT: br label %join
; CHECK: join:
; CHECK-NOT: call void @__heapprof
; CHECK: never:
; CHECK-NEXT: unreachable
define void @shared(ptr %p, i1 %d) {
entry:
  br i1 %d, label %tested, label %join
tested:
  %tag = load i8, ptr %p
  switch i8 %tag, label %never [
    i8 1, label %one
    i8 2, label %join
    i8 3, label %join
  ]
one:
  store i8 0, ptr %p
  br label %join
join:
  ret void
never:
  unreachable
}

; Not where most ways would get a hook of their own.
; CHECK-LABEL: define void @few(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 1)
; CHECK: one:
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 1)
define void @few(ptr %p) {
entry:
  %tag = load i8, ptr %p
  switch i8 %tag, label %other [
    i8 1, label %one
    i8 2, label %two
  ]
one:
  store i8 0, ptr %p
  ret void
two:
  ret void
other:
  ret void
}

!0 = distinct !{!0}
