// start-order.cpp - the runtime is started before any constructor of the program.
// Also in a shared library, which has a constructor of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -c %S/Inputs/hook-recorder.c -o %t.rec.o
// RUN: %clangxx -I%S/Inputs -O1 -fPIC -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 -DLIBRARY -shared %s -o %t.so
// RUN: %clangxx -I%S/Inputs -O1 -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 %s %t.rec.o -rdynamic %t.so -o %t
// RUN: %t | FileCheck %s
// RUN: %clangxx -I%S/Inputs -O1 -no-pie -fpass-plugin=%pass -Xclang -load -Xclang %pass -mllvm -heapprof-optimise=0 %s %t.rec.o -rdynamic %t.so -o %t
// RUN: %t | FileCheck %s
#include "hook-recorder.h"
#include <cstdio>

// CHECK: library: 1
// CHECK: program: 2
// CHECK: earliest: 2
// CHECK: main: 2
#ifdef LIBRARY
struct Early {
  Early() { std::printf("library: %d\n", recorder_started()); }
} early;
#else
int seen;
__attribute__((constructor(101))) static void first() {
  seen = recorder_started();
}
struct Early {
  Early() {
    std::printf("program: %d\nearliest: %d\n", recorder_started(), seen);
  }
} early;
int main() { std::printf("main: %d\n", recorder_started()); }
#endif
