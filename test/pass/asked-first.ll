; asked-first.ll - a hook that is called is so only for an address that may be to the profiled heap: one piece of assembly.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -heapprof-ask-first=0 -S %s | FileCheck %s --check-prefix=CALLED
; RUN: sed 's/^;PIC//; s/, !1}/}/' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -S | FileCheck %s --check-prefix=LIBRARY
; RUN: sed 's/^;PIC//; s/^;PIE//' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -S | FileCheck %s
; RUN: sed 's/^;PIC//; s/, !1}/}/' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -heapprof-ask-first=0 -S | FileCheck %s --check-prefix=TABLE
; RUN: sed 's/^;LARGE//' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -S | FileCheck %s --check-prefix=CALLED
; RUN: sed 's/linux-gnu"/linux-gnux32"/' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -S | FileCheck %s --check-prefix=CALLED
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @use(ptr)

define i32 @once(ptr %p) {
  %value = load i32, ptr %p
  call void @use(ptr null)
  store i64 1, ptr %p
  call void @use(ptr null)
  %before = atomicrmw add ptr %p, i64 1 monotonic
  ret i32 %value
}
; Code of executables calls directly, that of libraries through the table; vector registers are kept.
; CHECK-LABEL: define i32 @once(ptr %p) {{.*}}!pcsections
; CHECK-NEXT: call { ptr, i64 } asm sideeffect alignstack "btq $$46, $2\0A\09jc 9001f\0A\09leaq ($2), %r10\0A\09call __heapprof_keeping_r4\0A9001:", "={rax},={rdx},r,~{r10},~{flags}"(ptr %p)
; CHECK-NEXT: %value = load i32, ptr %p
; CHECK: call __heapprof_keeping_w8\0A9001:"
; CHECK: asm sideeffect alignstack "btq $$46, $2\0A\09jc 9001f\0A\09leaq ($2), %r10\0A\09movl $$16842760, %edx\0A\09call __heapprof_keeping\0A9001:"
; CHECK-NEXT: atomicrmw
; LIBRARY: jc 9001f\0A\09leaq ($2), %r10\0A\09call *__heapprof_keeping_r4@GOTPCREL(%rip)\0A9001:"
; CALLED-NOT: asm sideeffect alignstack
; CALLED: call preserve_mostcc ptr @__heapprof_usual(ptr %p, i32 16777220)
; CALLED-NOT: asm sideeffect alignstack
; CALLED: declare dso_local preserve_mostcc ptr @__heapprof_usual(ptr, i32) [[ATTRIBUTES:#[0-9]+]]
; CALLED-NOT: attributes [[ATTRIBUTES]] = {{.*}} nonlazybind
; TABLE: declare preserve_mostcc ptr @__heapprof_usual(ptr, i32) [[ATTRIBUTES:#[0-9]+]]
; TABLE: attributes [[ATTRIBUTES]] = {{.*}} nonlazybind

; Where the address is computed from is asked, whatever is in it; the address itself only the hook needs.
define void @member(ptr %p, i64 %i) {
  %member = getelementptr i8, ptr %p, i64 24
  %before = getelementptr i8, ptr %member, i64 -4
  store i16 1, ptr %before
  call void @use(ptr null)
  %element = getelementptr i32, ptr %p, i64 %i
  %other = getelementptr i8, ptr %element, i64 8
  store i8 1, ptr %other
  call void @use(ptr null)
  %far = getelementptr i8, ptr %p, i64 4294967296
  store i8 1, ptr %far
  ret void
}
; CHECK-LABEL: define void @member(
; CHECK: "btq $$46, $2\0A\09jc 9001f\0A\09leaq 20($2), %r10\0A\09call __heapprof_keeping_w2\0A9001:", {{.*}}(ptr %p)
; CHECK: jc 9001f\0A\09leaq 8($2), %r10\0A\09call __heapprof_keeping_w1\0A9001:", {{.*}}(ptr %element)
; CHECK: jc 9001f\0A\09leaq ($2), %r10\0A\09call __heapprof_keeping_w1\0A9001:", {{.*}}(ptr %far)

; What is found before a loop is used in it: NULL for an address that is not asked for.
define void @loop(ptr %p) {
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
  ret void
}
; CHECK-LABEL: define void @loop(
; CHECK: [[BOTH:%.*]] = call { ptr, i64 } asm sideeffect alignstack "xorl %eax, %eax\0A\09btq $$46, $2\0A\09jc 9001f\0A\09leaq ($2), %r10\0A\09call __heapprof_keeping_w4\0A9001:", "=&{rax},={rdx},r,~{r10},~{flags}"(ptr %p)
; CHECK-NEXT: [[FOUND:%.*]] = extractvalue { ptr, i64 } [[BOTH]], 0
; CHECK: [[KNOWN:%.*]] = phi ptr [ [[FOUND]], %entry ]
; CHECK-NEXT: phi
; CHECK-NEXT: icmp ne ptr [[KNOWN]], null

; What nobody uses is not: the address may then be in the register of the record.
define void @unused(ptr %q, ptr %p) {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  store i32 1, ptr %p
  call void @use(ptr %p)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %turn, label %out
out:
  store i32 0, ptr %q
  ret void
}
; CHECK-LABEL: define void @unused(
; CHECK: asm sideeffect alignstack "btq $$46, $2\0A\09jc 9001f\0A\09leaq ($2), %r10\0A\09call __heapprof_keeping_w4\0A9001:", "={rax},={rdx},r,~{r10},~{flags}"(ptr %q)

; On a way that is seldom taken the hook is called without being asked for, and says itself that there is none.
define void @rare(ptr %p, i1 %wanted) {
entry:
  br i1 %wanted, label %seldom, label %out, !prof !2
seldom:
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
; CHECK-LABEL: define void @rare(
; CHECK: call { ptr, i64 } @__heapprof_keeping_w4(ptr nest %p) [[KEEPS:#[0-9]+]]
; CHECK-NEXT: store i32 0
; LIBRARY-LABEL: define void @rare(
; LIBRARY: asm sideeffect alignstack "leaq ($2), %r10\0A\09call *__heapprof_keeping_w4@GOTPCREL(%rip)\0A9001:"

; A function with assembly that is not understood has no record, one with ours has.
define void @own(ptr %p) {
  call void asm sideeffect "btsl $$40, ($0)", "r,~{memory}"(ptr %p)
  store i32 0, ptr %p
  ret void
}
; CHECK: define void @own(ptr %p) #{{[0-9]+}} {

; The code generator knows which registers such a call changes: r10, rax and rdx.
; CHECK: declare dso_local { ptr, i64 } @__heapprof_keeping_w4(ptr nest)
; CHECK: attributes [[KEEPS]] = { nofree nounwind willreturn memory(inaccessiblemem: readwrite) "no_caller_saved_registers" }

!2 = !{!"branch_weights", i32 1, i32 19}
;PIC!llvm.module.flags = !{!0, !1}
;PIC!0 = !{i32 8, !"PIC Level", i32 2}
;PIE!1 = !{i32 7, !"PIE Level", i32 2}
;LARGE!llvm.module.flags = !{!1}
;LARGE!1 = !{i32 1, !"Code Model", i32 4}
