; library-calls.ll - calls that interceptors count stay calls to the end.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 %s -o - | %opt -passes='default<O2>' -S | FileCheck %s --check-prefix=LATER
target triple = "x86_64-unknown-linux-gnu"

declare i32 @memcmp(ptr, ptr, i64)
declare i64 @strlen(ptr)
declare double @sqrt(double)
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"
declare i32 @mine(ptr)

; The code generator may not have sincos or frexp write what is stored.
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
declare { double, i32 } @llvm.frexp.f64.i32(double)
declare double @llvm.sqrt.f64(double)

; CHECK-LABEL: define void @results
; CHECK: store volatile double %s, ptr %p
; CHECK: store volatile double %c, ptr %q
; CHECK: store volatile i32 %i, ptr %r
; CHECK: store double %o, ptr %p
define void @results(ptr %p, ptr %q, ptr %r, double %x) {
  %s = call double @llvm.sin.f64(double %x)
  %c = call double @llvm.cos.f64(double %x)
  store double %s, ptr %p
  store double %c, ptr %q
  %m = call { double, i32 } @llvm.frexp.f64.i32(double %x)
  %i = extractvalue { double, i32 } %m, 1
  store i32 %i, ptr %r
  %o = call double @llvm.sqrt.f64(double %x)
  store double %o, ptr %p
  ret void
}

; CHECK-LABEL: define i32 @f
; CHECK: call i32 @memcmp({{.*}}) [[KEEP:#[0-9]+]]
; CHECK: call i64 @strlen({{.*}}) [[KEEP]]
; CHECK: call double @sqrt(double %d){{$}}
; CHECK: call ptr @malloc(i64 8){{$}}
; CHECK: call void @free(ptr %h){{$}}
; CHECK: call i32 @mine(ptr %p){{$}}
; CHECK: attributes [[KEEP]] = { nobuiltin }
define i32 @f(ptr %p, ptr %q, double %d) {
  %c = call i32 @memcmp(ptr %p, ptr %q, i64 4)
  %z = icmp eq i32 %c, 0
  %r = zext i1 %z to i32
  %l = call i64 @strlen(ptr %p)
  %s = call double @sqrt(double %d)
  %h = call ptr @malloc(i64 8)
  call void @free(ptr %h)
  %m = call i32 @mine(ptr %p)
  ret i32 %r
}

; Link-time optimisation sees stores with hooks between them, and must make no
; memset of them: it would be counted again.
; LATER-LABEL: define void @fill
; LATER-NOT: memset
; LATER: ret void
define void @fill(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %e = getelementptr i64, ptr %p, i64 %i
  store i64 0, ptr %e
  %j = add nuw i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; LATER-LABEL: define void @many
; LATER-NOT: memset
; LATER: ret void
define void @many(ptr %p) {
  store i64 0, ptr %p
  %a = getelementptr i64, ptr %p, i64 1
  store i64 0, ptr %a
  %b = getelementptr i64, ptr %p, i64 2
  store i64 0, ptr %b
  %c = getelementptr i64, ptr %p, i64 3
  store i64 0, ptr %c
  %d = getelementptr i64, ptr %p, i64 4
  store i64 0, ptr %d
  ret void
}
