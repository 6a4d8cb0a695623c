// stack-instead.c - a function allocates and frees a chunk in each of its calls, and its twin with a variable.
// Some that look alike and are right: kept from call to call, handed to the caller, of a size that no stack has.
// One of those cannot be told (TOGGLED); it only seems so, as the finding says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: for way in hooked plain; do for level in -O0 -O2; do for twin in FAULT LAST TOGGLED REPAIRED KEPT SWAPPED HANDED LARGE; do if [ $twin$level = TOGGLED-O2 ]; then continue; fi; \
// RUN:   build="%clang_heapprof"; run=; if [ $way = plain ]; then build=%clang; run=%heapprof_run; fi; \
// RUN:   cd %t.d && rm -rf heapprof.* && $build $level -g -fno-builtin -D$twin %s -o app && $run ./app 2> err || exit 1; \
// RUN:   %heapprof_score --findings heapprof.app.* | tr -s '\n ' ' ' > out && FileCheck %s --check-prefix=$twin < out || { echo $way $level $twin; cat out; exit 1; }; done; done; done
// FAULT: find (stack-instead.c:[[#]]) allocates {{[a-z]+}} of 48 B for itself, and frees each, it seems in the same call, after
// FAULT-SAME: on average: 20000 allocations
// FAULT-SAME: -> Use a variable on the stack{{(, if there is a bound to its size: 48 B were|: 48 B are)}} enough.
// FAULT-SAME: [stack_instead] point #1
// LAST: find (stack-instead.c:[[#]]) allocates {{[a-z]+}} of 48 B for itself
// LAST: [stack_instead] point #1
// TOGGLED: it seems in the same call
// REPAIRED-NOT: [stack_instead]
// KEPT-NOT: [stack_instead]
// SWAPPED-NOT: [stack_instead]
// HANDED-NOT: [stack_instead]
// LARGE-NOT: [stack_instead]
//
// Every free's stack says the same.
// RUN: cd %t.d && rm -rf heapprof.* && %clang_heapprof -O0 -g -DFAULT %s -o app && HEAPPROF_OPTIONS=free_stacks=1 ./app
// RUN: cd %t.d && %heapprof_score --findings heapprof.app.* | tr -s '\n ' ' ' | FileCheck %s --check-prefix=FAULT
#include <stdlib.h>
#include <string.h>

#if defined(LARGE)
#define SIZE 5000
#else
#define SIZE 48
#endif

static int found;

__attribute__((noinline)) static int look(const char *key) {
  return key[0] == key[SIZE - 1];
}

#if defined(REPAIRED)
__attribute__((noinline)) static void *find(int i) {
  char key[SIZE];
  memset(key, i, SIZE);
  found += look(key);
  return NULL;
}
#elif defined(KEPT)    /* freed by the next call of the same function */
__attribute__((noinline)) static void *find(int i) {
  static char *kept;
  free(kept);
  kept = i < 19999 ? malloc(SIZE) : NULL;
  if (kept) {
    memset(kept, i, SIZE);
    found += look(kept);
  }
  return NULL;
}
#elif defined(SWAPPED) /* the same, behind the next allocation */
__attribute__((noinline)) static void *find(int i) {
  static char *kept;
  char *before = kept;
  kept = i < 19999 ? malloc(SIZE) : NULL;
  if (kept) {
    memset(kept, i, SIZE);
    found += look(kept);
  }
  free(before);
  return NULL;
}
#elif defined(TOGGLED) /* by the next call, but further down */
__attribute__((noinline)) static void *find(int i) {
  static char *kept;
  if (!kept) {
    kept = malloc(SIZE);
    memset(kept, i, SIZE);
    found += look(kept);
  } else {
    found += look(kept);
    free(kept);
    kept = NULL;
  }
  return NULL;
}
#elif defined(HANDED)
__attribute__((noinline)) static void *find(int i) {
  char *key = malloc(SIZE);
  memset(key, i, SIZE);
  found += look(key);
  return key;
}
#else
__attribute__((noinline)) static void *find(int i) {
  char *key = malloc(SIZE);
  memset(key, i, SIZE);
  found += look(key);
  free(key);
#ifndef LAST /* else the function may end by a jump to free */
  found += 0 * *(volatile int *)&found;
#endif
  return NULL;
}
#endif

int main(void) {
  for (int i = 0; i < 20000; i++)
    free(find(i));
  return found == 20000 || found == 19999 ? 0 : 1;
}
