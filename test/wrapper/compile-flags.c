// What -fsanitize=heapprof adds when C or C++ is compiled, and what it does not.
// Row "-c -S" of docs/compiling.md.
//
// RUN: %clang_heapprof -O2 -### -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CC1,NOLINK
// RUN: %clang_heapprof -O2 -### -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefixes=CC1,NOLINK
// RUN: %clangxx_heapprof -O2 -### -c -x c++ %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CC1,NOLINK
//
// CC1: "-cc1"
// CC1-SAME: "-mframe-pointer=all"
// CC1-SAME: "-idirafter" "[[PREFIX:[^"]*]]/include"
// CC1-SAME: "-D" "__SANITIZE_HEAPPROF__=1" "-D" "__HEAPPROF__=1"
// CC1-SAME: "-fno-assume-sane-operator-new"
// CC1-SAME: "-load" "[[PREFIX]]/lib/heapprof/heapprof-pass.so"
// CC1-SAME: "-fpass-plugin=[[PREFIX]]/lib/heapprof/heapprof-pass.so"
// NOLINK-NOT: libheapprof_rt
//
// The flag that makes the front end name types comes after the user's words.
// RUN: %if llvm-22 %{ %clang_heapprof -fno-sanitize=all -fsanitize=heapprof -### -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TYPES %}
// TYPES: "-U" "__SANITIZE_ALLOC_TOKEN__"
// TYPES-SAME: "-load" "{{[^"]*}}/lib/heapprof/heapprof-ast.so"
// TYPES-SAME: "-fsanitize=alloc-token"
//
// Nothing is left over that the driver would warn about.
// RUN: %clang_heapprof -Werror -c %s -o %t.o
// RUN: %clang_heapprof -Werror -S %s -o %t.s
// RUN: %clang_heapprof -Werror -S -emit-llvm %s -o %t.ll
// RUN: %clang_heapprof -Werror -c %t.ll -o %t.o
//
// The user's choice of frame pointers stays.
// RUN: %clang_heapprof -O2 -fomit-frame-pointer -### -c %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %clang_heapprof -O2 -momit-leaf-frame-pointer -### -c %s 2>&1 | FileCheck %s --check-prefix=LEAF
// RUN: %clang_heapprof -O2 -fno-omit-frame-pointer -### -c %s 2>&1 | FileCheck %s --check-prefix=ALL
// NONE: "-mframe-pointer=none"
// LEAF: "-mframe-pointer=non-leaf
// ALL: "-mframe-pointer=all"
//
// The user's macros stay too.
// RUN: %clang_heapprof -U__SANITIZE_HEAPPROF__ -D__HEAPPROF__=7 -DCHANGED -Werror -Wno-macro-redefined -fsyntax-only %s
#include <sanitizer/heapprof_interface.h>

#ifdef CHANGED
_Static_assert(__HEAPPROF__ == 7, "the user's -D comes later");
#ifdef __SANITIZE_HEAPPROF__
#error "the user's -U comes later"
#endif
#else
#ifndef __cplusplus
_Static_assert(__SANITIZE_HEAPPROF__ == 1 && __HEAPPROF__ == 1, "macros");
#endif
#endif

int main(void) { return 0; }
