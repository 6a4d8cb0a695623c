// followed.cpp - what is left out because it is not the heap's, beside the heap's in the same forms.
// Pointers come from callers, callees, tables of functions, libc and variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %forms %t -O1 %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 %s && %compare %t | FileCheck %s
// RUN: %forms %t -O3 %s && %compare %t | FileCheck %s
// CHECK: {{[0-9]+}} chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
// RUN: %clangxx_heapprof -O2 -mllvm -heapprof-stats -c -o %t.o %s 2>&1 | FileCheck --check-prefix=STATS %s
// STATS-DAG: heapprof-stats: SkippedRead {{[1-9]}}
// STATS-DAG: heapprof-stats: SkippedPassed {{[1-9]}}
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define NOINLINE __attribute__((noinline))

struct Pair {
  long a, b;
};

// The stack and globals alone.
NOINLINE static void onlyStack(Pair *p, long n) {
  p->a += n;
  p->b -= n;
}

// The heap, too.
NOINLINE static void both(Pair *p, long n) {
  p->a += n;
  p->b -= n;
}

// The heap through a pointer to the function.
NOINLINE static void taken(Pair *p, long n) {
  p->a += n;
  p->b += 2 * n;
}
void (*volatile pointer)(Pair *, long) = taken;

static Pair global;
NOINLINE static Pair *notHeap(long i) { return i & 1 ? &global : nullptr; }
NOINLINE static Pair *sometimesHeap(Pair *heap, long i) {
  return i & 1 ? &global : heap;
}

// One never points to the heap, the other does at last.
static Pair *fixed = &global, *moving = &global;

struct Shape {
  long side = 1;
  virtual ~Shape() = default;
  virtual long area() const { return side * side; }
};
struct Half : Shape {
  long area() const override { return side * side / 2; }
};

NOINLINE static long sum(const Shape *const *shapes, long n) {
  long total = 0;
  for (long i = 0; i < n; i++)
    total += shapes[i]->area();
  return total;
}

NOINLINE static long words(const char *text) {
  long count = 0;
  for (; *text; text++) {
    errno = 0;
    if (isspace(static_cast<unsigned char>(*text)) && errno == 0)
      count++;
    count += toupper(static_cast<unsigned char>(*text)) == 'E';
  }
  return count;
}

int main() {
  long total = 0;
  for (long i = 0; i < 100; i++) {
    Pair local = {i, i}, *heap = new Pair{i, 1};
    onlyStack(&local, i);
    onlyStack(&global, i);
    both(&local, i);
    both(heap, i);
    pointer(heap, i);
    pointer(&local, i);
    if (Pair *p = notHeap(i))
      p->a += i;
    sometimesHeap(heap, i)->b += i;
    if (i > 50)
      moving = heap;
    fixed->a++;
    moving->a++;

    Pair *choices[3] = {&local, &global, &local};
    choices[i % 3]->b++;
    choices[i % 2] = heap;
    choices[i % 3]->b++;

    Half half;
    Shape *shapes[] = {new Shape, new Half, &half};
    total += sum(shapes, 3);
    delete shapes[0];
    delete shapes[1];

    char *text = strdup("so many words, here and there");
    total += words(text) + words("a b");
    free(text);
    total += local.a + local.b + heap->a + heap->b;
    if (i <= 50)
      delete heap;
  }
  printf("%ld %ld %ld\n", total, global.a, global.b);
}
