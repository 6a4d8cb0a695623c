/* object_seed.c - what fuzz_object begins with, as a library of less than 4 KiB: an inlined call, and DWARF.
   Nothing of it is run.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
int outer(volatile int *n);

static inline __attribute__((always_inline)) int twice(volatile int *n) {
  return *n * 2;
}

int outer(volatile int *n) { return twice(n) + 3; }
