; assembly-hooks.ll - inline hooks of a function of many are one piece of assembly each, without a block more.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-sink=0 -heapprof-assembly=1 -S %s | FileCheck %s
; RUN: sed 's/^;PIC//' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-sink=0 -heapprof-assembly=1 -S | FileCheck %s --check-prefix=LIBRARY
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-sink=0 -heapprof-assembly=3 -S %s | FileCheck %s --check-prefixes=FEW
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-sink=0 -heapprof-assembly=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-sink=0 -heapprof-assembly=1 -heapprof-members -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-sink=0 -heapprof-assembly=1 -heapprof-ask-first=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: sed 's/^target triple.*/target triple = "aarch64-unknown-linux-gnu"/' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-sink=0 -heapprof-assembly=1 -S | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof %s -heapprof-assembly=1 | %llvm_bin_dir/llc -relocation-model=pic | FileCheck %s --check-prefix=CODE
target triple = "x86_64-unknown-linux-gnu"
; NONE-NOT: asm sideeffect alignstack

define void @one(ptr %p) {
  store i32 1, ptr %p
  ret void
}
; CHECK-LABEL: define void @one(
; CHECK-NEXT: call { ptr, i64 } asm sideeffect alignstack "movq $2, %rax{{.*}}andq $2, %rax\0A\09je 9002f{{.*}}9001: movq $2, %r10\0A\09callq ${3:P}\0A\09jmp 9002f\0A\099003: {{.*}}addq $$65536, 0(%rax)\0A\099002:", "=&{rax},=&r,r,i,~{r10},~{flags}"(ptr %p, ptr @__heapprof_slow_word_10004) [[IS:#[0-9]+]], !nosanitize
; LIBRARY-LABEL: define void @one(
; LIBRARY: movq __heapprof_masks@GOTPCREL(%rip), $1{{.*}}movq __heapprof_thread_tag@gottpoff(%rip), $1{{.*}}movq __heapprof_clock_coarse@GOTPCREL(%rip), $1
; FEW-LABEL: define void @one(
; FEW-NOT: asm sideeffect
; FEW: ret void

; An odd offset, several bytes and both kinds at once.
define i64 @several(ptr %p) {
  %at = getelementptr i8, ptr %p, i64 8
  %old = load i64, ptr %at
  %new = add i64 %old, 1
  store i64 %new, ptr %at
  ret i64 %old
}
; CHECK-LABEL: define i64 @several(
; CHECK: [[AT:%.*]] = getelementptr i8, ptr %p, i64 8
; CHECK: asm sideeffect alignstack "{{.*}}leal 7($2), ${1:k}{{.*}}addq $$1, 8(%rax)\0A\09addq $$65536, 0(%rax)\0A\099002:", "{{.*}}"(ptr [[AT]], ptr @__heapprof_slow_word_1010008)

; The second takes the record from the first, the third is within it as well: no interval is compared, and no time renewed.
define void @known(ptr %p, i1 %c) {
  store i64 1, ptr %p
  br i1 %c, label %then, label %else
then:
  call void @free_nothing()
  store i32 2, ptr %p
  br label %end
else:
  %at = getelementptr i8, ptr %p, i64 64
  store i8 3, ptr %at
  br label %end
end:
  ret void
}
declare void @free_nothing()
; CHECK-LABEL: define void @known(
; CHECK: [[FIRST:%.*]] = call { ptr, i64 } asm sideeffect alignstack "movq $2, %rax
; CHECK: [[RECORD:%.*]] = extractvalue { ptr, i64 } [[FIRST]], 0
; CHECK: then:
; CHECK: asm sideeffect alignstack "testq %rax, %rax\0A\09je 9002f\0A\09jns 9003f\0A\099001: {{.*}}9003: movq __heapprof_clock{{.*}}addq $$65536, 0(%rax)\0A\099002:", "=&{rax},=&r,r,i,0,~{r10},~{flags}"(ptr %p, ptr @__heapprof_slow_word_10004, ptr [[RECORD]])
; CHECK: else:
; CHECK: asm sideeffect alignstack "testq %rax, %rax\0A\09je 9002f\0A\09js 9001f\0A\09cmpl ${2:k}, 20(%rax)\0A\09jae 9003f\0A\099001: {{.*}}9003: addq $$65536, 0(%rax)\0A\099002:", "{{.*}}"(ptr %at, ptr @__heapprof_slow_word_10001, ptr [[RECORD]])
; FEW-LABEL: define void @known(
; FEW: asm sideeffect alignstack

; What the code generator makes of it: the stack is aligned for the call.
; CODE-LABEL: one:
; CODE: pushq %rax
; CODE: #APP
; CODE: movq %rdi, %rax
; CODE: movq %rdi, %r10
; CODE-NEXT: callq __heapprof_slow_word_10004
; CODE: #NO_APP

; CHECK: attributes [[IS]] = { nofree nounwind willreturn memory(inaccessiblemem: readwrite) }

;PIC!llvm.module.flags = !{!0}
;PIC!0 = !{i32 8, !"PIC Level", i32 2}
