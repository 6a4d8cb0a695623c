; inlining.ll - the usual access is written without a call, and a second one reuses the record.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-reuse=0 -S %s | FileCheck %s --check-prefix=NOREUSE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-sampled-forms=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
; STATS-DAG: HooksInlined 19
; STATS-DAG: TimesShared 3
; STATS-DAG: RecordsReused 10

; CHECK: @__heapprof_thread_tag = external dso_local thread_local(initialexec) global i16
; No hook but the one for what is not usual.
; CHECK-LABEL: define void @one(
; CHECK: ashr i64 %{{.*}}, 38
; CHECK: getelementptr i64, ptr @__heapprof_masks, i64 %heapprof.region
; CHECK: load i16, ptr @__heapprof_thread_tag
; CHECK: load i64, ptr @__heapprof_clock_coarse
; CHECK: store i32 1, ptr %p
; CHECK-NEXT: ret void
; CHECK: call ptr @__heapprof_slow_word_10004(ptr nest %p)
; CHECK-NOT: call void @__heapprof_write
define void @one(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call void @unknown()
; CHECK-NOT: ashr i64 {{.*}}, 38
; CHECK: ret void
; NOREUSE-LABEL: define void @two(
; NOREUSE: call void @unknown()
; NOREUSE: ashr i64 {{.*}}, 38
define void @two(ptr %p) {
  store i32 1, ptr %p
  call void @unknown()
  store i32 2, ptr %p
  ret void
}

; Null is not the heap, and what is below it is not known.
; CHECK-LABEL: define void @further(
; CHECK: [[LOOKED:%heapprof.record.*]] = inttoptr i64
; CHECK: [[RECORD:%heapprof.record.*]] = phi ptr [ [[LOOKED]], %0 ], [ [[LOOKED]], %heapprof.usual ]
; CHECK: call void @unknown()
; CHECK-NOT: and i64
; CHECK: [[HEAP:%.*]] = icmp ne ptr [[RECORD]], null
; CHECK-NEXT: br i1 [[HEAP]], label %[[HAVE:heapprof.have.*]], label %{{.*}}split
; CHECK: [[HAVE]]:
; CHECK-NEXT: [[NUMBER:%.*]] = ptrtoint ptr [[RECORD]] to i64
; CHECK-NEXT: icmp sgt i64 [[NUMBER]], 0
; CHECK: getelementptr i8, ptr [[RECORD]], i32 16
; CHECK: getelementptr i8, ptr [[RECORD]], i32 20
; CHECK: icmp ule i32
; CHECK: br i1 %{{.*}}, label %heapprof.usual{{[0-9]+}}, label %[[SLOW:heapprof.slow.*]], !prof
; CHECK: call void @unknown()
; CHECK-NOT: and i64
; CHECK: getelementptr i8, ptr [[RECORD]], i32 16
; CHECK: icmp ule i32
; CHECK: ret void
; CHECK: [[SLOW]]:
; CHECK-NEXT: call ptr @__heapprof_slow_word_{{[0-9a-f]+}}(
define void @further(ptr %p, i64 %i) {
  store i32 1, ptr %p
  call void @unknown()
  %q = getelementptr i8, ptr %p, i64 %i
  store i32 2, ptr %q
  call void @unknown()
  %r = getelementptr i16, ptr %q, i64 %i
  store i16 3, ptr %r
  ret void
}

; The time is that of the hook before, if no way from there has a call or a loop.
; CHECK-LABEL: define void @joined(
; CHECK-COUNT-1: load i64, ptr @__heapprof_clock_coarse
; CHECK-NOT: load i64, ptr @__heapprof_clock_coarse
; CHECK-LABEL: define void @calling(
; CHECK-COUNT-2: load i64, ptr @__heapprof_clock_coarse
; CHECK-LABEL: define void @circling(
; CHECK-COUNT-2: load i64, ptr @__heapprof_clock_coarse
; CHECK-LABEL: define void @turning(
; CHECK-COUNT-2: load i64, ptr @__heapprof_clock_coarse
define void @joined(ptr %p, i1 %c, i64 %i) {
  store i32 1, ptr %p
  br i1 %c, label %then, label %else
then:
  %m = mul i64 %i, %i
  br label %join
else:
  br label %join
join:
  %n = phi i64 [ %m, %then ], [ 1, %else ]
  %q = getelementptr i8, ptr %p, i64 %n
  store i32 2, ptr %q
  ret void
}
define void @calling(ptr %p, i1 %c) {
  store i32 1, ptr %p
  br i1 %c, label %then, label %join
then:
  call void @unknown()
  br label %join
join:
  %q = getelementptr i8, ptr %p, i64 8
  store i32 2, ptr %q
  ret void
}
define void @circling(ptr %p, i32 %n) {
  store i32 1, ptr %p
  br label %loop
loop:
  %i = phi i32 [ %n, %0 ], [ %j, %loop ]
  %j = lshr i32 %i, 1
  %c = icmp eq i32 %j, 0
  br i1 %c, label %join, label %loop
join:
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 2, ptr %q
  ret void
}
define void @turning(ptr %p, i32 %n) {
  store i32 1, ptr %p
  br label %loop
loop:
  %i = phi i32 [ %n, %0 ], [ %j, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 2, ptr %q
  %j = lshr i32 %i, 1
  %c = icmp eq i32 %j, 0
  br i1 %c, label %join, label %loop
join:
  ret void
}

; Reads are counted above nothing, writes above the thread.
; CHECK-LABEL: define void @counting(
; CHECK: load i64, ptr @__heapprof_clock_coarse
; CHECK: [[WRITES:%.*]] = load i64, ptr [[AT:%.*]], align
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[WRITES]], 65536
; CHECK-NEXT: store i64 [[SUM]], ptr [[AT]]
; CHECK: [[READS:%.*]] = load i64, ptr [[AT:%.*]], align
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[READS]], 1
; CHECK-NEXT: store i64 [[SUM]], ptr [[AT]]
define void @counting(ptr %p, i64 %i, i64 %j) {
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i32, ptr %q
  %r = getelementptr i8, ptr %p, i64 %j
  store i32 %v, ptr %r
  call void @unknown()
  %s = getelementptr i8, ptr %q, i64 %j
  store i32 2, ptr %s
  ret void
}

; What no slow call has room for: called.
; CHECK-LABEL: define void @long(
; CHECK: call void @__heapprof_write(ptr %p, i64 65536)
; CHECK-NOT: @__heapprof_slow
; CHECK: ret void
define void @long(ptr %p) {
  store <16384 x i32> zeroinitializer, ptr %p
  ret void
}

; Optimised for size: called.
; CHECK-LABEL: define void @small(
; CHECK: call void @__heapprof_write(ptr %p, i64 4)
define void @small(ptr %p) minsize optsize {
  store i32 1, ptr %p
  ret void
}

; Without any of it at -O0.
; CHECK-LABEL: define void @debugged(
; CHECK: call void @__heapprof_write(ptr %p, i64 4)
; CHECK: call void @__heapprof_write(ptr %p, i64 4)
define void @debugged(ptr %p) noinline optnone {
  store i32 1, ptr %p
  store i32 1, ptr %p
  ret void
}

define i32 @typed(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
