// -fsanitize-heapprof-members reaches the pass; the last of it and its -fno- counts; clang never sees it.
// Row "-fsanitize-heapprof-members" of docs/compiling.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -fsanitize-heapprof-members -### -c %s 2>&1 | FileCheck %s --check-prefix=ON
// RUN: %clang_heapprof -fno-sanitize-heapprof-members -fsanitize-heapprof-members -### -c %s 2>&1 | FileCheck %s --check-prefix=ON
// ON-NOT: sanitize-heapprof-members
// ON: "-mllvm" "-heapprof-members"
// RUN: %clang_heapprof -### -c %s 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %clang_heapprof -fsanitize-heapprof-members -fno-sanitize-heapprof-members -### -c %s 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: heapprof-members
//
// What is linked is the same.
// RUN: %clang_heapprof -Werror -fsanitize-heapprof-members -c %s -o %t.o
// RUN: %clang_heapprof -Werror -fsanitize-heapprof-members %t.o -o %t && %run %t
//
// Without the sanitizer it is clang's to say that there is no such option.
// RUN: not %clang_heapprof -fno-sanitize=heapprof -fsanitize-heapprof-members -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CLANG
// CLANG: error: unknown argument{{.*}}-fsanitize-heapprof-members
int main(void) { return 0; }
