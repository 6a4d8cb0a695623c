; members.ll - with -heapprof-members each hook is told which accesses it stands for.
; Without it no module has a group, and each hook is the plain one.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-members -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-members -heapprof-inline=0 -S %s | FileCheck %s --check-prefix=CALLS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -S %s | FileCheck %s --check-prefix=OFF
target triple = "x86_64-unknown-linux-gnu"
; OFF-NOT: heapprof.group
; OFF-NOT: _members

; Words of a group: places, step, pairs of steps, reads, writes; each place: from, bytes, reads, writes.
; Two reads of one place are one place.
; One whose turns are known behind it:
; CALLS-DAG: [[BEHIND:@heapprof.group[.0-9]*]] = private constant [9 x i32] [i32 1, i32 16, i32 0, i32 1, i32 0, i32 0, i32 4, i32 1, i32 0], {{.*}}align 4
; CHECK-DAG: [[TWO:@heapprof.group[.0-9]*]] = private constant [13 x i32] [i32 2, i32 0, i32 0, i32 2, i32 1, i32 0, i32 4, i32 2, i32 0, i32 12, i32 8, i32 0, i32 1], {{.*}}align 4
; CHECK-LABEL: define void @two(
; CHECK: call preserve_mostcc ptr @__heapprof_{{slow|usual}}_members(ptr %p, i32 {{[0-9]+}}, ptr [[TWO]])
; CALLS-LABEL: define void @two(
; CALLS: call void @__heapprof_many_members(ptr %p, i64 20, i64 2, i64 1, ptr @heapprof.group
define void @two(ptr %p) {
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %p
  %q = getelementptr i8, ptr %p, i64 12
  store i64 0, ptr %q
  ret void
}

; A loop whose turns are known ahead: one pair of steps, 24 bytes further each of n times.
; CHECK-LABEL: define void @known(
; CHECK: [[STEP:%.*]] = getelementptr i64, ptr %heapprof.steps, i32 0
; CHECK-NEXT: store i64 24, ptr [[STEP]], align 8
; CHECK-NEXT: [[TIMES:%.*]] = getelementptr i64, ptr %heapprof.steps, i32 1
; CHECK-NEXT: store i64 %n, ptr [[TIMES]], align 8
; CHECK: call void @__heapprof_loop_members(ptr %{{.*}}, i64 %{{.*}}, i64 0, i64 %n, ptr @heapprof.group{{[.0-9]*}}, ptr %heapprof.steps)
define void @known(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %o = mul i64 %i, 24
  %r = add i64 %o, 8
  %q = getelementptr i8, ptr %p, i64 %r
  store i64 0, ptr %q
  %j = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %j, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; One whose turns are known behind it has its step in the group, as BEHIND above.
; CALLS-LABEL: define i64 @until(
; CALLS: call void @__heapprof_many_members(ptr %p, i64 %{{.*}}, i64 %{{.*}}, i64 {{.*}}, ptr [[BEHIND]])
define i64 @until(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %o = mul i64 %i, 16
  %q = getelementptr inbounds i8, ptr %p, i64 %o
  %v = load i32, ptr %q
  %j = add nuw nsw i64 %i, 1
  %done = icmp eq i32 %v, 0
  br i1 %done, label %end, label %loop
end:
  ret i64 %i
}
