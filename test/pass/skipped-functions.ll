; skipped-functions.ll - functions that stay as they are, each counted under its reason.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -heapprof-stats -S %s -o %t.ll 2> %t.stats
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=STATS < %t.stats
target triple = "x86_64-unknown-linux-gnu"

; STATS: FunctionsInstrumented 1
; STATS: FunctionsOwn 2
; STATS: FunctionsExternal 1
; STATS: FunctionsNaked 1
; STATS: FunctionsOptedOut 2
; STATS: FunctionsResolver 1
; STATS-NOT: FunctionsIgnored

@skip = private constant [14 x i8] c"heapprof:skip\00", section "llvm.metadata"
@other = private constant [6 x i8] c"other\00", section "llvm.metadata"
@file = private constant [4 x i8] c"a.c\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @annotated, ptr @skip, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @plain, ptr @other, ptr @file, i32 2, ptr null }], section "llvm.metadata"
@i = ifunc void (), ptr @resolver

; CHECK: define {{.*}}@annotated
; CHECK-NOT: call {{.*}}__heapprof
; CHECK: define {{.*}}@plain
; CHECK-NEXT: call void @__heapprof_write
; CHECK-NOT: call {{.*}}__heapprof_{{(read|write)}}
define void @annotated(ptr %p) {
  store i64 0, ptr %p
  ret void
}
define void @plain(ptr %p) {
  store i64 0, ptr %p
  ret void
}
define void @attribute(ptr %p) disable_sanitizer_instrumentation {
  store i64 0, ptr %p
  ret void
}
define void @naked() naked {
  %p = load ptr, ptr null
  store i64 0, ptr %p
  unreachable
}
define available_externally void @external(ptr %p) {
  store i64 0, ptr %p
  ret void
}
define void @__heapprof_note(ptr %p) {
  store i64 0, ptr %p
  ret void
}
define void @heapprof.module_ctor.0() {
  %p = load ptr, ptr null
  store i64 0, ptr %p
  ret void
}
define ptr @resolver() {
  %p = load ptr, ptr null
  %v = load ptr, ptr %p
  ret ptr %v
}
