; carrying.ll - a pointer that walks through a chunk takes the chunk's record with it.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-loop-exits=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-loop-exits=0 -heapprof-carry=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-loop-exits=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()
; STATS-DAG: RecordsCarried 4

; The record is known from the second turn on; only the first one looks it up. What is no record is not read.
; CHECK-LABEL: define i64 @length(
; CHECK: [[KNOWN:%.*]] = phi ptr [ inttoptr (i64 -8 to ptr), %entry ], [ [[NEXT:%.*]], %loop.split ]
; CHECK: heapprof.have:
; CHECK-NEXT: ptrtoint ptr [[KNOWN]]
; CHECK-NEXT: [[IS:%.*]] = icmp sgt i64
; CHECK-NEXT: br i1 [[IS]], label %heapprof.has, label %heapprof.ask
; CHECK: heapprof.has:
; CHECK: getelementptr i8, ptr [[KNOWN]], i32 16
; CHECK: getelementptr i8, ptr [[KNOWN]], i32 20
; CHECK: br i1 %{{.*}}, label %heapprof.usual, label %heapprof.ask
; CHECK: heapprof.usual:
; CHECK-NEXT: [[EITHER:%.*]] = phi ptr [ [[KNOWN]], %heapprof.has ], [ [[LOOKED:%.*]], %heapprof.look ]
; CHECK: loop.split:
; CHECK-NEXT: [[NEXT]] = phi ptr [ [[KNOWN]], %loop ], [ [[LOOKED]], %heapprof.again ], [ [[EITHER]], %heapprof.usual ], [ [[FOUND:%.*]], %heapprof.slow ]
; CHECK: ret i64
; CHECK: heapprof.slow:
; CHECK-NEXT: [[FOUND]] = call
; CHECK: heapprof.ask:
; CHECK: icmp slt i64 %{{.*}}, 0
; CHECK-NEXT: br i1 %{{.*}}, label %heapprof.again, label %heapprof.slow
; CHECK: heapprof.again:
; CHECK: ashr i64 %{{.*}}, 38
; OFF-LABEL: define i64 @length(
; OFF-NOT: heapprof.again
; OFF-LABEL: define i64 @listed(
define i64 @length(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %n, %loop ]
  %n = getelementptr i8, ptr %q, i64 1
  %c = load i8, ptr %q
  %z = icmp eq i8 %c, 0
  br i1 %z, label %done, label %loop
done:
  %a = ptrtoint ptr %q to i64
  ret i64 %a
}

; The next node is another chunk: looked up each time.
; CHECK-LABEL: define i64 @listed(
; CHECK-NOT: heapprof.again
; CHECK-LABEL: define i32 @indexed(
define i64 @listed(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %n, %loop ]
  %n = load ptr, ptr %q
  %z = icmp eq ptr %n, null
  br i1 %z, label %done, label %loop
done:
  ret i64 0
}

; An object from before the loop, whatever the index, and whatever is called.
; CHECK: loop:
; CHECK-NEXT: phi ptr [ inttoptr (i64 -8 to ptr), %entry ]
; CHECK: heapprof.again:
define i32 @indexed(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %v, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %q
  call void @unknown()
  %z = icmp eq i32 %v, 0
  br i1 %z, label %done, label %loop
done:
  ret i32 %v
}

; What is known changes places with the pointers.
; CHECK-LABEL: define void @swapped(
; CHECK: loop:
; CHECK-NEXT: [[ONE:%.*]] = phi ptr [ inttoptr (i64 -8 to ptr), %entry ], [ [[AFTERTWO:%.*]], %[[LAST:.*]] ]
; CHECK-NEXT: %a = phi ptr [ %p, %entry ], [ %b, %[[LAST]] ]
; CHECK-NEXT: [[TWO:%.*]] = phi ptr [ inttoptr (i64 -8 to ptr), %entry ], [ [[AFTERONE:%.*]], %[[LAST]] ]
; CHECK-NEXT: %b = phi ptr [ %q, %entry ], [ %a, %[[LAST]] ]
; CHECK: phi ptr [ [[ONE]], %heapprof.has ]
; CHECK: [[AFTERONE]] = phi ptr [ [[ONE]], %loop ], [ {{.*}}, %heapprof.again ], [ {{.*}}, %heapprof.usual ]
; CHECK: phi ptr [ [[TWO]], %heapprof.has
; CHECK: [[AFTERTWO]] = phi ptr [ [[TWO]], %{{.*}} ], [ {{.*}}, %heapprof.again
define void @swapped(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %a = phi ptr [ %p, %entry ], [ %b, %loop ]
  %b = phi ptr [ %q, %entry ], [ %a, %loop ]
  store i8 1, ptr %a
  call void @unknown()
  %v = load i8, ptr %b
  %z = icmp eq i8 %v, 0
  br i1 %z, label %done, label %loop
done:
  ret void
}

; Not through a loop of many blocks.
; CHECK-LABEL: define void @interpreter(
; CHECK-NOT: {{^}}heapprof.again
; CHECK-LABEL: define void @covered(
define void @interpreter(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %turns = phi i32 [ 0, %entry ], [ %more, %next ]
  switch i32 %turns, label %next [
    i32 0, label %p0
    i32 1, label %p1
    i32 2, label %p2
    i32 3, label %p3
    i32 4, label %q0
    i32 5, label %q1
    i32 6, label %q2
    i32 7, label %done
  ]
p0:
  store i8 0, ptr %p
  br label %next
p1:
  store i8 1, ptr %p
  br label %next
p2:
  store i8 2, ptr %p
  br label %next
p3:
  store i8 3, ptr %p
  br label %next
q0:
  store i8 0, ptr %q
  br label %next
q1:
  store i8 1, ptr %q
  br label %next
q2:
  store i8 2, ptr %q
  br label %next
next:
  %more = add i32 %turns, 1
  call void @unknown()
  br label %loop
done:
  ret void
}

; Bytes that any earlier access touched are not checked again.
; CHECK-COUNT-4: icmp ul{{[et]}} i32
; CHECK-NOT: icmp ul{{[et]}} i32
; CHECK: ret void
define void @covered(ptr %p, i64 %i) {
  %far = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %far
  call void @unknown()
  %q = getelementptr i8, ptr %p, i64 %i
  store i8 2, ptr %q
  call void @unknown()
  %again = getelementptr i8, ptr %p, i64 12
  store i32 3, ptr %again
  ret void
}
