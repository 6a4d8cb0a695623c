; expect-samples.ll - with -heapprof-expect-samples only a question is inline, at each access: one bit of what the address is computed from.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-expect-samples -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-expect-samples -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
; STATS-NOT: HooksInlined
; STATS: OwnerChecks 6
; STATS-NOT: RecordsReused
; WITHOUT: HooksInlined 6
; WITHOUT-NOT: OwnerChecks

; No record is looked at, and the hook is said to be rare.
; CHECK-LABEL: define void @one(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: [[BIT:%.*]] = and i64 [[ADDRESS]], 70368744177664
; CHECK-NEXT: [[IS_HEAP:%.*]] = icmp eq i64 [[BIT]], 0
; CHECK-NEXT: br i1 [[IS_HEAP]], label %[[SLOW:.*]], label %[[DONE:.*]], !prof [[UNLIKELY:![0-9]+]]
; CHECK: [[DONE]]:
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NEXT: ret void
; CHECK: [[SLOW]]:
; CHECK-NEXT: call preserve_mostcc ptr @__heapprof_slow(ptr %p, i32 65540)
; CHECK-NEXT: br label %[[DONE]]
define void @one(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; What an earlier hook found would only need a register.
; CHECK-LABEL: define void @two(
; CHECK-NOT: phi
; CHECK: call void @unknown()
; CHECK: and i64 {{.*}}, 70368744177664
; CHECK-NOT: phi
; CHECK: ret void
define void @two(ptr %p) {
  store i32 1, ptr %p
  call void @unknown()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: define void @list(
; CHECK: and i64 {{.*}}, 70368744177664
; CHECK: and i64 {{.*}}, 70368744177664
; CHECK-NOT: and i64
; CHECK: ret void
define void @list(ptr %head) {
  store ptr %head, ptr %head
  br label %next
next:
  %node = phi ptr [ %head, %0 ], [ %after, %next ]
  %after = load ptr, ptr %node
  %end = icmp eq ptr %after, null
  br i1 %end, label %done, label %next
done:
  ret void
}

; The address is computed where it is called for only.
; CHECK-LABEL: define void @member(
; CHECK-NEXT: %member = getelementptr
; CHECK-NEXT: [[ADDRESS:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: and i64 [[ADDRESS]], 70368744177664
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %member, i32 65538)
define void @member(ptr %p) {
  %member = getelementptr i8, ptr %p, i64 24
  store i16 1, ptr %member
  ret void
}
; CHECK: [[UNLIKELY]] = !{!"branch_weights", i32 1, i32 1048576}
