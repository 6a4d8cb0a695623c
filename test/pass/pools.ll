; pools.ll - calls of the functions that -heapprof-pools names are said to the runtime: what was handed out behind them, what ends ahead of them.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof-types,verify -heapprof-pools=take:give:2:reset,Arena::get*:Arena::put,zcalloc:-:2*3,again:again -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof-types,verify -S %s | FileCheck %s --check-prefix=WITHOUT
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof-types -heapprof-pools=take -disable-output %s 2>&1 | FileCheck %s --check-prefix=FORM
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof-types -heapprof-pools=take:give: -disable-output %s 2>&1 | FileCheck %s --check-prefix=EMPTY
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof-types -heapprof-pools=take:give:two -disable-output %s 2>&1 | FileCheck %s --check-prefix=NUMBER
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof-types -heapprof-pools=take:give:1 -disable-output %s 2>&1 | FileCheck %s --check-prefix=SIZE
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof-types '-heapprof-pools=ta[ke:give' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PATTERN
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof-types '-heapprof-pools=ta*:-:1' -disable-output %s
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof-types -heapprof-pools=take:give/0 -disable-output %s 2>&1 | FileCheck %s --check-prefix=FREED
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof-types -heapprof-pools=take:give/1 -S %s | FileCheck %s --check-prefix=FIRST
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof-types -heapprof-pools=take:give/3 -S %s | FileCheck %s --check-prefix=NONE
; FREED: error: heapprof: -heapprof-pools: 'take:give/0' has 'give/0' for what is freed; arguments count from 1
; FIRST: call void @__heapprof_unpooled(ptr %pool)
; FIRST-NEXT: call void @give(ptr %pool, ptr
; NONE-NOT: __heapprof_unpooled
; WITHOUT-NOT: __heapprof_{{pool|unpool}}
; FORM: error: heapprof: -heapprof-pools: 'take' is not of the form alloc:free[:size argument[:clear]], with - for what there is not
; EMPTY: error: heapprof: -heapprof-pools: 'take:give:' is not of the form alloc:free[:size argument[:clear]], with - for what there is not
; NUMBER: error: heapprof: -heapprof-pools: 'take:give:two' has 'two' for the argument that is the size; arguments count from 1
; SIZE: error: heapprof: -heapprof-pools: argument 1 of take is no size
; PATTERN: error: heapprof: -heapprof-pools: 'ta[ke:give' has no pattern of names in 'ta[ke'
target triple = "x86_64-unknown-linux-gnu"

declare ptr @take(ptr, i64)
declare void @give(ptr, ptr)
declare void @reset(ptr)
declare ptr @_ZN5Arena6getOneEm(ptr, i32)
declare void @_ZN5Arena3putEPv(ptr, ptr)
declare ptr @zcalloc(ptr, i32, i32)
declare ptr @again(ptr, i64)
declare ptr @other(ptr, i64)
declare i32 @__gxx_personality_v0(...)

; The pool is told where all of it may end at once; the scope of a type is not that of what the pool asks for.
; CHECK-LABEL: define void @simple(
; CHECK: [[P:%.*]] = call ptr @take(ptr %pool, i64 24)
; CHECK: call void @__heapprof_pooled(ptr %pool, ptr [[P]], i64 24, ptr @__heapprof_pool_name{{.*}}, ptr null)
; CHECK: call void @__heapprof_unpooled(ptr [[P]])
; CHECK-NEXT: call void @give(ptr %pool, ptr [[P]])
; CHECK: call void @__heapprof_pool_clear(ptr %pool)
; CHECK-NEXT: call void @reset(ptr %pool)
; CHECK-NOT: pooled
; CHECK: call ptr @other(
; CHECK-NOT: pooled
; CHECK: ret void
define void @simple(ptr %pool) {
  %p = call ptr @take(ptr %pool, i64 24)
  call void @give(ptr %pool, ptr %p)
  call void @reset(ptr %pool)
  %q = call ptr @other(ptr %pool, i64 24)
  ret void
}

; By the names of the source, and of any size that is a number.
; CHECK-LABEL: define void @cplusplus(
; CHECK: [[WIDE:%.*]] = zext i32 %n to i64
; CHECK: [[P:%.*]] = call ptr @_ZN5Arena6getOneEm(ptr %arena, i32 %n)
; CHECK: call void @__heapprof_pooled(ptr null, ptr [[P]], i64 [[WIDE]], ptr @__heapprof_pool_name{{.*}}, ptr null)
; CHECK: call void @__heapprof_unpooled(ptr [[P]])
; CHECK-NEXT: call void @_ZN5Arena3putEPv(
define void @cplusplus(ptr %arena, i32 %n) {
  %p = call ptr @_ZN5Arena6getOneEm(ptr %arena, i32 %n)
  call void @_ZN5Arena3putEPv(ptr %arena, ptr %p)
  ret void
}

; Of several numbers the size is the product.
; CHECK-LABEL: define ptr @product(
; CHECK: [[BYTES:%.*]] = mul i64
; CHECK: [[P:%.*]] = call ptr @zcalloc(
; CHECK: call void @__heapprof_pooled(ptr null, ptr [[P]], i64 [[BYTES]],
define ptr @product(ptr %opaque, i32 %n, i32 %size) {
  %p = call ptr @zcalloc(ptr %opaque, i32 %n, i32 %size)
  ret ptr %p
}

; What takes and gives is as realloc.
; CHECK-LABEL: define ptr @resize(
; CHECK: call void @__heapprof_unpooled(ptr %old)
; CHECK: [[P:%.*]] = call ptr @again(ptr %old, i64 100)
; CHECK: call void @__heapprof_pooled(ptr null, ptr [[P]], i64 100,
define ptr @resize(ptr %old) {
  %p = call ptr @again(ptr %old, i64 100)
  ret ptr %p
}

; Where nothing is thrown; the edge is split where others arrive, too.
; CHECK-LABEL: define ptr @thrown(
; CHECK: [[P:%.*]] = invoke ptr @take(ptr %pool, i64 8)
; CHECK-NEXT: to label %[[NORMAL:.*]] unwind label
; CHECK: [[NORMAL]]:
; CHECK: call void @__heapprof_pooled(ptr %pool, ptr [[P]], i64 8,
; CHECK: br label %end
define ptr @thrown(ptr %pool, i1 %c) personality ptr @__gxx_personality_v0 {
  br i1 %c, label %go, label %end
go:
  %p = invoke ptr @take(ptr %pool, i64 8) to label %end unwind label %away
end:
  %r = phi ptr [ null, %0 ], [ %p, %go ]
  ret ptr %r
away:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

; What one of the functions calls is its own business; so is a call that must be a jump.
; CHECK-LABEL: define ptr @_ZN5Arena6getTwoEm(
; CHECK-NOT: pooled
; CHECK: ret ptr
define ptr @_ZN5Arena6getTwoEm(ptr %arena, i64 %n) {
  %p = call ptr @take(ptr %arena, i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define ptr @jump(
; CHECK-NOT: pooled
; CHECK: musttail call ptr @take(
define ptr @jump(ptr %pool, i64 %n) {
  %p = musttail call ptr @take(ptr %pool, i64 %n)
  ret ptr %p
}
