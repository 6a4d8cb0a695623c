; slow-hooks.ll - what inline hooks of a module often ask for seldom has a function of its own, which moves no register of theirs.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -S %s | FileCheck %s
; RUN: sed 's/^;PIC//' %s | %opt -load-pass-plugin=%pass -passes=heapprof,verify -S | FileCheck %s --check-prefix=LIBRARY
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-word-hooks=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-members -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-ask-first=0 -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof %s | %llvm_bin_dir/llc -relocation-model=pic | FileCheck %s --check-prefix=CODE
target triple = "x86_64-unknown-linux-gnu"
; NONE-NOT: heapprof_slow_word
; NONE-NOT: heapprof.slow !

define void @one(ptr %p) {
  store i32 1, ptr %p
  ret void
}
; CHECK-LABEL: define void @one(
; CHECK: call ptr @__heapprof_slow_word_10004(ptr nest %p) [[KEEPS:#[0-9]+]]
; CODE-LABEL: one:
; CODE: movq %rdi, %r10
; CODE-NEXT: callq __heapprof_slow_word_10004

define void @two(ptr %p) {
  store i32 2, ptr %p
  ret void
}
define void @three(ptr %p) {
  store i32 3, ptr %p
  ret void
}
define void @four(ptr %p) {
  store i32 4, ptr %p
  ret void
}
; CHECK-LABEL: define void @four(
; CHECK: call ptr @__heapprof_slow_word_10004(ptr nest %p)

; What a small function's loop asks goes the shortest way: several threads may read it.
define void @walk() {
entry:
  br label %loop
loop:
  %at = call ptr @next()
  store i32 5, ptr %at
  %more = icmp ne ptr %at, null
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare ptr @next()
; CHECK-LABEL: define void @walk(
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %at, i32 65540)

; Of others there are too few for a function.
define void @few(ptr %p) {
  store i64 5, ptr %p
  ret void
}
; CHECK-LABEL: define void @few(
; CHECK: call preserve_mostcc ptr @__heapprof_slow(ptr %p, i32 65544)

; CHECK: define linkonce_odr hidden ptr @__heapprof_slow_word_10004(ptr nest %0) #{{[0-9]+}} section ".heapprof_text" comdat align 1
; CHECK-NEXT: call void asm sideeffect "pushq $$65540\0Ajmp __heapprof_slow_pushed"
; LIBRARY: call void asm sideeffect "pushq $$65540\0Ajmpq *__heapprof_slow_pushed@GOTPCREL(%rip)"
; CHECK: attributes [[KEEPS]] = { cold {{.*}}"no_caller_saved_registers" }

;PIC!llvm.module.flags = !{!0}
;PIC!0 = !{i32 8, !"PIC Level", i32 2}
