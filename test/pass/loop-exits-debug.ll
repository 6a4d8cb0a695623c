; loop-exits-debug.ll - the counter of a loop without one is ahead of its head's records of debug information: behind them it broke the module, which the linker refuses with -flto.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-inline=0 -S %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
target triple = "x86_64-unknown-linux-gnu"

@left = global i32 9

; CHECK-LABEL: define void @fill(
; CHECK: loop:
; CHECK-NEXT: %heapprof.turns = phi i64
; CHECK-NEXT: #dbg_value
define void @fill(ptr %p) !dbg !4 {
entry:
  br label %loop
loop:
  #dbg_value(i32 5, !7, !DIExpression(), !9)
  store i32 1, ptr %p, align 4, !dbg !9
  %old = load i32, ptr @left, align 4, !dbg !9
  %new = add nsw i32 %old, -1, !dbg !9
  store i32 %new, ptr @left, align 4, !dbg !9
  %more = icmp sgt i32 %old, 0, !dbg !9
  br i1 %more, label %loop, label %done, !dbg !9
done:
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "fill.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "fill", file: !1, line: 1, type: !5, scopeLine: 1, unit: !0, retainedNodes: !6)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocalVariable(name: "five", scope: !4, file: !1, line: 2, type: !8)
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocation(line: 2, column: 1, scope: !4)
