; x86-intrinsics.ll - accesses made by <immintrin.h>'s own intrinsics.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
target triple = "x86_64-unknown-linux-gnu"

; STATS: SkippedUnmeasured 1

; A lane's sign bit enables it.
; CHECK-LABEL: define void @maskload
define void @maskload(ptr %p, <4 x i64> %m, <4 x float> %v, <4 x i32> %k) #0 {
; CHECK-NEXT: [[S:%.*]] = icmp slt <4 x i64> %m, zeroinitializer
; CHECK-NEXT: [[B:%.*]] = bitcast <4 x i1> [[S]] to i4
; CHECK-NEXT: [[M:%.*]] = zext i4 [[B]] to i64
; CHECK-NEXT: call void @__heapprof_masked(ptr %p, i64 8, i64 [[M]], i32 1)
; CHECK-NEXT: call <4 x i64> @llvm.x86.avx2.maskload.q.256
  %a = call <4 x i64> @llvm.x86.avx2.maskload.q.256(ptr %p, <4 x i64> %m)
; CHECK: call void @__heapprof_masked(ptr %p, i64 4, i64 {{%.*}}, i32 2)
; CHECK-NEXT: call void @llvm.x86.avx.maskstore.ps
  call void @llvm.x86.avx.maskstore.ps(ptr %p, <4 x i32> %k, <4 x float> %v)
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 8)
; CHECK-NEXT: call void @llvm.x86.avx.maskstore.ps
  call void @llvm.x86.avx.maskstore.ps(ptr %p, <4 x i32> <i32 -1, i32 -1, i32 0, i32 0>, <4 x float> %v)
  ret void
}

; CHECK-LABEL: define void @maskmov
; CHECK: call void @__heapprof_masked(ptr %p, i64 1, i64 {{%.*}}, i32 2)
; CHECK-NEXT: call void @llvm.x86.sse2.maskmov.dqu
define void @maskmov(ptr %p, <16 x i8> %v, <16 x i8> %m) #0 {
  call void @llvm.x86.sse2.maskmov.dqu(<16 x i8> %v, <16 x i8> %m, ptr %p)
  ret void
}

; Base plus sign-extended index times scale; of four indices, two are used.
; CHECK-LABEL: define void @gather
define void @gather(ptr %p, <4 x i32> %i, <2 x double> %m) #0 {
; CHECK: [[C:%.*]] = bitcast <2 x double> %m to <2 x i64>
; CHECK-NEXT: [[S:%.*]] = icmp slt <2 x i64> [[C]], zeroinitializer
; CHECK: [[I:%.*]] = shufflevector <4 x i32> %i, {{.*}}<2 x i32> <i32 0, i32 1>
; CHECK-NEXT: [[J:%.*]] = sext <2 x i32> [[I]] to <2 x i64>
; CHECK-NEXT: [[O:%.*]] = mul <2 x i64> [[J]], {{.*}}i64 8
; CHECK-NEXT: [[Q:%.*]] = getelementptr i8, ptr %p, <2 x i64> [[O]]
; CHECK-NEXT: store <2 x ptr> [[Q]], ptr [[A:%.*]], align 8, !nosanitize
; CHECK-NEXT: call void @__heapprof_lanes(ptr [[A]], i32 2, i64 8, i64 {{%.*}}, i32 1)
; CHECK-NEXT: call <2 x double> @llvm.x86.avx2.gather.d.pd
  %a = call <2 x double> @llvm.x86.avx2.gather.d.pd(<2 x double> zeroinitializer, ptr %p, <4 x i32> %i, <2 x double> %m, i8 8)
  ret void
}

; Two indices into a result of four lanes.
; CHECK-LABEL: define void @short_gather
; CHECK: shufflevector <4 x i32> %m, {{.*}}<2 x i32> <i32 0, i32 1>
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 2, i64 4, i64 {{%.*}}, i32 1)
define void @short_gather(ptr %p, <2 x i64> %i, <4 x i32> %m) #0 {
  %a = call <4 x i32> @llvm.x86.avx2.gather.q.d(<4 x i32> zeroinitializer, ptr %p, <2 x i64> %i, <4 x i32> %m, i8 4)
  ret void
}

; CHECK-LABEL: define void @avx512
; CHECK: bitcast <8 x i1> %m to i8
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 8, i64 8, i64 {{%.*}}, i32 1)
; CHECK-NEXT: call <8 x double> @llvm.x86.avx512.mask.gather.dpd.512
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 8, i64 8, i64 {{%.*}}, i32 2)
; CHECK-NEXT: call void @llvm.x86.avx512.mask.scatter.qpd.512
define void @avx512(ptr %p, <8 x i32> %i, <8 x i64> %j, <8 x i1> %m) #0 {
  %a = call <8 x double> @llvm.x86.avx512.mask.gather.dpd.512(<8 x double> zeroinitializer, ptr %p, <8 x i32> %i, <8 x i1> %m, i32 1)
  call void @llvm.x86.avx512.mask.scatter.qpd.512(ptr %p, <8 x i1> %m, <8 x i64> %j, <8 x double> %a, i32 8)
  ret void
}

; An integer mask counts as many bits as there are lanes.
; CHECK-LABEL: define void @integer_mask
; CHECK: [[Z:%.*]] = zext i8 %m to i64
; CHECK-NEXT: [[M:%.*]] = and i64 [[Z]], 15
; CHECK: call void @__heapprof_lanes(ptr {{%.*}}, i32 4, i64 4, i64 [[M]], i32 2)
define void @integer_mask(ptr %p, <4 x i32> %i, i8 %m) #0 {
  call void @llvm.x86.avx512.scattersiv4.si(ptr %p, i8 %m, <4 x i32> %i, <4 x i32> %i, i32 4)
  ret void
}

; CHECK-LABEL: define void @fixed
define void @fixed(ptr %p, ptr %q) #0 {
; CHECK-NEXT: call void @__heapprof_read(ptr %p, i64 16)
  %a = call <16 x i8> @llvm.x86.sse3.ldu.dq(ptr %p)
; CHECK: call void @__heapprof_write(ptr %p, i64 4)
  call void @llvm.x86.sse.stmxcsr(ptr %p)
; CHECK: call void @__heapprof_write(ptr %p, i64 512)
  call void @llvm.x86.fxsave64(ptr %p)
; CHECK: call void @__heapprof_write(ptr %p, i64 8)
  call void @llvm.x86.directstore64(ptr %p, i64 1)
; CHECK: call void @__heapprof_read(ptr %q, i64 64)
; CHECK-NEXT: call void @__heapprof_write(ptr %p, i64 64)
  call void @llvm.x86.movdir64b(ptr %p, ptr %q)
; CHECK: call void @__heapprof_read_write(ptr %p, i64 4)
  call void @llvm.x86.aadd32(ptr %p, i32 1)
  ret void
}

; What an xsave writes depends on the machine.
; CHECK-LABEL: define void @unmeasured
; CHECK-NEXT: call void @llvm.x86.xsave64
define void @unmeasured(ptr %p) #0 {
  call void @llvm.x86.xsave64(ptr %p, i32 0, i32 0)
  ret void
}

attributes #0 = { "target-features"="+avx512f,+avx512vl,+fxsr,+xsave,+movdir64b,+movdiri,+raoint" }
