// address-taken.cpp - a program that is not position-independent and takes the address of malloc has it at a stub of its own, for all libraries:
// that is no malloc of the program's. What operator new allocates has no frame of ours in its stack, and --allocator=program is obeyed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clangxx -O1 -g -fno-pic -fno-pie -no-pie %s -o app && ./app > plain
// The case is there: the address is one of the program's own.
// RUN: readelf -W --dyn-syms %t.d/app | FileCheck --check-prefix=STUB %s
// RUN: cd %t.d && %heapprof_run -q -o run ./app > out && diff plain out && %heapprof_score --stacks --limit 0 run/* > stacks && FileCheck %s < stacks && not grep -q libheapprof stacks
// RUN: cd %t.d && %heapprof_run -q -o beside --allocator=program ./app > out && diff plain out && %heapprof_score beside/* | tr -s ' \n' ' ' | FileCheck --check-prefix=BESIDE %s
// STUB: 000401{{[0-9a-f]*}} 0 FUNC GLOBAL DEFAULT UND malloc@
// CHECK: 2.93KiB
// CHECK: #0 main {{.*}}address-taken.cpp
// BESIDE: chunks are those of the program's own allocator
#include <cstdio>
#include <cstdlib>

static void *(*volatile take)(size_t);

int main() {
  take = malloc;
  void *volatile first = take(1000);
  int *volatile second = new int[750];
  second[7] = 7;
  std::printf("%d\n", second[7]);
  delete[] second;
  free(first);
  return 0;
}
