#!/usr/bin/env python3
"""make_program.py SEED [c|cpp]: prints a random program that uses the heap.

The same seed gives the same program, and the program does the same in each
run.  Its functions are loops with strides forwards and backwards, loops in
loops, conditions, early exits, unions, frees inside loops, calls that may not
return (longjmp, throw), and threads; on chunks it allocates itself.  All
indexes are masked, so that every access is within its chunk.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import random
import sys

HEAD = """
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
union both { uint64_t whole; uint32_t half[2]; uint8_t byte[8]; };
struct node { int64_t key; union both u; struct node *next; int32_t a[8]; };
static volatile uint64_t sink;
static uint64_t state = 1;
static uint32_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}
"""


class Program:
    def __init__(self, seed, cpp):
        self.r = random.Random(seed)
        self.cpp = cpp
        self.lines = []
        self.depth = 0
        self.fresh = 0

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def index(self):
        """An index below 64, from the loop variables in sight."""
        one = self.r.choice(self.variables)
        other = self.r.choice(self.variables)
        form = self.r.randrange(6)
        return {
            0: f"({one} & 63)",
            1: f"(({one} + {self.r.randrange(9)}) & 63)",
            2: f"((63 - {one}) & 63)",
            3: f"(({one} * {self.r.randrange(1, 5)} + {other}) & 63)",
            4: str(self.r.randrange(64)),
            5: f"{one}" if one in self.bounded else f"({one} & 63)",
        }[form]

    def access(self):
        index = self.index()
        place = self.r.choice([
            f"a[{index}]", f"b[{index}]", f"a[{index}]", f"c[{index}]",
            f"d[{index}]", "p->key", "p->u.whole",
            f"p->u.half[{self.r.randrange(2)}]",
            f"p->u.byte[{index} & 7]", f"p->a[{index} & 7]",
            f"p[{index} & 3].key", f"q->a[{index} & 7]", "q->key"])
        self.put(self.r.choice([
            f"x += (uint64_t){place};",
            f"{place} += 1;",
            f"{place} = ({'double' if place[0] == 'd' else 'uint8_t'})x;",
            f"if ({place} > 5) x ^= 3;"]))

    def loop(self):
        i = self.name("i")
        kind = self.r.randrange(7)
        n = self.r.choice(["n", "m", str(self.r.randrange(1, 30))])
        bounded = True
        if kind == 0:
            head = f"for (int {i} = 0; {i} < {n}; {i}++) {{"
        elif kind == 1:
            head = f"for (long {i} = {n} - 1; {i} >= 0; {i}--) {{"
        elif kind == 2:
            head = (f"for (unsigned {i} = 0; {i} < (unsigned){n}; "
                    f"{i} += {self.r.randrange(2, 5)}) {{")
        elif kind == 3:
            head = f"for (long {i} = {n} - 1; {i} >= 0; {i} -= s) {{"
        elif kind == 4:
            head = f"for (long {i} = 0; {i} < {n}; {i} += s) {{"
        elif kind == 5:
            head = f"for (uint64_t {i} = x & 31; {i}; {i} >>= 1) {{"
        else:
            outer = [v for v in self.variables if v in self.bounded]
            first = self.r.choice(outer) if outer else "0"
            head = f"for (long {i} = {first}; {i} < {n}; {i}++) {{"
        self.put(head)
        self.variables.append(i)
        self.loops += 1
        if bounded:
            self.bounded.add(i)
        self.body(self.r.randrange(1, 4))
        if self.r.random() < 0.25:
            self.put(f"if ((x & 63) == {self.r.randrange(64)}) "
                     + self.r.choice(["break;", "continue;", "return x;"]))
            self.body(1)
        self.loops -= 1
        self.variables.remove(i)
        self.put("}")

    def condition(self):
        self.put(f"if (x & {1 << self.r.randrange(6)}) {{")
        self.body(self.r.randrange(1, 3))
        if self.r.random() < 0.5:
            self.put("} else {")
            self.body(self.r.randrange(1, 3))
        self.put("}")

    def call(self):
        forms = [
            "x += opaque(x);",
            "{ long *t = (long *)malloc(24); t[1] = (long)x; x += t[1]; "
            "free(t); }",
            "memset(c, (int)x & 1, (size_t)n);",
            "memcpy(b, a, 16 * sizeof *b);",
            "*r = q = renew(q, x);",
            "if ((x & 1023) == 77) leave(x);",
            "x += (uint64_t)(x & 1 ? p : q)->key;",
        ]
        self.put(self.r.choice(forms))

    def body(self, count):
        self.depth += 1
        for _ in range(count):
            choice = self.r.random()
            if choice < 0.2 and self.loops < 3 and self.depth < 6:
                self.loop()
            elif choice < 0.35 and self.depth < 7:
                self.condition()
            elif choice < 0.42:
                self.call()
            else:
                for _ in range(self.r.randrange(1, 4)):
                    self.access()
        self.depth -= 1

    def function(self, name):
        self.put(f"static NOINLINE uint64_t {name}(int *a, int64_t *b, "
                 "uint8_t *c, double *d,")
        self.put("    struct node *p, struct node **r, int n, long m, "
                 "long s, uint64_t x) {")
        self.variables, self.bounded, self.loops = ["n", "m"], {"n", "m"}, 0
        self.depth = 1
        self.put("struct node *q = *r;")
        self.depth = 0
        self.body(self.r.randrange(3, 7))
        self.put("  return x;")
        self.put("}")

    def whole(self):
        self.put(HEAD)
        if self.cpp:
            self.put("struct stop { uint64_t x; };")
            self.put("static NOINLINE void leave(uint64_t x) "
                     "{ throw stop{x}; }")
        else:
            self.put("static __thread jmp_buf out;")
            self.put("static NOINLINE void leave(uint64_t x) "
                     "{ longjmp(out, 1 + (int)(x & 7)); }")
        self.put("static NOINLINE uint64_t opaque(uint64_t x) "
                 "{ sink = x; return x >> 3; }")
        self.put("""static NOINLINE struct node *renew(struct node *q, uint64_t x) {
  if (x & 4) {
    struct node *fresh = (struct node *)calloc(1, sizeof *fresh);
    fresh->key = q->key;
    free(q);
    return fresh;
  }
  q->a[x & 7]++;
  return (struct node *)realloc(q, sizeof *q);
}""")
        functions = [f"f{i}" for i in range(4)]
        for name in functions:
            self.function(name)
        guard = ("try {", "} catch (stop &s) { x += s.x; }") if self.cpp else \
            ("if (!setjmp(out)) {", "}")
        self.put("static void *run(void *start) {")
        self.put("  volatile uint64_t x = *(uint64_t *)start;")
        self.put("  int *a = (int *)calloc(64, sizeof *a);")
        self.put("  int64_t *b = (int64_t *)calloc(64, sizeof *b);")
        self.put("  uint8_t *c = (uint8_t *)calloc(64, 1);")
        self.put("  double *d = (double *)calloc(64, sizeof *d);")
        self.put("  struct node *p = (struct node *)calloc(4, sizeof *p);")
        self.put("  struct node **r = (struct node **)malloc(sizeof *r);")
        self.put("  *r = (struct node *)calloc(1, sizeof **r);")
        self.put(f"  for (volatile int turn = 0; turn < 12; turn++) {{ {guard[0]}")
        for name in functions:
            n = self.r.choice(["32", "turn", "turn * 5"])
            m = self.r.choice(["0", "1", "turn * 2", "17"])
            self.put(f"    x += {name}(a, b, c, d, p, r, {n}, {m}, "
                     f"1 + (turn & 3), x);")
        self.put(f"  {guard[1]} }}")
        self.put("  *(uint64_t *)start = x;")
        self.put("  free(a); free(b); free(c); free(p);")
        self.put("  return d;")
        self.put("}")
        self.put("""int main(void) {
  uint64_t *x = (uint64_t *)malloc(3 * sizeof *x);
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) {
    x[i] = draw();
    pthread_create(&thread[i], NULL, run, &x[i]);
    void *d;
    pthread_join(thread[i], &d);
    x[i] += (uint64_t)((double *)d)[i] != 0;
    free(d);
  }
  printf("%llx %llx %llx\\n", (unsigned long long)x[0],
         (unsigned long long)x[1], (unsigned long long)x[2]);
}""")
        return "\n".join(self.lines)


if __name__ == "__main__":
    print(Program(int(sys.argv[1]), sys.argv[2:] == ["cpp"]).whole())
