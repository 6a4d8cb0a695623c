; ignorelist.ll - -heapprof-ignorelist: fun:, src:, mainfile:, sections, several files, bad files.
; RUN: split-file %s %t
; RUN: cd %t
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -S a.ll | FileCheck a.ll --check-prefixes=ONE,TWO,THREE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-ignorelist=one.txt -S a.ll | FileCheck a.ll --check-prefixes=NO1,TWO,THREE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-ignorelist=one.txt -heapprof-ignorelist=src.txt -S a.ll | FileCheck a.ll --check-prefixes=NO1,NO2,THREE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-ignorelist=full.txt -S a.ll | FileCheck a.ll --check-prefixes=ONE,NO2,THREE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-ignorelist=main.txt -S a.ll | FileCheck a.ll --check-prefixes=NO1,NO2,NO3
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-ignorelist=other.txt -S a.ll | FileCheck a.ll --check-prefixes=ONE,TWO,THREE
; RUN: %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-ignorelist=one.txt -heapprof-stats -disable-output a.ll 2>&1 | FileCheck a.ll --check-prefix=STATS
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-ignorelist=nowhere.txt -S a.ll 2>&1 | FileCheck a.ll --check-prefix=MISSING
; RUN: not %opt -load-pass-plugin=%pass -passes=heapprof -heapprof-optimise=0 -heapprof-ignorelist=bad.txt -S a.ll 2>&1 | FileCheck a.ll --check-prefix=BAD

;--- one.txt
[heapprof]
fun:on*
;--- src.txt
src:*/two.h
;--- full.txt
src:/dir/inc/two.h
;--- main.txt
[heapprof]
mainfile:main.c
;--- other.txt
[address]
fun:*
;--- bad.txt
[heapprof]
fun:fine
this line has no colon
;--- a.ll
; STATS: FunctionsIgnored 1
; MISSING: error: heapprof: ignore list: {{.*}}nowhere.txt
; MISSING-NOT: {{Stack dump|PLEASE}}
; BAD: error: heapprof: ignore list: {{.*}}bad.txt{{.*}}line 3
source_filename = "main.c"
; ONE: @__heapprof_write(ptr %p, i64 1)
; NO1-NOT: @__heapprof_write(ptr %p, i64 1)
define void @one(ptr %p) {
  store i8 0, ptr %p
  ret void
}
; TWO: @__heapprof_write(ptr %p, i64 2)
; NO2-NOT: @__heapprof_write(ptr %p, i64 2)
define void @two(ptr %p) !dbg !4 {
  store i16 0, ptr %p, !dbg !6
  ret void
}
; THREE: @__heapprof_write(ptr %p, i64 4)
; NO3-NOT: @__heapprof_write(ptr %p, i64 4)
define void @three(ptr %p) {
  store i32 0, ptr %p
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "inc/two.h", directory: "/dir")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "two", file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 7, column: 3, scope: !4)
