/* records.c - each function with hooks has a record, whatever the build; others have none.
   Dropped functions stay dropped: a record keeps none of them alive.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// DEFINE: %{functions} = %python %S/Inputs/hooked_functions.py %dump
// DEFINE: %{check} = %run %t && %{functions} records.c.tmp | sort -u > %t.out && not grep -E "opted_out|assembled" %t.out && FileCheck %s < %t.out
// RUN: for o in -O0 -O2 "-O2 -ffunction-sections -no-pie -fno-pie" "-O1 -mcmodel=large -no-pie -fno-pie"; do \
// RUN:   %clang_heapprof $o -fno-inline %s -o %t && %{check} || exit 1; done
// The linker drops what nobody calls, record and all.
// RUN: %clang_heapprof -O1 -fno-inline -ffunction-sections -Wl,--gc-sections %s -o %t && %{check}
// RUN: not grep dropped %t.out
// Objects of two code models in one program, in either order.
// RUN: %clang_heapprof -O1 -fno-inline -fno-pie -mcmodel=large -c %s -o %t.large.o && %clang_heapprof -O1 -fno-pie -DUSER -c %s -o %t.small.o
// RUN: for o in "%t.large.o %t.small.o" "%t.small.o %t.large.o"; do \
// RUN:   %clang_heapprof -no-pie $o -o %t && %{check} && FileCheck --check-prefix=USER %s < %t.out || exit 1; done
// A shared library has records of its own; the program has others.
// RUN: %clang_heapprof -O1 -fno-inline -shared -fPIC %s -o %t.so
// RUN: %clang_heapprof -O1 -DUSER %s -o %t.user %t.so && %run %t.user
// RUN: %{functions} .so | FileCheck %s && %{functions} .user | FileCheck --check-prefix=USER %s
// A program of objects without hooks, only linked with the runtime.
// RUN: %clang -O1 -c %s -o %t.o && %clang_heapprof %t.o -o %t.bare && %run %t.bare
// RUN: %{functions} .bare | FileCheck --check-prefix=BARE %s
// CHECK-DAG: {{^}}accessing{{$}}
// CHECK-DAG: {{^}}idle{{$}}
// CHECK-DAG: {{^}}run{{$}}
// USER: {{^}}main{{$}}
// BARE: {{^}}none{{$}}
#include <stdlib.h>

#ifdef USER
int run(void);
int main(void) { return run(); }
#else
int assembled(void);
__asm__(".globl assembled\n.hidden assembled\n.type assembled,@function\n"
        "assembled: xorl %eax, %eax\n ret\n.size assembled,.-assembled\n");
__attribute__((weak)) int accessing(int *p) { return p[0]++; }
__attribute__((weak)) int idle(int i) { return i + 1; }
__attribute__((visibility("hidden"))) int dropped(int *p) { return p[1]; }
__attribute__((disable_sanitizer_instrumentation, weak)) int opted_out(int *p) {
  return p[0];
}

__attribute__((weak)) int run(void) {
  int *p = calloc(1, sizeof *p);
  int result = accessing(p) + idle(-1) + opted_out(p) - 1 + assembled();
  free(p);
  return result;
}
__attribute__((weak)) int main(void) { return run(); }
#endif
