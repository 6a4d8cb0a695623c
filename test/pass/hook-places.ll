; hook-places.ll - hooks are inline where their block is executed more often than the function is called, else a call.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-loop-exits=0 -heapprof-loop-ranges=0 -heapprof-inline-above=100 -heapprof-inline-few=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-loop-exits=0 -heapprof-loop-ranges=0 -heapprof-inline-above=100 -heapprof-inline-few=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-loop-exits=0 -heapprof-loop-ranges=0 -heapprof-inline-few=2 -S %s | FileCheck %s --check-prefix=FEW
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-inline-above=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-inline-above=100 -heapprof-inline=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-inline-above=100 -heapprof-expect-samples -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-inline-above=100 -heapprof-naive -S %s | FileCheck %s --check-prefix=NONE
; RUN: sed 's/^target triple.*/target triple = "aarch64-unknown-linux-gnu"/' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-inline-above=100 -S | FileCheck %s --check-prefix=NONE
target triple = "x86_64-unknown-linux-gnu"
; NONE-NOT: __heapprof_usual
; STATS-DAG: HooksCalled 10
; STATS-DAG: HooksInlined 7

; In one word: bytes, writes << 16, reads << 24.
define i32 @once(ptr %p) {
  %second = getelementptr i8, ptr %p, i64 4
  %value = load i32, ptr %second
  call void @use(ptr null)
  store i64 1, ptr %p
  call void @use(ptr null)
  %before = atomicrmw add ptr %p, i64 1 monotonic
  call void @use(ptr null)
  %odd = load i24, ptr %p
  ret i32 %value
}
; CHECK-LABEL: define i32 @once(
; CHECK-NEXT: %second =
; CHECK-NEXT: call preserve_mostcc ptr @__heapprof_usual(ptr %second, i32 16777220)
; CHECK-NEXT: %value = load i32, ptr %second
; CHECK: call preserve_mostcc ptr @__heapprof_usual(ptr %p, i32 65544)
; CHECK-NEXT: store i64 1, ptr %p
; CHECK: call preserve_mostcc ptr @__heapprof_usual(ptr %p, i32 16842760)
; CHECK-NEXT: atomicrmw
; CHECK: call preserve_mostcc ptr @__heapprof_usual(ptr %p, i32 16777219)
; CHECK-NOT: @__heapprof_masks
; CHECK: ret i32 %value

; What the call finds the loop begins with.
define void @loop(ptr %p, ptr %q) {
entry:
  store i32 0, ptr %p
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  store i32 1, ptr %p
  call void @use(ptr %p)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %turn, label %out
out:
  store i32 2, ptr %p
  ret void
}
; FEW-LABEL: define i32 @once(
; FEW: call preserve_mostcc ptr @__heapprof_usual(ptr %p, i32 65544)
; FEW-LABEL: define void @loop(
; CHECK-LABEL: define void @loop(
; CHECK: [[FOUND:%.*]] = call preserve_mostcc ptr @__heapprof_usual(ptr %p, i32 65540)
; CHECK-NEXT: store i32 0, ptr %p
; CHECK: turn:
; CHECK-NOT: @__heapprof_masks
; CHECK: [[KNOWN:%.*]] = phi ptr [ [[FOUND]], %entry ], [ [[RECORD:%.*]], %{{.*}} ]
; CHECK: ptrtoint ptr [[KNOWN]] to i64
; What a hook finds in a turn the next turn knows: the chunk may have been exact at first.
; CHECK: [[RECORD]] = phi ptr [ [[KNOWN]], %turn ], [ [[KNOWN]], %{{.*}} ], [ [[SLOW:%.*]], %{{.*}} ]
; CHECK: [[SLOW]] = call preserve_mostcc ptr @__heapprof_slow(ptr %p, i32 65540)

; Of an object of the turn's own there is no later turn.
define void @of_the_turn(ptr %list) {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %p = call ptr @find(i64 %i)
  store i32 0, ptr %p
  call void @use(ptr %p)
  store i32 1, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %turn, label %out
out:
  ret void
}
; CHECK-LABEL: define void @of_the_turn(
; CHECK: @__heapprof_masks
; CHECK: [[RECORD:%.*]] = phi ptr
; CHECK: icmp ne ptr [[RECORD]], null
; CHECK-NOT: phi ptr
; CHECK: ret void

; Where a loop seldom comes by.
define void @rare(ptr %p, i64 %n, ptr %q) {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %further ]
  %at = getelementptr i32, ptr %p, i64 %i
  %found = load i32, ptr %at
  %stop = icmp eq i32 %found, 0
  br i1 %stop, label %error, label %further, !prof !0
error:
  store i32 1, ptr %q
  call void @use(ptr %q)
  br label %further
further:
  call void @use(ptr %at)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %turn, label %out
out:
  ret void
}
; CHECK-LABEL: define void @rare(
; CHECK: error:
; CHECK-NEXT: call preserve_mostcc ptr @__heapprof_usual(ptr %q, i32 65540)
; CHECK: @__heapprof_masks

; One way of many in a loop, as a case of an interpreter: its block is executed in half of the function's calls, which is often there.
define void @case(ptr %p, i64 %n, ptr %q) {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %further ]
  %at = getelementptr i32, ptr %p, i64 %i
  %found = load i32, ptr %at
  %stop = icmp eq i32 %found, 0
  br i1 %stop, label %way, label %further, !prof !1
way:
  store i32 1, ptr %q
  call void @use(ptr %q)
  br label %further
further:
  call void @use(ptr %at)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %turn, label %out
out:
  ret void
}
; CHECK-LABEL: define void @case(
; CHECK-NOT: @__heapprof_usual
; CHECK: ret void

; However often the loop turns: what the program says is unlikely, and what leads to a cold call.
define void @cold(ptr %p, ptr %q, ptr %r) {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %further ]
  %at = getelementptr i32, ptr %p, i64 %i
  %found = load i32, ptr %at
  %stop = icmp eq i32 %found, 0
  br i1 %stop, label %said, label %more, !prof !2
said:
  store i32 1, ptr %q
  call void @use(ptr %q)
  br label %more
more:
  %bad = icmp eq i32 %found, 1
  br i1 %bad, label %error, label %further
error:
  store i32 1, ptr %r
  call void @use(ptr %r) cold
  br label %further
further:
  call void @use(ptr %at)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 1000000
  br i1 %again, label %turn, label %out, !prof !3
out:
  ret void
}
; CHECK-LABEL: define void @cold(
; CHECK: said:
; CHECK-NEXT: call preserve_mostcc ptr @__heapprof_usual(ptr %q, i32 65540)
; CHECK: error:
; CHECK-NEXT: call preserve_mostcc ptr @__heapprof_usual(ptr %r, i32 65540)

; A function without loops, and of few hooks.
; FEW-LABEL: define i32 @short(
; FEW: @__heapprof_masks
; FEW-LABEL: define i32 @small(
define i32 @short(ptr %p) {
  %value = load i32, ptr %p
  ret i32 %value
}
; STATS-DAG: FunctionsInstrumented 8

; For size each hook is a call with no answer.
define i32 @small(ptr %p) minsize {
  %value = load i32, ptr %p
  ret i32 %value
}
; CHECK-LABEL: define i32 @small(
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 4)

; CHECK: declare dso_local preserve_mostcc ptr @__heapprof_usual(ptr, i32)
declare void @use(ptr)
!0 = !{!"branch_weights", i32 1, i32 1000000}
!1 = !{!"branch_weights", i32 1, i32 63}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!"branch_weights", i32 1000000, i32 1}
declare ptr @find(i64)
