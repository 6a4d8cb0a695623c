; inline-most.ll - of many hooks in loops those are inline that are executed most, but in the loop of an interpreter.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-loop-exits=0 -heapprof-loop-ranges=0 -heapprof-inline-few=0 -heapprof-inline-most=2 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-loop-exits=0 -heapprof-loop-ranges=0 -heapprof-inline-few=0 -heapprof-inline-most=0 -S %s | FileCheck %s --check-prefix=ALL
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -heapprof-loop-exits=0 -heapprof-loop-ranges=0 -heapprof-inline-few=0 -S %s | FileCheck %s --check-prefix=ALL
target triple = "x86_64-unknown-linux-gnu"

; The outer loop's access is called, those of the two inner ones are not.
define void @nest(ptr %p, ptr %q, ptr %r) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  store i32 1, ptr %p
  call void @use(ptr %p)
  br label %middle
middle:
  %j = phi i64 [ 0, %outer ], [ %j.next, %middle.latch ]
  store i16 1, ptr %q
  call void @use(ptr %q)
  br label %inner
inner:
  %k = phi i64 [ 0, %middle ], [ %k.next, %inner ]
  store i64 1, ptr %r
  call void @use(ptr %r)
  %k.next = add i64 %k, 1
  %k.more = icmp ult i64 %k.next, 1000
  br i1 %k.more, label %inner, label %middle.latch
middle.latch:
  %j.next = add i64 %j, 1
  %j.more = icmp ult i64 %j.next, 1000
  br i1 %j.more, label %middle, label %outer.latch
outer.latch:
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, 1000
  br i1 %i.more, label %outer, label %out
out:
  ret void
}
; CHECK-LABEL: define void @nest(
; CHECK: call preserve_mostcc ptr @__heapprof_usual(ptr %p, i32 65540)
; CHECK-NOT: @__heapprof_usual
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %q, i32 65538)
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %r, i32 65544)
; ALL-LABEL: define void @nest(
; ALL-NOT: @__heapprof_usual
; ALL: call preserve_mostcc ptr @__heapprof_slow(ptr %p, i32 65540)
; ALL: call preserve_mostcc ptr @__heapprof_slow(ptr %q, i32 65538)
; ALL: call preserve_mostcc ptr @__heapprof_slow(ptr %r, i32 65544)

; Which ways are taken is not known: none is called, although a loop within one
; is executed more often by the estimate.
define void @interpret(ptr %code, ptr %p, ptr %q, ptr %r) {
entry:
  br label %next
next:
  %word = call i8 @fetch(ptr %code)
  switch i8 %word, label %out [ i8 0, label %first i8 1, label %second
    i8 2, label %third i8 3, label %next i8 4, label %next i8 5, label %next
    i8 6, label %next i8 7, label %next i8 8, label %next i8 9, label %next
    i8 10, label %next i8 11, label %next i8 12, label %next i8 13, label %next
    i8 14, label %next i8 15, label %next ]
first:
  store i32 1, ptr %p
  br label %next
second:
  store i16 1, ptr %q
  br label %next
third:
  %k = phi i64 [ 0, %next ], [ %k.next, %third ]
  store i64 1, ptr %r
  call void @use(ptr %r)
  %k.next = add i64 %k, 1
  %k.more = icmp ult i64 %k.next, 1000
  br i1 %k.more, label %third, label %next
out:
  ret void
}
; CHECK-LABEL: define void @interpret(
; CHECK-NOT: @__heapprof_usual
; CHECK: ret void
; ALL-LABEL: define void @interpret(
; ALL-NOT: @__heapprof_usual
; ALL: ret void

declare void @use(ptr)
declare i8 @fetch(ptr)
