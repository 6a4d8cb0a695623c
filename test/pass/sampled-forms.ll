; sampled-forms.ll - a function of several inline hooks is there twice, and goes on in the form for samples if there are such.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-sampled-forms -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-sampled-forms -S %s | FileCheck %s --check-prefix=ONCE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-inline-above=0 -heapprof-sampled-forms -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-sampled-forms=0 -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-sampled-forms -heapprof-expect-samples -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline-above=0 -heapprof-sampled-forms -heapprof-inline=0 -S %s | FileCheck %s --check-prefix=OFF
target triple = "x86_64-unknown-linux-gnu"
; STATS: SampledForms 7
; OFF-NOT: .sampled

; What the linker keeps one of has one of these.
$template = comdat any
; CHECK: $template.sampled = comdat any

; Tables of labels go with the labels.
@table = internal constant [2 x ptr] [ptr blockaddress(@jumps, %one), ptr blockaddress(@jumps, %two)]
; CHECK: @table.sampled = internal constant {{.*}}blockaddress(@jumps.sampled, %one), ptr blockaddress(@jumps.sampled, %two)
; CHECK: @table = internal constant {{.*}}blockaddress(@jumps, %one), ptr blockaddress(@jumps, %two)
; CHECK: @__heapprof_sampling = external dso_local global i8
@seen = constant [1 x ptr] [ptr blockaddress(@shows, %one)]


define dso_local i32 @four(ptr %p, ptr %q, ptr %r, ptr %s) {
  %variable = alloca i32
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  %known = call i32 @template(ptr %p, ptr %q, ptr %r, ptr %s)
  %weak = call i32 @weak(ptr %p, ptr %q, ptr %r, ptr %s)
  call void @use(ptr %variable)
  ret i32 %known
}
; Variables stay where it begins.
; CHECK-LABEL: define dso_local i32 @four(
; CHECK-NEXT: %variable = alloca i32
; CHECK-NEXT: [[FLAG:%.*]] = load i8, ptr @__heapprof_sampling
; CHECK-NEXT: [[NONE:%.*]] = icmp eq i8 [[FLAG]], 0
; CHECK-NEXT: br i1 [[NONE]], label %{{.*}}, label %heapprof.sampled, !prof
; CHECK: @__heapprof_masks
; CHECK: call i32 @template(
; CHECK: heapprof.sampled:
; CHECK-NEXT: [[RESULT:%.*]] = musttail call i32 @four.sampled(ptr %p, ptr %q, ptr %r, ptr %s)
; CHECK-NEXT: ret i32 [[RESULT]]

; An address is another one in each form.
define dso_local void @jumps(ptr %p, ptr %q, ptr %r, ptr %s, i64 %n) {
  %at = getelementptr [2 x ptr], ptr @table, i64 0, i64 %n
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  %label = load ptr, ptr %at
  indirectbr ptr %label, [label %one, label %two]
one:
  call void @use(ptr %p)
  ret void
two:
  ret void
}

define linkonce_odr dso_local i32 @template(ptr %p, ptr %q, ptr %r, ptr %s) comdat {
  store i32 2, ptr %p
  store i32 2, ptr %q
  store i32 2, ptr %r
  store i32 2, ptr %s
  ret i32 0
}

; Which one is called at last the linker says.
define weak dso_local i32 @weak(ptr %p, ptr %q, ptr %r, ptr %s) {
  store i32 2, ptr %p
  store i32 2, ptr %q
  store i32 2, ptr %r
  store i32 2, ptr %s
  ret i32 0
}

; So it does of what a library has.
define i32 @library(ptr %p, ptr %q, ptr %r, ptr %s) {
  store i32 2, ptr %p
  store i32 2, ptr %q
  store i32 2, ptr %r
  store i32 2, ptr %s
  %known = call i32 @library(ptr %p, ptr %q, ptr %r, ptr %s)
  ret i32 0
}

define internal fastcc signext i8 @fast(ptr inreg %p, ptr nonnull %q, ptr %r, ptr %s) {
  store i32 2, ptr %p
  store i32 2, ptr %r
  store i32 2, ptr %s
  %a = load ptr, ptr %r
  store i32 2, ptr %a
  ret i8 0
}
; CHECK-LABEL: define internal fastcc signext i8 @fast(
; CHECK: musttail call fastcc signext i8 @fast.sampled(ptr inreg %p, ptr nonnull %q, ptr %r, ptr %s)

define void @calls(ptr %p, ptr %q, ptr %r, ptr %s) personality ptr @personality {
  store i32 2, ptr %p
  store i32 2, ptr %q
  store i32 2, ptr %r
  store i32 2, ptr %s
  %a = invoke fastcc signext i8 @fast(ptr inreg %p, ptr nonnull %q, ptr %r, ptr %s) to label %done unwind label %thrown
thrown:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
done:
  call void asm sideeffect "", ""()
  ret void
}
; CHECK-LABEL: define void @calls(
; CHECK: invoke fastcc signext i8 @fast(

; What differs too little, or must not be there twice.
define void @three(ptr %p, ptr %q, ptr %r) {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  ret void
}
define void @labels(ptr %p, ptr %q, ptr %r, ptr %s) {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  call void asm sideeffect "here:", ""()
  ret void
}
define void @once(ptr %p, ptr %q, ptr %r, ptr %s) {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  call void @use(ptr %p) noduplicate
  ret void
}
define void @many(ptr %p, ptr %q, ptr %r, ptr %s, ...) {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  ret void
}
define void @copied(ptr byval(i32) %copy, ptr %p, ptr %q, ptr %r, ptr %s) {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  ret void
}
define void @announced(ptr %p, ptr %q, ptr %r, ptr %s) "instrument-function-entry-inlined"="mcount" {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  ret void
}
define void @shows(ptr %p, ptr %q, ptr %r, ptr %s) {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  br label %one
one:
  call void @use(ptr %p)
  ret void
}
define void @small(ptr %p, ptr %q, ptr %r, ptr %s) minsize {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  ret void
}
define void @left(ptr %p, ptr %q, ptr %r, ptr %s) noinline optnone {
  store i32 1, ptr %p
  store i32 1, ptr %q
  store i32 1, ptr %r
  store i32 1, ptr %s
  ret void
}
declare void @use(ptr)
declare i32 @personality(...)

; The form for samples calls such forms, without the choice.
; CHECK-LABEL: define internal i32 @four.sampled(
; CHECK: and i64 %{{.*}}, 70368744177664
; CHECK-NOT: @__heapprof_masks
; CHECK-NOT: @__heapprof_sampling
; CHECK: call i32 @template.sampled(
; CHECK-NEXT: call i32 @weak(
; CHECK-LABEL: define internal void @jumps.sampled(
; CHECK: getelementptr [2 x ptr], ptr @table.sampled,
; CHECK: indirectbr ptr %label, [label %one, label %two]
; CHECK-LABEL: define linkonce_odr hidden i32 @template.sampled(
; CHECK-SAME: comdat
; CHECK-LABEL: define internal i32 @weak.sampled(
; CHECK-LABEL: define internal i32 @library.sampled(
; CHECK: call i32 @library(
; CHECK-LABEL: define internal fastcc signext i8 @fast.sampled(ptr inreg %p, ptr nonnull %q, ptr %r, ptr %s)
; CHECK-LABEL: define internal void @calls.sampled(
; CHECK-SAME: personality ptr @personality
; CHECK: invoke fastcc signext i8 @fast.sampled(
; ONCE-NOT: define {{.*}}@{{three|labels|once|many|copied|announced|shows|small|left}}.sampled
