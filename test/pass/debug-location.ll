; debug-location.ll - hooks have the access's location, or line 0 of the function.
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof,verify -heapprof-optimise=0 -S %s | FileCheck %s
; CHECK: call void @__heapprof_write(ptr %p, i64 4), !dbg [[AT:![0-9]+]], !nosanitize
; CHECK: call void @__heapprof_write(ptr %p, i64 8), !dbg [[NONE:![0-9]+]], !nosanitize
; CHECK-DAG: [[AT]] = !DILocation(line: 7, column: 3
; CHECK-DAG: [[NONE]] = !DILocation(line: 0
define void @f(ptr %p) !dbg !4 {
  store i32 0, ptr %p, !dbg !6
  store i64 0, ptr %p
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 7, column: 3, scope: !4)
