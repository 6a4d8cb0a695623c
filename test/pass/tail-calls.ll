; tail-calls.ll - which tail calls become calls, which choose as they run, and which stay jumps.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-keep-frames=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -S %s | %llvm_bin_dir/llc -o - | FileCheck %s --check-prefix=CODE
target triple = "x86_64-unknown-linux-gnu"
; STATS: FramesKept 17
; STATS: FramesChosen 4
; STATS: TailCallsLeft 3
; OFF-NOT: notail
; OFF-NOT: __heapprof_kept_frame

declare ptr @malloc(i64)
declare ptr @_Znwm(i64)
declare ptr @__heapprof_malloc(i64, ptr)
declare ptr @strdup(ptr)
declare ptr @fopen(ptr, ptr)
declare i64 @strlen(ptr) memory(argmem: read)
declare void @free(ptr)
declare void @_ZdlPv(ptr)
declare void @qsort(ptr, i64, i64, ptr)
declare ptr @other(i64)
declare void @nothing(ptr) memory(none)
declare double @sin(double) memory(none)

; ---- allocators, wherever they stand
; CHECK-LABEL: define ptr @allocates(
; CHECK: notail call ptr @malloc(
; CODE-LABEL: allocates:
; CODE-NOT: jmp
; CODE: call{{q?}} malloc
define ptr @allocates(i64 %n) {
  %p = tail call ptr @malloc(i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define ptr @typed(
; CHECK: notail call ptr @__heapprof_malloc(
define ptr @typed(i64 %n) {
  %p = call ptr @__heapprof_malloc(i64 %n, ptr null)
  ret ptr %p
}
; CHECK-LABEL: define internal ptr @makes(
; CHECK: notail call ptr @_Znwm(
define internal ptr @makes(i64 %n) {
  %p = tail call ptr @_Znwm(i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define ptr @text(
; CHECK: notail call ptr @strdup(
define ptr @text(ptr %s) {
  %p = tail call ptr @strdup(ptr %s)
  ret ptr %p
}
; CHECK-LABEL: define ptr @opens(
; CHECK: notail call ptr @fopen(
define ptr @opens(ptr %s) {
  %p = tail call ptr @fopen(ptr %s, ptr %s)
  ret ptr %p
}

; ---- and what frees
; CHECK-LABEL: define void @frees(
; CHECK: notail call void @free(
define void @frees(ptr %p) {
  tail call void @free(ptr %p)
  ret void
}
; CHECK-LABEL: define void @deletes(
; CHECK: notail call void @_ZdlPv(
define void @deletes(ptr %p) {
  tail call void @_ZdlPv(ptr %p)
  ret void
}
; CHECK-LABEL: define void @callsFrees(
; CHECK: notail call void @frees(
define void @callsFrees(ptr %p) {
  tail call void @frees(ptr %p)
  ret void
}

; ---- wrappers of what this module defines; a return may lie behind a branch
; CHECK-LABEL: define ptr @wraps(
; CHECK: notail call ptr @makes(
define ptr @wraps(i64 %n) {
  %p = tail call ptr @makes(i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define ptr @wrapsInOneArm(
; CHECK: notail call ptr @wraps(
define ptr @wrapsInOneArm(i64 %n, i1 %none) {
  br i1 %none, label %out, label %get
get:
  %p = tail call ptr @wraps(i64 %n)
  br label %middle
middle:
  br label %out
out:
  %r = phi ptr [ null, %0 ], [ %p, %middle ]
  ret ptr %r
}
; CHECK-LABEL: define void @drops(
; CHECK: notail call ptr @wraps(
define void @drops(i64 %n) {
  %p = tail call ptr @wraps(i64 %n)
  ret void
}
; What is returned may be the call's result.
; CHECK-LABEL: define i64 @asNumber(
; CHECK: notail call ptr @wraps(
define i64 @asNumber(i64 %n) {
  %p = tail call ptr @wraps(i64 %n)
  %i = ptrtoint ptr %p to i64
  ret i64 %i
}

; ---- what neither allocates nor frees stays as it is
; CHECK-LABEL: define i64 @measures(
; CHECK: tail call i64 @strlen(
define i64 @measures(ptr %s) {
  %n = tail call i64 @strlen(ptr %s)
  ret i64 %n
}
; CHECK-LABEL: define internal i64 @adds(
define internal i64 @adds(i64 %a) noinline {
  %b = add i64 %a, 1
  ret i64 %b
}
; CHECK-LABEL: define i64 @callsAdds(
; CHECK: {{= tail}} call i64 @adds(
define i64 @callsAdds(i64 %a) {
  %b = tail call i64 @adds(i64 %a)
  ret i64 %b
}
; CHECK-LABEL: define void @callsNothing(
; CHECK: {{^  tail}} call void @nothing(
define void @callsNothing(ptr %p) {
  tail call void @nothing(ptr %p)
  ret void
}
; The result is not what is returned: no jump, and nothing to do.
; CHECK-LABEL: define i64 @inside(
; CHECK: {{= tail}} call ptr @other(
; CHECK-NOT: __heapprof_kept_frame
; CHECK: ret i64
define i64 @inside(i64 %n) {
  %p = tail call ptr @other(i64 %n)
  %i = ptrtoint ptr %p to i64
  %j = add i64 %i, 1
  ret i64 %j
}

; ---- circles in this module
; CHECK-LABEL: define ptr @itself(
; CHECK: {{= tail}} call ptr @itself(
; CHECK: notail call ptr @malloc(
define ptr @itself(i64 %n) {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %get, label %on
on:
  %m = sub i64 %n, 1
  %p = tail call ptr @itself(i64 %m)
  ret ptr %p
get:
  %q = tail call ptr @malloc(i64 %n)
  ret ptr %q
}
; CHECK-LABEL: define internal ptr @even(
; CHECK: {{= tail}} call ptr @odd(
; CODE-LABEL: even:
; CODE: jmp odd
define internal ptr @even(i64 %n) {
  %m = sub i64 %n, 1
  %p = tail call ptr @odd(i64 %m)
  ret ptr %p
}
; CHECK-LABEL: define internal ptr @odd(
; CHECK: notail call ptr @malloc(
; CHECK: {{= tail}} call ptr @even(
define internal ptr @odd(i64 %n) {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %get, label %on
get:
  %q = tail call ptr @malloc(i64 %n)
  ret ptr %q
on:
  %m = sub i64 %n, 1
  %p = tail call ptr @even(i64 %m)
  ret ptr %p
}
; The way into a circle is no part of it.
; CHECK-LABEL: define ptr @intoCircle(
; CHECK: notail call ptr @even(
define ptr @intoCircle(i64 %n) {
  %p = tail call ptr @even(i64 %n)
  ret ptr %p
}

; ---- what is not known here may lead back
; CHECK-LABEL: define ptr @unknown(
; CHECK-NEXT: [[FRAME:%.*]] = call ptr @llvm.frameaddress.p0(i32 0)
; CHECK-NEXT: [[LINK:%.*]] = load i64, ptr [[FRAME]], {{.*}}!nosanitize
; CHECK-NEXT: [[LAST:%.*]] = load i64, ptr @__heapprof_kept_frame, {{.*}}!nosanitize
; CHECK-NEXT: [[CHAIN:%.*]] = sub i64 [[LAST]], [[LINK]]
; CHECK-NEXT: [[FULL:%.*]] = icmp eq i64 [[CHAIN]], 15
; CHECK-NEXT: br i1 [[FULL]], label %heapprof.jump, label %[[KEPT:.*]], !prof
; CHECK: heapprof.jump:
; CHECK-NEXT: [[JUMPED:%.*]] = tail call ptr @other(i64 %n)
; CHECK-NEXT: ret ptr [[JUMPED]]
; CHECK: store i64 {{.*}}, ptr @__heapprof_kept_frame
; CHECK-NEXT: = notail call ptr @other(i64 %n)
; CODE-LABEL: unknown:
; CODE-DAG: call{{q?}} other
; CODE-DAG: jmp other
define ptr @unknown(i64 %n) {
  %p = tail call ptr @other(i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define void @byPointer(
; CHECK: {{^  tail}} call void %f(i64 %n)
; CHECK-NEXT: ret void
; CHECK: notail call void %f(i64 %n)
define void @byPointer(ptr %f, i64 %n) {
  tail call void %f(i64 %n)
  ret void
}
; A weak function may be another's.
; CHECK-LABEL: define weak ptr @mayBeAnothers(
define weak ptr @mayBeAnothers(i64 %n) {
  ret ptr null
}
; CHECK-LABEL: define ptr @callsWeak(
; CHECK: {{= tail}} call ptr @mayBeAnothers(
; CHECK: notail call ptr @mayBeAnothers(
define ptr @callsWeak(i64 %n) {
  %p = tail call ptr @mayBeAnothers(i64 %n)
  ret ptr %p
}
; It calls what it is given.
; CHECK-LABEL: define void @sorts(
; CHECK: {{^  tail}} call void @qsort(
; CHECK: notail call void @qsort(
define void @sorts(ptr %p, ptr %f) {
  tail call void @qsort(ptr %p, i64 8, i64 8, ptr %f)
  ret void
}
; Nobody can jump back to a function that nobody sees.
; CHECK-LABEL: define internal ptr @hidden(
; CHECK-NOT: __heapprof_kept_frame
; CHECK: notail call ptr @other(
define internal ptr @hidden(i64 %n) {
  %p = tail call ptr @other(i64 %n)
  ret ptr %p
}
define ptr @callsHidden(i64 %n) {
  %p = call ptr @hidden(i64 %n)
  store i64 0, ptr null
  ret ptr %p
}

; ---- what the program demands, and what is none of its functions
; CHECK-LABEL: define ptr @demanded(
; CHECK: musttail call ptr @malloc(
define ptr @demanded(i64 %n) {
  %p = musttail call ptr @malloc(i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define tailcc ptr @promised(
; CHECK: {{= tail}} call tailcc ptr %f(
define tailcc ptr @promised(ptr %f, i64 %n) {
  %p = tail call tailcc ptr %f(ptr %f, i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define ptr @_ZThn8_N1X4makeEv(
; CHECK: {{= tail}} call ptr @unknown(
define ptr @_ZThn8_N1X4makeEv(ptr %this) {
  %p = tail call ptr @unknown(i64 8)
  ret ptr %p
}
; CHECK-LABEL: define ptr @switchedOff(
; CHECK: {{= tail}} call ptr @other(
define ptr @switchedOff(i64 %n) "disable-tail-calls"="true" {
  %p = tail call ptr @other(i64 %n)
  ret ptr %p
}
; Without hooks, but not without a place in the stack.
; CHECK-LABEL: define ptr @optedOut(
; CHECK-NOT: __heapprof_kept_frame
; CHECK: {{= tail}} call ptr @other(
; CHECK: notail call ptr @malloc(
define ptr @optedOut(i64 %n) disable_sanitizer_instrumentation {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %get, label %on
on:
  %p = tail call ptr @other(i64 %n)
  ret ptr %p
get:
  %q = tail call ptr @malloc(i64 %n)
  ret ptr %q
}
