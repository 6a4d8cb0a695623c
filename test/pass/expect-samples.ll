; expect-samples.ll - with -heapprof-expect-samples only the owner check is inline, and what it found is asked again.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-expect-samples -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-expect-samples -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-expect-samples -heapprof-reuse=0 -S %s | FileCheck %s --check-prefix=NOREUSE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
; STATS-NOT: HooksInlined
; STATS: OwnerChecks 5
; STATS-NEXT: RecordsReused 1
; WITHOUT: HooksInlined 5
; WITHOUT-NOT: OwnerChecks

; No record is looked at, and the hook is said to be rare.
; CHECK-LABEL: define void @one(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: [[REGION:%.*]] = lshr i64 [[ADDRESS]], 38
; CHECK-NEXT: [[ABOVE:%.*]] = sub i64 [[REGION]], 6
; CHECK-NEXT: [[IS_HEAP:%.*]] = icmp ult i64 [[ABOVE]], 33
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

; A hook that is dominated by one of its object only asks what that one found.
; CHECK-LABEL: define void @two(
; CHECK: [[RECORD:%heapprof.record.*]] = phi ptr [ null, %{{.*}} ], [ %{{.*}}, %heapprof.slow ]
; CHECK: call void @unknown()
; CHECK-NOT: lshr
; CHECK: [[IS_HEAP:%.*]] = icmp ne ptr [[RECORD]], null
; CHECK-NEXT: br i1 [[IS_HEAP]], label %{{.*}}, label %{{.*}}, !prof [[UNLIKELY]]
; CHECK: ret void
; NOREUSE-LABEL: define void @two(
; NOREUSE: call void @unknown()
; NOREUSE: lshr i64 {{.*}}, 38
define void @two(ptr %p) {
  store i32 1, ptr %p
  call void @unknown()
  store i32 2, ptr %p
  ret void
}

; One that is not dominated finds out for itself, also in a loop.
; CHECK-LABEL: define void @list(
; CHECK: lshr i64 {{.*}}, 38
; CHECK: lshr i64 {{.*}}, 38
; CHECK-NOT: lshr
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
; CHECK: [[UNLIKELY]] = !{!"branch_weights", i32 1, i32 1048576}
