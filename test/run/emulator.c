// emulator.c - QEMU's user mode runs a program of its own in itself, with its environment: it is profiled, and the other one gets no runtime, which would
// have it keep something for each page of 12 TiB, until there is no memory.  A whole machine's QEMU is a program like others, and its children are followed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 %s -o qemu-x86_64 && cp qemu-x86_64 qemu-system-x86_64 && cp qemu-x86_64 app
// RUN: cd %t.d && %heapprof_run ./qemu-x86_64 2> err | FileCheck --check-prefix=NONE %s && count 1 < err && ls -d heapprof.qemu-x86_64.*
// RUN: cd %t.d && env LD_PRELOAD=libm.so.6 %heapprof_run ./qemu-x86_64 2> err | FileCheck --check-prefix=OTHER %s
// RUN: cd %t.d && for a in qemu-system-x86_64 app; do %heapprof_run ./$a 2> err | FileCheck --check-prefix=LIBRARY %s && ls -d heapprof.$a.* || exit 1; done
// NONE: preloaded: nothing{{$}}
// OTHER: preloaded: libm.so.6{{$}}
// LIBRARY: preloaded: {{.*}}libheapprof_preload.so{{$}}
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const char *list = getenv("LD_PRELOAD");
  printf("preloaded: %s\n", list ? list : "nothing");
  return 0;
}
