; masked-gather-scatter.ll - a vector access under a mask is one access over the span of its enabled lanes.
; A gather or scatter is one access for each chunk that its enabled lanes touch; no lane, no access.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %clang_heapprof -O0 %s -o %t && %run %t && %expect %dump
; RUN: %clang_heapprof -O2 %s -o %t && %run %t && %expect %dump
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare noalias ptr @malloc(i64)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)

@bits = global i32 0
@sink = global <4 x i32> zeroinitializer

; The mask of an integer, made at run time so that no lane is known.
define <4 x i1> @mask(i32 %which) noinline {
  %known = load volatile i32, ptr @bits
  %all = xor i32 %known, %which
  %narrow = trunc i32 %all to i4
  %mask = bitcast i4 %narrow to <4 x i1>
  ret <4 x i1> %mask
}

define ptr @chunk(i64 %size) noinline {
  %p = call ptr @malloc(i64 %size)
  ret ptr %p
}

define i32 @main() {
  %lanes12 = call <4 x i1> @mask(i32 6)
  %lanes3 = call <4 x i1> @mask(i32 8)
  %none = call <4 x i1> @mask(i32 0)
  %lanes013 = call <4 x i1> @mask(i32 11)

  ; 100 bytes: store of lanes 1, 2 = bytes 4..11; load of lane 3 = bytes 12..15.
  %a = call ptr @chunk(i64 100)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %a, i32 4, <4 x i1> %lanes12)
  %la = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %a, i32 4, <4 x i1> %lanes3, <4 x i32> zeroinitializer)
  store volatile <4 x i32> %la, ptr @sink

  ; 101 bytes: no lane is enabled.
  %b = call ptr @chunk(i64 101)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %b, i32 1, <4 x i1> %none)

  ; 200 and 201 bytes: lanes 0, 1 in the first at 40 and 8, lane 3 in the second at 20; lane 2 is off.
  %c = call ptr @chunk(i64 200)
  %d = call ptr @chunk(i64 201)
  %c40 = getelementptr i8, ptr %c, i64 40
  %c8 = getelementptr i8, ptr %c, i64 8
  %c100 = getelementptr i8, ptr %c, i64 100
  %d20 = getelementptr i8, ptr %d, i64 20
  %p0 = insertelement <4 x ptr> poison, ptr %c40, i64 0
  %p1 = insertelement <4 x ptr> %p0, ptr %c8, i64 1
  %p2 = insertelement <4 x ptr> %p1, ptr %c100, i64 2
  %p3 = insertelement <4 x ptr> %p2, ptr %d20, i64 3
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x ptr> %p3, i32 4, <4 x i1> %lanes013)
  %lc = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %p3, i32 4, <4 x i1> %lanes3, <4 x i32> zeroinitializer)
  store volatile <4 x i32> %lc, ptr @sink
  ret i32 0
}
; EXPECT: (chunk(size=100).reads, chunk(size=100).writes) == (1, 1)
; EXPECT: (chunk(size=100).lo, chunk(size=100).hi) == (4, 16)
; EXPECT: (chunk(size=101).reads, chunk(size=101).writes, chunk(size=101).hi) == (0, 0, 0)
; EXPECT: (chunk(size=200).reads, chunk(size=200).writes) == (0, 1)
; EXPECT: (chunk(size=200).lo, chunk(size=200).hi) == (8, 44)
; EXPECT: (chunk(size=201).reads, chunk(size=201).writes) == (1, 1)
; EXPECT: (chunk(size=201).lo, chunk(size=201).hi) == (20, 24)
