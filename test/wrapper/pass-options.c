// -mllvm -heapprof-* reaches the pass alone: the assembler and whatever else reads -mllvm know no such option.
// Row "-mllvm -heapprof-" of docs/compiling.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the compiler and the assembler are two processes, and where there is an assembler only.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: echo fun:nothing > list
// RUN: for flags in '-mllvm -heapprof-assembly=1' '-mllvm=-heapprof-stats' '-mllvm --heapprof-merge=0' -fsanitize-heapprof-members -fsanitize-ignorelist=list; do \
// RUN:   %clang_heapprof -Werror -save-temps $flags %s -o program && %run ./program || exit 1; done
// RUN: %clang_heapprof -Werror -save-temps -mllvm=-heapprof-stats -c %s 2>&1 | FileCheck %s --check-prefix=READ
// READ: HooksPlain 1
// RUN: %clang_heapprof -Werror -mllvm -heapprof-assembly=1 -c pass-options.s -o a.o
//
// What runs no pass does without.
// RUN: %clang_heapprof -Werror -mllvm -heapprof-assembly=1 -E %s -o %t.i
// RUN: %clang_heapprof -Werror -mllvm -heapprof-assembly=1 -fsyntax-only %s
// RUN: %clang_heapprof -Werror -mllvm -heapprof-assembly=1 a.o -o program
//
// In order, from a response file and CCC_OVERRIDE_OPTIONS, too; the options of others stay where they are.
// RUN: echo '-mllvm -heapprof-ignorelist=one -mllvm -enable-ipra' > response
// RUN: env CCC_OVERRIDE_OPTIONS='+-mllvm +-heapprof-ignorelist=two' %clang_heapprof -### -c @response %s 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: "-mllvm" "-heapprof-ignorelist=one" "-mllvm" "-heapprof-ignorelist=two" {{.*}}"-enable-ipra"
//
// A value of another option, a file behind -- and a call without the sanitizer are left as they are.
// RUN: %clang_heapprof -### -c -D -mllvm -Xclang -heapprof-no %s 2>&1 | FileCheck %s --check-prefix=OTHERS
// OTHERS: "-heapprof-no"
// RUN: %heapprof_clang -mllvm -heapprof-assembly=1 -c %s -o a.o 2>&1 | FileCheck %s --check-prefix=CLANG
// CLANG: {{LLVM option parsing}}
// One that the pass has not is refused in one line: LLVM would print its help.  The wrapper knows all that there are.
// RUN: not %clang_heapprof -mllvm -heapprof-inline-abov=1 -c %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: heapprof-clang: error: '-mllvm -heapprof-inline-abov=1': the pass has no such option; docs/compiling.md
// RUN: not %clang_heapprof -mllvm=--heapprof- -c %s 2>&1 | count 1
// RUN: %clang_heapprof -Xclang -mllvm -Xclang -help-hidden -c %s 2>/dev/null | grep -oE '^ +--heapprof-[a-z-]+' | sed 's/.*--heapprof-//' | sort > there
// RUN: sed -n '/ of_pass\[\] =/,/};/s/^ *"\(.*\)",$/\1/p' %heapprof_source_dir/tools/wrapper/driver_options.c | diff there -
// RUN: grep -cx -e naive -e inline-above there | grep -x 2
int *volatile place;
int main(void) { return place != 0 ? *place : 0; }
