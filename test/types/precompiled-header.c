// A precompiled header is made and used with the same flags, in every action.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && mkdir %t
// RUN: echo '#include <stdlib.h>' > %t/all.h && echo 'struct Q { int a, b; };' >> %t/all.h
// RUN: echo 'static inline struct Q *in_header(void *(*get)(size_t)) { return get(102); }' >> %t/all.h
// RUN: %clang_heapprof -x c-header %t/all.h -o %t/all.h.pch
// RUN: %clang_heapprof -include-pch %t/all.h.pch -fsyntax-only %s
// RUN: %clang_heapprof -include-pch %t/all.h.pch %s -o %t/program
// RUN: %run %t/program
// RUN: %if llvm-22 %{ %check_types %}
//
// Made by the plain compiler it is refused, not silently misread.
// RUN: %if llvm-22 %{ %clang -x c-header %t/all.h -o %t/plain.pch %}
// RUN: %if llvm-22 %{ not %clang_heapprof -include-pch %t/plain.pch -c %s -o %t/o 2>&1 | FileCheck %s %}
// CHECK: error: {{.*}}precompiled file '{{.*}}plain.pch'
int main(void) {
  struct Q *q = malloc(101); // TYPE 101 argument Q
  free(q);
  free(in_header(malloc)); // TYPE 102 wrapper Q
  return 0;
}
