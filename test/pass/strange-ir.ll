; strange-ir.ll - valid but unusual code goes through without a crash or a broken module.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -disable-output %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -disable-output %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -disable-output %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-naive -disable-output %s
target triple = "x86_64-unknown-linux-gnu"

%opaque = type opaque
@llvm.global.annotations = appending global [1 x { ptr, ptr }] [{ ptr, ptr } { ptr @token, ptr null }], section "llvm.metadata"

declare token @llvm.call.preallocated.setup(i32)
declare ptr @llvm.call.preallocated.arg(token, i32)
declare void @take_inalloca(ptr inalloca(i64))
declare void @take_preallocated(ptr preallocated(i64))
declare void @take_opaque(ptr)

define void @token() {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  %a = call ptr @llvm.call.preallocated.arg(token %t, i32 0) preallocated(i64)
  store i64 1, ptr %a
  call void @take_preallocated(ptr preallocated(i64) %a) ["preallocated"(token %t)]
  ret void
}
define void @inalloca(ptr inalloca(i64) %p) {
  %s = call ptr @llvm.stacksave.p0()
  %a = alloca inalloca i64
  %v = load i64, ptr %p
  store i64 %v, ptr %a
  call void @take_inalloca(ptr inalloca(i64) %a)
  call void @llvm.stackrestore.p0(ptr %s)
  ret void
}
define void @undefined() {
  store i64 0, ptr poison
  store i64 0, ptr undef
  %v = load <4 x ptr>, ptr undef
  %w = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> poison, i32 4, <4 x i1> poison, <4 x i32> undef)
  %q = extractelement <4 x ptr> %v, i32 0
  call void @llvm.masked.store.v4i32.p0(<4 x i32> undef, ptr %q, i32 4, <4 x i1> <i1 true, i1 poison, i1 undef, i1 false>)
  ret void
}
define void @unreachable_loop(ptr %p) {
  ret void
loop:
  %q = getelementptr i8, ptr %q, i64 1
  store i8 0, ptr %q
  br label %loop
phis:
  %r = phi ptr [ %s, %phis2 ]
  br label %phis2
phis2:
  %s = phi ptr [ %r, %phis ]
  store i8 0, ptr %s
  br label %phis
}
define void @scalable(ptr %p, <vscale x 2 x ptr> %q, <vscale x 2 x i1> %m) {
  %a = load <vscale x 2 x i64>, ptr %p
  store <vscale x 2 x i64> %a, ptr %p
  call void @llvm.masked.scatter.nxv2i64.nxv2p0(<vscale x 2 x i64> %a, <vscale x 2 x ptr> %q, i32 8, <vscale x 2 x i1> %m)
  call void @llvm.vp.store.nxv2i64.p0(<vscale x 2 x i64> %a, ptr %p, <vscale x 2 x i1> %m, i32 2)
  call void @llvm.masked.compressstore.nxv2i64(<vscale x 2 x i64> %a, ptr %p, <vscale x 2 x i1> %m)
  ret void
}
define void @odd_lanes(ptr %p, <3 x i1> %m) {
  %a = call <3 x i7> @llvm.masked.load.v3i7.p0(ptr %p, i32 1, <3 x i1> %m, <3 x i7> zeroinitializer)
  %b = call <1 x i64> @llvm.masked.load.v1i64.p0(ptr %p, i32 1, <1 x i1> splat (i1 true), <1 x i64> zeroinitializer)
  ret void
}
define void @far_copy(ptr addrspace(1) %far, ptr %p) {
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %far, ptr %p, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 undef, i64 undef, i1 false)
  ret void
}
define void @fs_segment(ptr addrspace(257) %far) {
  %v = load i64, ptr addrspace(257) %far
  ret void
}
define void @phi_of_itself(ptr %p, i1 %again) {
entry:
  br label %body
body:
  %q = phi ptr [ undef, %entry ], [ %q, %body ], [ %p, %end ]
  store i64 0, ptr %q
  br i1 %again, label %body, label %end
end:
  br label %body
}
