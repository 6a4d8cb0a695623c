; vector-predicated.ll - vp.* accesses: a lane counts if the mask and the length say so.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @load
define void @load(ptr %p, <4 x i1> %m, i32 %n) {
; CHECK-NEXT: [[B:%.*]] = bitcast <4 x i1> %m to i4
; CHECK-NEXT: [[M:%.*]] = zext i4 [[B]] to i64
; CHECK-NEXT: [[N:%.*]] = zext i32 %n to i64
; CHECK-NEXT: [[R:%.*]] = call i64 @llvm.usub.sat.i64(i64 [[N]], i64 0)
; CHECK-NEXT: [[S:%.*]] = shl i64 -1, [[R]]
; CHECK-NEXT: [[L:%.*]] = xor i64 [[S]], -1
; CHECK-NEXT: [[C:%.*]] = icmp uge i64 [[R]], 64
; CHECK-NEXT: [[E:%.*]] = select i1 [[C]], i64 -1, i64 [[L]]
; CHECK-NEXT: [[K:%.*]] = and i64 [[M]], [[E]]
; CHECK-NEXT: call void @__heapprof_masked(ptr %p, i64 4, i64 [[K]], i32 1)
; CHECK-NEXT: call <4 x i32> @llvm.vp.load
  %a = call <4 x i32> @llvm.vp.load.v4i32.p0(ptr %p, <4 x i1> %m, i32 %n)
  ret void
}

; A full mask leaves the length: one run, of any number of lanes.
; CHECK-LABEL: define void @full
define void @full(ptr %p, <128 x i8> %v, <4 x i32> %w, i32 %n) {
; CHECK-NEXT: [[N:%.*]] = zext i32 %n to i64
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 [[N]])
; CHECK-NEXT: call void @llvm.vp.store
  call void @llvm.vp.store.v128i8.p0(<128 x i8> %v, ptr %p, <128 x i1> splat (i1 true), i32 %n)
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 12)
; CHECK-NEXT: call void @llvm.vp.store
  call void @llvm.vp.store.v4i32.p0(<4 x i32> %w, ptr %p, <4 x i1> splat (i1 true), i32 3)
; CHECK-NEXT: call void @llvm.vp.store
  call void @llvm.vp.store.v4i32.p0(<4 x i32> %w, ptr %p, <4 x i1> splat (i1 true), i32 0)
; CHECK-NEXT: [[Q:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT: call void @__heapprof_write(ptr [[Q]], i64 4)
; CHECK-NEXT: call void @llvm.vp.store
  call void @llvm.vp.store.v4i32.p0(<4 x i32> %w, ptr %p, <4 x i1> <i1 0, i1 1, i1 1, i1 1>, i32 2)
; CHECK-NEXT: ret void
  ret void
}

; CHECK-LABEL: define void @gather
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 2, i64 8, i64 {{%.*}}, i32 1)
; CHECK-NEXT: call <2 x i64> @llvm.vp.gather
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 2, i64 8, i64 1, i32 2)
; CHECK-NEXT: call void @llvm.vp.scatter
define void @gather(<2 x ptr> %q, <2 x i1> %m, i32 %n) {
  %a = call <2 x i64> @llvm.vp.gather.v2i64.v2p0(<2 x ptr> %q, <2 x i1> %m, i32 %n)
  call void @llvm.vp.scatter.v2i64.v2p0(<2 x i64> %a, <2 x ptr> %q, <2 x i1> splat (i1 true), i32 1)
  ret void
}

; CHECK-LABEL: define void @strided
define void @strided(ptr %p, i64 %s, i32 %t, <2 x i64> %v, <2 x i1> %m, i32 %n) {
; CHECK-NEXT: call void @__heapprof_strided(ptr %p, i64 %s, i64 8, i64 3, i32 1)
; CHECK-NEXT: call <2 x i64> @llvm.experimental.vp.strided.load
  %a = call <2 x i64> @llvm.experimental.vp.strided.load.v2i64.p0.i64(ptr %p, i64 %s, <2 x i1> splat (i1 true), i32 2)
; CHECK: [[T:%.*]] = sext i32 %t to i64
; CHECK: call void @__heapprof_strided(ptr %p, i64 [[T]], i64 8, i64 {{%.*}}, i32 2)
; CHECK-NEXT: call void @llvm.experimental.vp.strided.store
  call void @llvm.experimental.vp.strided.store.v2i64.p0.i32(<2 x i64> %v, ptr %p, i32 %t, <2 x i1> %m, i32 %n)
; CHECK-NEXT: ret void
  ret void
}

; CHECK-LABEL: define void @wide_strided
; CHECK: call void @__heapprof_strided(ptr %p, i64 -16, i64 4, i64 -1, i32 1)
; CHECK-NEXT: [[P:%.*]] = getelementptr i8, ptr %p, i64 -1024
; CHECK-NEXT: call void @__heapprof_strided(ptr [[P]], i64 -16, i64 4, i64 63, i32 1)
; CHECK-NEXT: call <70 x i32>
define void @wide_strided(ptr %p) {
  %a = call <70 x i32> @llvm.experimental.vp.strided.load.v70i32.p0.i64(ptr %p, i64 -16, <70 x i1> splat (i1 true), i32 70)
  ret void
}
