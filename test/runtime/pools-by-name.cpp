// pools-by-name.cpp - a program's allocators are pools by their names alone, through templates, exceptions and inlining; types are those of the calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: cd %t.d && %clangxx_heapprof -O0 -g %s -o o0 -mllvm '-heapprof-pools=Arena::take*:Arena::give:-:Arena::reset,grab:drop,regrab:regrab'
// RUN: cd %t.d && %clangxx_heapprof -O2 -g %s -o o2 -mllvm '-heapprof-pools=Arena::take*:Arena::give:-:Arena::reset,grab:drop' -mllvm '-heapprof-pools=regrab:regrab'
// RUN: cd %t.d && for o in o0 o2; do HEAPPROF_OPTIONS=leak_check=0 ./$o && %heapprof_score --limit 0 --json heapprof.$o.* | %python %S/Inputs/pools.py > $o.out && FileCheck %s < $o.out || exit 1; done
// CHECK-DAG: Arena::take by nodes(Arena&): 200 of 4800, type {{node|None}}, reads 200, writes 200, accessed 1600, live 0
// CHECK-DAG: Arena::take by zeroed(Arena&): 5 of 500, type {{char|None}}, reads 5, writes 0, accessed 5, live 0
// CHECK-DAG: grab by grabbed(): 3 of 24, type {{long|None}}, reads 0, writes 3, accessed 24, live 0
// CHECK-DAG: regrab by grabbed(): 3 of 48, type {{long|None}}, reads 0, writes 3, accessed 24, live 0
// CHECK-DAG: block by {{Arena::Arena\(\)|main}}: 2 of 32768 into 205 of 5300, most 4900
// CHECK-NOT: note:
#include <cstdlib>
#include <cstring>

#define SITE __attribute__((noinline))

struct node {
  long value, unused[2];
};

class Arena {
public:
  Arena() : block((char *)malloc(16384)) {}
  ~Arena() { free(block); }
  void *take(size_t size) {
    if (used + size > 16384)
      throw 1;
    void *p = block + used;
    used += (size + 15) / 16 * 16;
    return p;
  }
  /* It asks for it itself. */
  void *takeZeroed(size_t size) { return memset(take(size), 0, size); }
  void give(void *) {}
  void reset() { used = 0; }

private:
  char *block;
  size_t used = 0;
};

SITE static long nodes(Arena &a) {
  long sum = 0;
  for (int i = 0; i < 100; i++) {
    volatile node *n = static_cast<node *>(a.take(sizeof(node)));
    n->value = i;
    sum += n->value;
  }
  return sum;
}

SITE static long zeroed(Arena &a) {
  long sum = 0;
  for (int i = 0; i < 5; i++) {
    volatile char *p = (char *)a.takeZeroed(100);
    sum += p[50];
    a.give((void *)p);
  }
  return sum;
}

static char *slab;
SITE static void *grab(size_t size) { return slab + 16 * (3 - size / 8); }
SITE static void drop(void *p) { *(volatile char *)&slab[100] = !p; }
SITE static void *regrab(void *p, size_t size) {
  return (char *)p + 64 + size - size;
}

SITE static void grabbed() {
  slab = (char *)malloc(128);
  for (int i = 0; i < 3; i++) {
    volatile long *p = (long *)grab(sizeof *p);
    *p = i;
    p = (long *)regrab((void *)p, 2 * sizeof *p);
    *p = i;
    drop((void *)p);
  }
  /* As of another allocator of the program, which keeps a head before it. */
  char *headed = (char *)malloc(64);
  drop(headed + 8);
  free(headed);
  free(slab);
}

int main() {
  Arena a, b;
  long sum = nodes(a) + zeroed(a);
  a.reset();
  try {
    (void)(char *)b.take(20000);
  } catch (int) {
    sum += nodes(b);
  }
  grabbed();
  return sum == 9900 ? 0 : 1;
}
