; earlier-accesses.ll - what a hook need not do, as earlier ones did on every way that leads to it.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-sink=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-sink=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
; STATS-DAG: RecordsReused 8
; STATS-DAG: TimesShared 1

; Both ways have looked the record up and touched the bytes: no look, no bounds and no time.
; CHECK-LABEL: define void @joined(
; CHECK: join:
; CHECK-NOT: heapprof.look
; CHECK-NOT: icmp ul
; CHECK-NOT: __heapprof_clock_coarse
; CHECK: ret void
define void @joined(ptr %p, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  store i32 1, ptr %p
  br label %join
right:
  store i64 1, ptr %p
  br label %join
join:
  store i16 2, ptr %p
  ret void
}

; One way has touched the first of these bytes only, and the other has a call behind it.
; CHECK-LABEL: define void @partly(
; CHECK: join:
; CHECK-NOT: heapprof.look
; CHECK-COUNT-1: icmp ule
; CHECK-NOT: icmp ul
; CHECK: load i64, ptr @__heapprof_clock_coarse
; CHECK: ret void
define void @partly(ptr %p, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  store i32 1, ptr %p
  call void @unknown()
  br label %join
right:
  store i8 1, ptr %p
  br label %join
join:
  store i32 2, ptr %p
  ret void
}

; Where both its ends are known of different accesses, so is what lies between.
; CHECK-LABEL: define void @between(
; CHECK-COUNT-2: call void @unknown()
; CHECK-NOT: icmp ul
; CHECK: icmp sgt i64 %{{.*}}, 0
; CHECK-NOT: icmp ul
; CHECK: ret void
define void @between(ptr %p) {
  store i32 1, ptr %p
  call void @unknown()
  %far = getelementptr i8, ptr %p, i64 16
  store i32 1, ptr %far
  call void @unknown()
  %middle = getelementptr i8, ptr %p, i64 8
  store i32 1, ptr %middle
  ret void
}

; Where the end alone is known, both are checked.
; CHECK-LABEL: define void @below(
; CHECK: call void @unknown()
; CHECK-COUNT-2: icmp ule
; CHECK: ret void
define void @below(ptr %p) {
  %far = getelementptr i8, ptr %p, i64 16
  store i32 1, ptr %far
  call void @unknown()
  store i32 1, ptr %p
  ret void
}

; One byte that begins behind where another access did is compared with the upper end alone.
; CHECK-LABEL: define void @byte(
; CHECK: call void @unknown()
; CHECK-NOT: icmp ul
; CHECK: getelementptr i8, ptr %{{.*}}, i32 20
; CHECK: icmp ule i32
; CHECK-NOT: icmp ul
; CHECK: ret void
define void @byte(ptr %p) {
  store i8 1, ptr %p
  call void @unknown()
  %next = getelementptr i8, ptr %p, i64 1
  store i8 1, ptr %next
  ret void
}

; One way has not come by the object at all: it is looked up again.
; CHECK-LABEL: define void @oneWay(
; CHECK: join:
; CHECK: heapprof.look{{[0-9]*}}:
; CHECK: ret void
define void @oneWay(ptr %p, i1 %c) {
entry:
  br i1 %c, label %left, label %join
left:
  store i32 1, ptr %p
  br label %join
join:
  store i32 2, ptr %p
  ret void
}

; An address that is computed anew in each turn has other bytes; the object is the same.  Turns take time.
; CHECK-LABEL: define void @loop(
; CHECK: again:
; CHECK: icmp ule
; CHECK: load i64, ptr @__heapprof_clock_coarse
; CHECK: ret void
define void @loop(ptr %p) {
entry:
  %first = load volatile i32, ptr %p
  br label %again
again:
  %i = load volatile i64, ptr null
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load volatile i32, ptr %q
  %c = icmp eq i32 %v, 0
  br i1 %c, label %again, label %done
done:
  ret void
}

; Of a loop that goes on from its middle, too.
; CHECK-LABEL: define void @irreducible(
; CHECK: one:
; CHECK: load i64, ptr @__heapprof_clock_coarse
; CHECK: two:
define void @irreducible(ptr %p, i1 %c) {
entry:
  store i32 0, ptr %p
  br i1 %c, label %one, label %two
one:
  store i32 1, ptr %p
  %d = load volatile i1, ptr null
  br i1 %d, label %two, label %done
two:
  %e = load volatile i1, ptr null
  br i1 %e, label %one, label %done
done:
  ret void
}
