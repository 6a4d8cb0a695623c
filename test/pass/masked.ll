; masked.ll - masked, gather, scatter, expand and compress: the mask reaches the hook as bits.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; The operands are in LLVM 19's form, which 22 reads too.
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @load_store
define void @load_store(ptr %p, <4 x i1> %m, <8 x i16> %v, <8 x i1> %k) {
; CHECK-NEXT: [[B4:%.*]] = bitcast <4 x i1> %m to i4
; CHECK-NEXT: [[M4:%.*]] = zext i4 [[B4]] to i64
; CHECK-NEXT: call void @__heapprof_masked(ptr %p, i64 8, i64 [[M4]], i32 1), !nosanitize
; CHECK-NEXT: call <4 x double> @llvm.masked.load
  %a = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %p, i32 8, <4 x i1> %m, <4 x double> zeroinitializer)
; CHECK-NEXT: [[B8:%.*]] = bitcast <8 x i1> %k to i8
; CHECK-NEXT: [[M8:%.*]] = zext i8 [[B8]] to i64
; CHECK-NEXT: call void @__heapprof_masked(ptr %p, i64 2, i64 [[M8]], i32 2)
; CHECK-NEXT: call void @llvm.masked.store
  call void @llvm.masked.store.v8i16.p0(<8 x i16> %v, ptr %p, i32 2, <8 x i1> %k)
; CHECK-NEXT: ret void
  ret void
}

; A constant mask with its lanes in one run is a plain access; none is none.
; CHECK-LABEL: define void @constant
define void @constant(ptr %p, <4 x i32> %v) {
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 16)
; CHECK-NEXT: call void @llvm.masked.store
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> <i1 1, i1 1, i1 1, i1 1>)
; CHECK-NEXT: [[Q:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT: call void @__heapprof_write(ptr [[Q]], i64 8)
; CHECK-NEXT: call void @llvm.masked.store
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> <i1 0, i1 1, i1 1, i1 0>)
; CHECK-NEXT: call void @__heapprof_masked(ptr %p, i64 4, i64 9, i32 2)
; CHECK-NEXT: call void @llvm.masked.store
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> <i1 1, i1 0, i1 0, i1 1>)
; CHECK-NEXT: call void @llvm.masked.store
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> zeroinitializer)
; CHECK-NEXT: ret void
  ret void
}

; More lanes than bits: two hooks, the second 64 lanes further on.
; CHECK-LABEL: define void @wide
define void @wide(ptr %p, <100 x i1> %m, <100 x i16> %v) {
; CHECK-NEXT: [[L:%.*]] = shufflevector <100 x i1> %m, {{.*}}<64 x i32> <i32 0, i32 1,
; CHECK-NEXT: [[LB:%.*]] = bitcast <64 x i1> [[L]] to i64
; CHECK-NEXT: call void @__heapprof_masked(ptr %p, i64 2, i64 [[LB]], i32 2)
; CHECK-NEXT: [[H:%.*]] = shufflevector <100 x i1> %m, {{.*}}<36 x i32> <i32 64, i32 65,
; CHECK-NEXT: [[HB:%.*]] = bitcast <36 x i1> [[H]] to i36
; CHECK-NEXT: [[HZ:%.*]] = zext i36 [[HB]] to i64
; CHECK-NEXT: [[HP:%.*]] = getelementptr i8, ptr %p, i64 128
; CHECK-NEXT: call void @__heapprof_masked(ptr [[HP]], i64 2, i64 [[HZ]], i32 2)
  call void @llvm.masked.store.v100i16.p0(<100 x i16> %v, ptr %p, i32 2, <100 x i1> %m)
; CHECK-NEXT: call void @llvm.masked.store
  ret void
}

; CHECK-LABEL: define <4 x i32> @gather_scatter
define <4 x i32> @gather_scatter(<4 x ptr> %q, <4 x i1> %m) {
; CHECK-NEXT: [[A:%.*]] = alloca [4 x ptr], align 8
; CHECK-NEXT: [[B:%.*]] = bitcast <4 x i1> %m to i4
; CHECK-NEXT: [[M:%.*]] = zext i4 [[B]] to i64
; CHECK-NEXT: store <4 x ptr> %q, ptr [[A]], align 8, !nosanitize
; CHECK-NEXT: call void @__heapprof_lanes(ptr [[A]], i32 4, i64 4, i64 [[M]], i32 1), !nosanitize
; CHECK-NEXT: call <4 x i32> @llvm.masked.gather
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %q, i32 4, <4 x i1> %m, <4 x i32> zeroinitializer)
; CHECK-NEXT: store <4 x ptr> %q, ptr [[A]], align 8, !nosanitize
; CHECK-NEXT: call void @__heapprof_lanes(ptr [[A]], i32 4, i64 4, i64 15, i32 2)
; CHECK-NEXT: call void @llvm.masked.scatter
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %v, <4 x ptr> %q, i32 4, <4 x i1> <i1 1, i1 1, i1 1, i1 1>)
; CHECK-NEXT: call void @llvm.masked.scatter
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %v, <4 x ptr> %q, i32 4, <4 x i1> zeroinitializer)
; CHECK-NEXT: ret
  ret <4 x i32> %v
}

; CHECK-LABEL: define void @wide_gather
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 64, i64 1, i64 -1, i32 1)
; CHECK: shufflevector <72 x ptr>
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 8, i64 1, i64 255, i32 1)
; CHECK: call <72 x i8> @llvm.masked.gather
define void @wide_gather(<72 x ptr> %q) {
  %v = call <72 x i8> @llvm.masked.gather.v72i8.v72p0(<72 x ptr> %q, i32 1, <72 x i1> splat (i1 true), <72 x i8> zeroinitializer)
  ret void
}

; Packed: as many lanes as enabled, one after the other.
; CHECK-LABEL: define void @expand_compress
define void @expand_compress(ptr %p, <8 x i32> %v, <8 x i1> %m) {
; CHECK-NEXT: [[B:%.*]] = bitcast <8 x i1> %m to i8
; CHECK-NEXT: [[M:%.*]] = zext i8 [[B]] to i64
; CHECK-NEXT: [[C:%.*]] = call i64 @llvm.ctpop.i64(i64 [[M]])
; CHECK-NEXT: [[N:%.*]] = mul i64 [[C]], 4
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 [[N]])
; CHECK-NEXT: call <8 x i32> @llvm.masked.expandload
  %a = call <8 x i32> @llvm.masked.expandload.v8i32(ptr %p, <8 x i1> %m, <8 x i32> zeroinitializer)
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 12)
; CHECK-NEXT: call void @llvm.masked.compressstore
  call void @llvm.masked.compressstore.v8i32(<8 x i32> %v, ptr %p, <8 x i1> <i1 1, i1 0, i1 1, i1 0, i1 1, i1 0, i1 0, i1 0>)
; CHECK-NEXT: ret void
  ret void
}

; CHECK-LABEL: define void @wide_compress
; CHECK: [[C:%.*]] = call i64 @llvm.ctpop.i64
; CHECK: [[D:%.*]] = call i64 @llvm.ctpop.i64
; CHECK-NEXT: [[N:%.*]] = add i64 [[C]], [[D]]
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 [[N]])
; CHECK-NEXT: call void @llvm.masked.compressstore
define void @wide_compress(ptr %p, <80 x i8> %v, <80 x i1> %m) {
  call void @llvm.masked.compressstore.v80i8(<80 x i8> %v, ptr %p, <80 x i1> %m)
  ret void
}

; CHECK-LABEL: define void @histogram
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 4, i64 4, i64 {{%.*}}, i32 3)
; CHECK-NEXT: call void @llvm.experimental.vector.histogram.add
define void @histogram(<4 x ptr> %q, <4 x i1> %m) {
  call void @llvm.experimental.vector.histogram.add.v4p0.i32(<4 x ptr> %q, i32 1, <4 x i1> %m)
  ret void
}
