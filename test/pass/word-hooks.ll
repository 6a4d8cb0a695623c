; word-hooks.ll - what a module counts by several calls with the same word has a function of its own.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-few=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -heapprof-word-hooks=1 -S %s | FileCheck %s --check-prefix=ONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -heapprof-word-hooks=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -heapprof-word-hooks=1 -heapprof-members -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -heapprof-word-hooks=1 -heapprof-ask-first=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: sed 's/^!0 = .*/!0 = !{i32 1, !"Code Model", i32 4}/' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-few=0 -S | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-few=0 %s | %llvm_bin_dir/llc -relocation-model=pic -filetype=obj -o %t.o
; RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
target triple = "x86_64-unknown-linux-gnu"
; STATS-DAG: HooksCalled 5
; STATS-DAG: WordHooks 1
; NONE-NOT: __heapprof_word_
; SYMBOLS-DAG: U __heapprof_slow_kept
; SYMBOLS-DAG: W __heapprof_word_2000010

define i64 @one(ptr %p) {
  %second = getelementptr i8, ptr %p, i64 8
  %v = load i64, ptr %p
  %w = load i64, ptr %second
  %sum = add i64 %v, %w
  ret i64 %sum
}
; CHECK-LABEL: define i64 @one(
; CHECK: call { ptr, i64 } asm sideeffect alignstack "btq $$46, $2\0A\09jc 9001f\0A\09leaq ($2), %r10\0A\09call ${3:P}\0A9001:", "={rax},={rdx},r,i,~{r10},~{flags}"(ptr %p, ptr @__heapprof_word_2000010)
; CHECK-NOT: heapprof.word
; CHECK-NOT: __heapprof_keeping
; CHECK: ret i64
; NONE-LABEL: define i64 @one(
; NONE: {{movl .*33554448, %edx.*call __heapprof_keeping|call preserve_mostcc ptr @__heapprof_usual(_members)?\(ptr %p, i32 33554448}}
; NONE-NOT: heapprof.word

define i64 @other(ptr %p) {
  %second = getelementptr i8, ptr %p, i64 8
  %v = load i64, ptr %p
  %w = load i64, ptr %second
  %sum = sub i64 %v, %w
  ret i64 %sum
}
; CHECK-LABEL: define i64 @other(
; CHECK: asm {{.*}}(ptr %p, ptr @__heapprof_word_2000010)

; Where it is not asked for, it is a call as any other.
define i64 @rare(ptr %p, i1 %wanted) {
entry:
  br i1 %wanted, label %seldom, label %out, !prof !1
seldom:
  %second = getelementptr i8, ptr %p, i64 8
  %v = load i64, ptr %p
  %w = load i64, ptr %second
  %sum = mul i64 %v, %w
  ret i64 %sum
out:
  ret i64 0
}
; CHECK-LABEL: define i64 @rare(
; CHECK: call { ptr, i64 } @__heapprof_word_2000010(ptr nest %p) #[[#]]
; CHECK-NEXT: %v = load
; NONE-LABEL: define i64 @rare(
; NONE: call {{{ ptr, i64 } @__heapprof_keeping\(ptr nest %p, i64 poison, i64 poison, i64 33554448\)|.*movl .*33554448, %edx|preserve_mostcc ptr @__heapprof_usual(_members)?\(ptr %p, i32 33554448}}
; NONE-NOT: heapprof.word

; What is counted once, and what has a hook of the runtime's, is left.
define void @once(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  store i8 0, ptr %q
  ret void
}
; CHECK-LABEL: define void @once(
; CHECK: movl $$16842756, %edx\0A\09call __heapprof_keeping\0A9001:
; CHECK: call __heapprof_keeping_w1\0A9001:
; ONE-LABEL: define void @once(
; ONE: asm {{.*}}(ptr %p, ptr @__heapprof_word_1010004)
; ONE: call __heapprof_keeping_w1\0A9001:

; One for all modules, of the runtime's code; bytes less one, and what is added.
; CHECK: define linkonce_odr hidden { ptr, i64 } @__heapprof_word_2000010(ptr nest %0) #[[#]] section ".heapprof_text" comdat align 16
; CHECK-NEXT: call void asm sideeffect "movq %r10, %rax{{.*}}leal 15(%r10), %edx{{.*}}addq $$2, 8(%rax){{.*}}movl $$33554448, %edx
; CHECK-NEXT: unreachable
; ONE: asm sideeffect "{{.*}}leal 3(%r10), %edx{{.*}}addq $$1, 8(%rax){{.*}}addq $$65536, 0(%rax)

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{!"branch_weights", i32 1, i32 19}
