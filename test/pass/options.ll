; options.ll - each kind of access can be switched off, and is then counted as skipped.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-instrument-reads=0 -S %s | FileCheck %s --check-prefixes=CHECK,NOREAD
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-instrument-writes=0 -S %s | FileCheck %s --check-prefixes=CHECK,NOWRITE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-instrument-atomics=0 -S %s | FileCheck %s --check-prefixes=CHECK,NOATOMIC
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-instrument-reads=0 -heapprof-stats -disable-output %s 2>&1 | FileCheck %s --check-prefix=STATS
; STATS: SkippedByOption 1
; CHECK-LABEL: define void @f
; NOREAD-NOT: @__heapprof_read(
; NOWRITE: @__heapprof_read(
; NOATOMIC: @__heapprof_read(
; NOREAD: @__heapprof_write(
; NOWRITE-NOT: @__heapprof_write(
; NOATOMIC: @__heapprof_write(
; NOREAD: @__heapprof_read_write(
; NOWRITE: @__heapprof_read_write(
; NOATOMIC-NOT: @__heapprof_read_write(
; CHECK: ret void
define void @f(ptr %p) {
  %v = load i32, ptr %p
  store i32 0, ptr %p
  %o = atomicrmw add ptr %p, i32 1 seq_cst
  ret void
}
