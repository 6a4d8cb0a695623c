/* hinted-places.c - a program that asks for memory at a hint, as mimalloc does from 2 TiB on: where no addresses are reserved for the heap, since they
   are limited, it gets another place.  What it had there was taken for chunks, and a memset in it ended the program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -fno-builtin %s -o app && %clang_heapprof -O1 -fno-builtin %s -o built
// RUN: cd %t.d && bash -c 'ulimit -v 40000000 && exec %heapprof_run -q ./app' > out 2> err && FileCheck %s < out && count 0 < err
// RUN: cd %t.d && HEAPPROF_OPTIONS=dump_dir=d bash -c 'ulimit -v 40000000 && exec ./built' > out 2> err && FileCheck %s < out && count 0 < err
// RUN: cd %t.d && bash -c 'ulimit -v 40000000 && exec %heapprof_run -q --allocator=program ./app' > out 2> err && FileCheck %s < out && count 0 < err
// CHECK: done
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t size = 1 << 20;

int main(void) {
  free(malloc(100));
  for (uintptr_t place = (uintptr_t)1 << 40; place < (uintptr_t)90 << 40;
       place += (uintptr_t)1 << 39) {
    char *p = mmap((void *)(place + (32 << 20)), size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
      return 1;
    memset(p, 1, size);
    memcpy(p + 100, p, 1000);
    if (p[size - 1] != 1 || munmap(p, size) != 0)
      return 2;
  }
  puts("done");
  return 0;
}
