// Vector registers hold values across a hook that is called: of a chunk's first access, one that grows its interval, a
// usual one, one beyond the size, and of another thread's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for flags in '' '-mavx2' '-mavx2 -DWIDE' '-DSELDOM' '-mavx2 -DWIDE -DSELDOM' '-fPIC' '-mllvm -heapprof-ask-first=0'; do \
// RUN:   %clang_heapprof -O2 $flags -mllvm -heapprof-inline-few=0 %s -o %t -lpthread && %run %t && \
// RUN:   env HEAPPROF_OPTIONS=sample_every=2 %run %t && env HEAPPROF_OPTIONS=exact_time=1 %run %t || { echo "with $flags"; exit 1; }; done
// RUN: %clang_heapprof -O2 -mllvm -heapprof-inline-few=0 -c %s -o %t.o && llvm-objdump -d --no-show-raw-insn --disassemble-symbols=store %t.o | FileCheck %s
// RUN: %clang_heapprof -O2 -DSELDOM -mllvm -heapprof-inline-few=0 -c %s -o %t.o && llvm-objdump -d --no-show-raw-insn --disassemble-symbols=store %t.o | FileCheck %s --check-prefix=SELDOM
// The values are not put aside around the call, which would make this test say nothing.
// CHECK: <store>:
// CHECK-NOT: xmm
// CHECK: bt{{q?}} $0x2e
// CHECK-NOT: mov{{.*}}xmm
// CHECK: addsd
// SELDOM: <store>:
// SELDOM-NOT: {{\bbt|mov.*xmm.*rsp}}
// SELDOM: call
// SELDOM-NOT: {{mov.*rsp.*xmm}}
#include <pthread.h>
#include <stdlib.h>

#ifdef SELDOM // called without a question, which is another form of call
#define IF(condition) if (__builtin_expect(condition, 0))
#else
#define IF(condition)
#endif

#ifdef WIDE
typedef double value __attribute__((vector_size(32)));
#define EACH(x) ((value){(x), 2 * (x), 3 * (x), 4 * (x)})
#define LAST(v) ((v)[3] / 4)
#else
typedef double value;
#define EACH(x) ((value)(x))
#define LAST(v) (v)
#endif

__attribute__((noinline)) value store(long *p, value a, value b, value c,
                                      value d, value e, value f, value g,
                                      value h) {
  IF(p != NULL) *p = 1;
  return a + 2 * b + 4 * c + 8 * d + 16 * e + 32 * f + 64 * g + 128 * h;
}

static int wrong;

static void check(long *p) {
  value sum = store(p, EACH(1.0), EACH(2.0), EACH(3.0), EACH(4.0), EACH(5.0),
                    EACH(6.0), EACH(7.0), EACH(8.0));
  wrong |= LAST(sum) != 1 + 4 + 12 + 32 + 80 + 192 + 448 + 1024;
}

static void *other(void *p) {
  for (int i = 0; i < 3; i++)
    check((long *)p + i);
  return NULL;
}

int main(void) {
  for (int round = 0; round < 2000; round++) {
    long *p = malloc(4 * sizeof *p);
    for (int i = 3; i >= 0; i--)
      check(p + i);
    check(p + 4); // beyond what was asked for, within the slot
    if (round % 500 == 0) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, other, p))
        return 2;
      pthread_join(thread, NULL);
    }
    free(p);
  }
  return wrong;
}
