// sweep.c - a setting that saves calls of the system is recommended, with what it gains; where none does, that is said.
// With less than three rounds times decide nothing, so that the machine's load does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang %s -o %t
// RUN: %heapprof_allocators --repeat 1 --no-meter --sweep top_pad=128K,64M --json -o %t.json %t grow && %python %S/Inputs/sweep.py %t.json | FileCheck --match-full-lines %s
// RUN: %heapprof_allocators --repeat 1 --no-meter --sweep glibc.malloc.top_pad=64M %t grow 2>&1 | FileCheck --check-prefix=TABLE %s
// RUN: %heapprof_allocators --repeat 1 --no-meter --sweep top_pad=64M %t 2>&1 | FileCheck --check-prefix=NOTHING %s
// What the environment has already stays; a comma of a value is written with a backslash.
// RUN: env GLIBC_TUNABLES=glibc.malloc.top_pad=67108864 %heapprof_allocators --repeat 1 --no-meter --sweep mmap_threshold=1M --sweep 'MALLOC_CONF=narenas:1\,tcache:false' --json -o %t.json %t grow
// RUN: %python %S/Inputs/sweep.py %t.json | FileCheck --check-prefix=KEPT --match-full-lines %s
// REQUIRES: jemalloc
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; argc > 1 && i < 8192; i++)
    if (!malloc(65536))
      return 1;
  return 0;
}

// CHECK: glibc None few=False
// CHECK: glibc top_pad=128K GLIBC_TUNABLES=glibc.malloc.top_pad=131072 few=False
// CHECK: glibc top_pad=64M GLIBC_TUNABLES=glibc.malloc.top_pad=67108864 few=True
// CHECK: recommended 2 GLIBC_TUNABLES=glibc.malloc.top_pad=67108864 fewer=True
// TABLE: recommended: GLIBC_TUNABLES=glibc.malloc.top_pad=67108864: peak RSS {{.*}}MiB -> {{.*}}MiB, calls of brk, mmap, munmap, mremap, madvise {{[0-9]+}} -> {{[0-9]?[0-9]}}, page faults
// NOTHING: recommended: nothing gained: keep what the program has
// KEPT: glibc None few=True
// KEPT: glibc mmap_threshold=1M GLIBC_TUNABLES=glibc.malloc.top_pad=67108864:glibc.malloc.mmap_threshold=1048576 few=True
// KEPT: jemalloc MALLOC_CONF=narenas:1,tcache:false LD_PRELOAD={{.*}}libjemalloc.so.2 MALLOC_CONF=narenas:1,tcache:false few={{.*}}
