// -E, -M and -fsyntax-only get the macros and the header, and nothing of the compiler or the linker.
// Row "-E, -M, -fsyntax-only" of docs/compiling.md.
//
// RUN: %clang_heapprof -### -E %s 2>&1 | FileCheck %s --check-prefix=MACROS
// RUN: %clang_heapprof -### -M %s 2>&1 | FileCheck %s --check-prefix=MACROS
// RUN: %clang_heapprof -### -MM %s 2>&1 | FileCheck %s --check-prefix=MACROS
// RUN: %clang_heapprof -### -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=MACROS
// RUN: %clang_heapprof -### --preprocess %s 2>&1 | FileCheck %s --check-prefix=MACROS
// MACROS-NOT: {{pass-plugin|libheapprof_rt|-lresolv|warning}}
// MACROS: "-D" "__SANITIZE_HEAPPROF__=1"
// MACROS-NOT: {{pass-plugin|libheapprof_rt|-lresolv|warning}}
//
// RUN: %clang_heapprof -Werror -dM -E -x c /dev/null | FileCheck %s --check-prefix=DUMP
// RUN: %clang_heapprof -Werror -dM -E - < /dev/null | FileCheck %s --check-prefix=DUMP
// DUMP-DAG: #define __HEAPPROF__ 1
// DUMP-DAG: #define __SANITIZE_HEAPPROF__ 1
// RUN: %heapprof_clang -dM -E %s | FileCheck %s --check-prefix=BARE
// BARE-NOT: HEAPPROF__
//
// -MD does not stop the driver; the dependency file is clang's own.
// RUN: %clang_heapprof -MD -MF %t.d -c %s -o %t.o
// RUN: FileCheck %s --check-prefix=DEPENDS < %t.d
// DEPENDS: preprocess.c{{$}}
// DEPENDS-NOT: heapprof-pass
//
// Preprocessed files are past their macros: no flag is left unused.
// RUN: %clang_heapprof -E %s -o %t.i
// RUN: %clang_heapprof -Werror -### -c %t.i 2>&1 | FileCheck %s --check-prefix=CODE
// RUN: %clang_heapprof -Werror -c %t.i -o %t.o
// RUN: %clang_heapprof -save-temps=obj -Werror -c %s -o %t.o
// CODE-NOT: idirafter
// CODE: -fpass-plugin
int main(void) { return 0; }
