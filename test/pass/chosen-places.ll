; chosen-places.ll - an access at one of several places of an object has one hook with another to that object.
; One end of the bytes that both touch is the one's, the other end the other's.
; REQUIRES: llvm-22
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-assembly=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-assembly=1 -S %s | FileCheck %s --check-prefix=ASM
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-merge=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; OFF-NOT: MergedChosen
; STATS: MergedChosen 5
target triple = "x86_64-unknown-linux-gnu"
declare void @unknown()

; A descent in a tree: the key is behind the children.
; CHECK-LABEL: define ptr @ahead(
; CHECK: [[CHILD:%.*]] = getelementptr inbounds i8, ptr %node, i64 %side
; CHECK: ptrtoint ptr [[CHILD]] to i64
; CHECK: heapprof.look:
; CHECK: icmp ule i32 {{.*}}, [[FIRST:%.*]]
; CHECK: [[END:%.*]] = add i32 {{.*}}, 3
; CHECK: heapprof.usual:
; CHECK: add i64 {{.*}}, 2
; CHECK: heapprof.slow:
; CHECK: [[BEHIND:%.*]] = add i32 {{.*}}, 33554436
; CHECK: [[WORD:%.*]] = sub i32 [[BEHIND]], {{.*}}
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr [[CHILD]], i32 [[WORD]])
; CHECK-NOT: @__heapprof_slow
; CHECK: {{^}}}
; ASM-LABEL: define ptr @ahead(
; The record does not wait for what is chosen.
; ASM: movq $3, %rax{{.*}}andq $3, %rax{{.*}}leal 3($3), ${1:k}{{.*}}leal 33554436($3), %edx{{.*}}subl %r10d, %edx{{.*}}__heapprof_slow_kept
; ASM-SAME: (ptr %child, ptr %key)
; ASM-NOT: asm
; ASM: ret
define ptr @ahead(ptr %node, i32 %wanted) {
  %key = getelementptr inbounds i8, ptr %node, i64 32
  %value = load i32, ptr %key
  %less = icmp ult i32 %value, %wanted
  %side = select i1 %less, i64 24, i64 16
  %child = getelementptr inbounds i8, ptr %node, i64 %side
  %next = load ptr, ptr %child
  ret ptr %next
}

; The key is ahead of them, in an array.
; ASM-LABEL: define ptr @behind(
; ASM: movq $2, %rax{{.*}}andq $2, %rax{{.*}}leal 7($3), ${1:k}{{.*}}leal 33554440($3), %edx
; ASM-SAME: (ptr %node, ptr %child)
; ASM-NOT: asm
; ASM: ret
define ptr @behind(ptr %node, i32 %wanted) {
  %value = load i32, ptr %node
  %less = icmp ult i32 %value, %wanted
  %side = zext i1 %less to i64
  %children = getelementptr inbounds i8, ptr %node, i64 8
  %child = getelementptr inbounds ptr, ptr %children, i64 %side
  %next = load ptr, ptr %child
  ret ptr %next
}

; Between two that are accessed it only counts.
; ASM-LABEL: define i64 @within(
; ASM: cmpl {{.*}}leal 31($2), ${1:k}{{.*}}addq $$3, 8(%rax)
; ASM-NOT: asm
; ASM: ret
define i64 @within(ptr %node, i64 %i) {
  %low = load i64, ptr %node
  %last = getelementptr inbounds i8, ptr %node, i64 24
  %high = load i64, ptr %last
  %few = and i64 %i, 1
  %middle = getelementptr inbounds i8, ptr %node, i64 8
  %at = getelementptr inbounds i64, ptr %middle, i64 %few
  %value = load i64, ptr %at
  %sum = add i64 %value, %high
  %all = add i64 %sum, %low
  ret i64 %all
}

; Reads and writes of both.
; ASM-LABEL: define void @written(
; ASM: leal 16842760($3), %edx{{.*}}addq $$1, 8(%rax){{.*}}addq $$65536, 0(%rax)
; ASM-NOT: asm
; ASM: ret
define void @written(ptr %node, i64 %i) {
  %low = load i64, ptr %node
  %few = and i64 %i, 7
  %values = getelementptr inbounds i8, ptr %node, i64 8
  %at = getelementptr inbounds i64, ptr %values, i64 %few
  store i64 %low, ptr %at
  ret void
}

; Not where the object may have ended meanwhile, nor without a bound.
; ASM-LABEL: define i64 @call_between(
; ASM-COUNT-2: asm
define i64 @call_between(ptr %node, i64 %i) {
  %low = load i64, ptr %node
  call void @unknown()
  %few = and i64 %i, 1
  %at = getelementptr inbounds i64, ptr %node, i64 %few
  %value = load i64, ptr %at
  %sum = add i64 %value, %low
  ret i64 %sum
}
; ASM-LABEL: define i64 @anywhere(
; ASM-COUNT-2: asm
define i64 @anywhere(ptr %node, i64 %i) {
  %low = load i64, ptr %node
  %at = getelementptr inbounds i64, ptr %node, i64 %i
  %value = load i64, ptr %at
  %sum = add i64 %value, %low
  ret i64 %sum
}
; Where one may be ahead of the other or behind it.
; ASM-LABEL: define i64 @either(
; ASM-COUNT-2: asm
define i64 @either(ptr %node, i64 %i) {
  %first = getelementptr inbounds i8, ptr %node, i64 8
  %low = load i64, ptr %first
  %few = and i64 %i, 3
  %at = getelementptr inbounds i64, ptr %node, i64 %few
  %value = load i64, ptr %at
  %sum = add i64 %value, %low
  ret i64 %sum
}

; What has been joined is not joined once more: of three one is left.
; CHECK-LABEL: define i64 @chain(
; CHECK-COUNT-2: call {{.*}}@__heapprof_slow
; CHECK-NOT: @__heapprof_slow
; CHECK: {{^}}}
define i64 @chain(ptr %node, i64 %i, i64 %j) {
  %inner = and i64 %i, 1
  %innermost = and i64 %j, 1
  %part = getelementptr inbounds [2 x i64], ptr %node, i64 %inner
  %place = getelementptr inbounds i64, ptr %part, i64 %innermost
  %a = load i64, ptr %place
  %b = load i64, ptr %part
  %c = load i64, ptr %node
  %ab = add i64 %a, %b
  %abc = add i64 %ab, %c
  ret i64 %abc
}
