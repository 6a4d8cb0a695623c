; constructor.ll - one constructor a link, before the program's, tied to the ABI version.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,heapprof -heapprof-optimise=0 -heapprof-stats -S %s 2> %t.stats | FileCheck %s
; RUN: FileCheck %s --check-prefix=STATS < %t.stats
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 %s -o %t.bc
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-stats %t.bc -S 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; STATS: ModulesSeenBefore 1

; CHECK: $heapprof.module_ctor.15 = comdat any
; CHECK: @llvm.global_ctors = appending global [2 x { i32, ptr, ptr }]
; CHECK-SAME: { i32 65535, ptr @own, ptr null }
; CHECK-SAME: { i32 0, ptr @heapprof.module_ctor.15, ptr @heapprof.module_ctor.15 }
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @own, ptr null }]

; CHECK-LABEL: define void @f
; CHECK-NEXT: call void @__heapprof_write
; CHECK-NEXT: store
define void @f(ptr %p) {
  store i32 0, ptr %p
  ret void
}
define internal void @own() {
  ret void
}

; CHECK: define linkonce_odr hidden void @heapprof.module_ctor.15() {{.*}}comdat
; CHECK-NEXT: call void @__heapprof_init(ptr @heapprof.hooked_mark)
; CHECK-NEXT: load volatile i8, ptr @__heapprof_abi_version_15
; CHECK-NEXT: ret void

; Stores that have hooks must not become calls of intercepted functions later.
; CHECK: "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset"

; CHECK: !{i32 7, !"heapprof.instrumented", i32 15}
