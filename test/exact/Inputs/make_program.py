#!/usr/bin/env python3
"""make_program.py SEED [c|cpp]: prints a random program that uses the heap.

The same seed gives the same program, and the program does the same in each
run.  Its functions are loops with strides forwards and backwards, loops in
loops, conditions, early exits also out of several loops and by what is found,
switches, unions, bit fields, copies, atomics, several objects and variable offsets of one base in a
loop, lists, pointers that walk to an end, allocations, reallocs and frees inside
loops, pointers passed to and from calls, calls that may not return (longjmp, throw), setjmp beside accesses,
destructors, and threads; on chunks it allocates itself.  All indexes are
masked or bounded, so that every access is within its chunk.
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
struct node {
  int64_t key; union both u; struct node *next; int32_t a[8];
  unsigned low : 5, high : 11; __attribute__((aligned(16))) float f[4];
};
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
            f"p[{index} & 3].key", f"q->a[{index} & 7]", "q->key",
            "p->low", f"p[{index} & 3].high", f"p->f[{index} & 3]",
            f"w[{self.r.randrange(8)}]", f"w[{index} & 7]",
            f"rows[{index} & 3][{self.index()} & 15]"])
        if place[0] in "abcw" and self.r.random() < 0.1:
            self.put(self.r.choice([
                f"x += (uint64_t)__atomic_fetch_add(&{place}, 1, "
                "__ATOMIC_SEQ_CST);",
                f"__atomic_store_n(&{place}, 7, __ATOMIC_RELEASE);",
                f"x ^= (uint64_t)__atomic_load_n(&{place}, __ATOMIC_RELAXED);"]))
            return
        self.put(self.r.choice([
            f"x += (uint64_t){place};",
            f"{place} += 1;",
            f"{place} = (uint8_t)x;",
            f"if ({place} > 5) x ^= 3;"]))

    def loop(self):
        i = self.name("i")
        kind = self.r.randrange(7)
        n = self.r.choice(["n", "m", str(self.r.randrange(1, 30))])
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
        self.bounded.add(i)
        self.body(self.r.randrange(1, 4))
        if self.r.random() < 0.25:
            self.put(f"if ((x & 63) == {self.r.randrange(64)}) "
                     + self.r.choice(["break;", "continue;", "return x;",
                                      "goto out;"]))
            self.body(1)
        self.loops -= 1
        self.variables.remove(i)
        self.put("}")

    def kernel(self):
        """A loop as a vectoriser likes it; n and m are below 64."""
        i = self.name("i")
        n = self.r.choice(["n", "m", "64", "61"])
        head = self.r.choice([
            f"for (long {i} = 0; {i} < {n}; {i}++)",
            f"for (long {i} = {n} - 1; {i} >= 0; {i}--)",
            f"for (long {i} = 0; {i} < {n}; {i} += 2)"])
        k = self.r.randrange(64)
        self.put(head + " " + self.r.choice([
            f"b[{i}] = a[{i}] + {k};",
            f"a[{i}] ^= c[{i}];",
            f"if (a[{i}] & 1) b[{i}] += {k};",
            f"c[{i}] = a[{i}] > {k} ? c[{i}] : 3;",
            f"x += (uint64_t)a[{i}];",
            f"d[{i}] = d[63 - {i}] * 0.5;",
            f"{{ if (c[{i}] == {k}) break; x += c[{i}]; }}",
            f"a[a[{i}] & 63] += 1;",
            f"{{ b[{i} & 31] = b[{i}] + 1; b[{i}] = 2; }}",
            f"c[{i}] = 0;",
            f"b[{i}] = b[{k}];"]))

    def scan(self):
        """A loop that ends by what it finds; accesses on both sides of exits."""
        i = self.name("i")
        n = self.r.choice(["n", "m", "64", "61"])
        k = self.r.randrange(4)
        leave = self.r.choice(["break;", "break;", "return x;", "goto out;"])
        find = self.r.choice([
            f"if ((a[{i}] & 3) == {k}) {leave}",
            f"if ((c[{i}] & 7) == {k}) {leave}",
            f"if (b[{i}] > {k} * 20) {leave}",
            f"if (a[{i}] == (int)b[{i} & 7]) {leave}",
            f"if (x & 32) {{ if (c[{i}] & 1) {leave} }}",
            f"if (c[{i}] % 5 == {k}) {{ d[{k}] += 1; {leave} }}",
            f"if ((x += c[{i}]) % 11 == {k}) {leave}"])
        act = [f"b[{i}]++;", f"c[{i}] ^= 1;", f"x += (uint64_t)d[{i}];",
               f"b[{k}] += a[{i}] & 3;", f"a[{i}] += {k}; c[63 - {i}] = 1;",
               f"if (c[{i}] & 2) b[{i}]++;", f"p[{i} & 3].key++;"]
        one, other, third = (self.r.choice(act) for _ in range(3))
        self.put(self.r.choice([
            f"for (long {i} = 0; {i} < {n}; {i}++) {{ {one} {find} {other} }}",
            f"for (int {i} = {n} - 1; {i} >= 0; {i}--) {{ {find} {other} }}",
            f"for (unsigned {i} = 63; {i} < 64; {i}--) {{ {one} {find} }}",
            f"for (long {i} = 1; {i} < 64; {i} += {k + 1}) {{ {one} {find} "
            f"{other} if (a[{i}] > 90) break; {third} }}",
            f"for (int {i} = 0; {i} < {n}; {i} += 4) {{ {find} x += "
            f"(uint64_t)a[{i}] + (uint64_t)a[{i} + 2]; {other} }}",
            f"{{ long {i} = 0; do {{ {one} {find} {other} }} "
            f"while (++{i} < 64 && (c[{i}] & 3) != {k}); x += (uint64_t){i}; }}",
            f"{{ uint8_t *t = c; while ((*t & 3) != {k} && t < c + 63) t++; "
            "x += (uint64_t)(t - c); }",
            f"{{ int64_t *t = b + 64; while (t-- != b) if (*t % 7 == {k}) "
            f"{leave} }}",
            f"{{ uint8_t *t = c; for (int *f = a; f < a + 64 && "
            f"(*t = (uint8_t)*f); f++) t++; }}",
            f"{{ long {i} = 0; while ({i} < 32 && w[{i}] == b[{i}]) {i}++; "
            f"x += (uint64_t){i}; }}",
            f"for (struct node *t = p; t < p + 4 && (t->u.whole & 3) != {k}; "
            "t++) t->a[1]++;",
            f"for (int {i} = 0; {i} < {n}; {i}++) {{ {one} switch (c[{i}] & 7) "
            f"{{ case {k}: b[1]++; return x; case 5: goto out; case 6: {one} "
            f"default:; }} {other} }}"]))

    def choose(self):
        self.put(f"switch (x & {self.r.choice([3, 7])}) {{")
        for case in range(self.r.randrange(2, 5)):
            self.put(f"case {case}:")
            self.body(1)
            if self.r.random() < 0.6:
                self.put("  break;")
        self.put("default:")
        self.body(1)
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
            f"w = b + {self.index()} % 56;",
            f"w = choose(b, {self.index()});",
            f"x += add(a + {self.index()} % 48, 16, "
            f"{self.r.choice(['1', '2', '-1'])});",
            f"fill(c + {self.index()} % 32, (long)(x & 31));",
            "p[1] = *q;",
            # a copy onto a part of itself
            f"memmove(p + 1, p, {self.r.choice(['sizeof *p', '2 * sizeof *p', '(size_t)(m & 63)'])});",
            f"memcpy(&p[{self.r.randrange(2)}].u, &p[2].a[x & 3], sizeof p->u);",
            # to the end by a pointer, from there back, and to one of two exits
            f"for (int *t = a, *end = a + {self.r.choice(['n', '64'])}; t != end; t++) {{ x += (uint64_t)*t; *t ^= 1; }}",
            f"for (int *t = a + {self.r.choice(['n', '64'])}; t-- != a;) *t += (int)(x & 1);",
            f"for (int64_t *t = b, *end = b + 64; t < end; t += {self.r.randrange(2, 8)}) *t += 3;",
            "{ uint8_t *t = c; do { if (*t == (uint8_t)x) break; *t += 1; } while (++t < c + 64 && (*t | 1) != 77); }",
            "{ long t = m & 63; do { if (a[t] == (int)(x & 255)) break; b[t]++; if (c[t] > 200) break; } "
            "while (t-- > 0); }",
            f"for (long u = 3; u >= 0; u--) for (long t = 15; t >= 0; t -= {self.r.choice(['1', '2', 's'])}) "
            "rows[u][t] += b[u * 16 + t];",
            "for (long t = 48; t >= 0; t -= 16) for (long u = 15; u >= 0; u--) a[t + u] = a[63 - t - u] + 1;",
            "p[x & 3].low += 3;", "for (int t = 0; t < 4; t++) { p[t].high = (unsigned)x + p[t].low; p[3 - t].low++; }",
            "{ char *t = (char *)malloc(1); for (unsigned k = 1; k < (x & 15) + 2; k++) { t[k - 1] = (char)k; "
            "t = (char *)realloc(t, k * k + 1); x += (uint64_t)t[k / 2 < k ? k - 1 : 0]; } free(t); }",
            "{ int64_t *t = (int64_t *)calloc(8, 8); for (int k = 0; k < 8; k++) { t[k] += k; "
            "if (k == (int)(x & 15)) t = (int64_t *)realloc(t, 128); t[0]++; } free(t); }",
            "memmove(a + 1, a, (size_t)(m & 31) * sizeof *a);",
            "*r = q = push(q, x);",
            "for (struct node *e = q; e; e = e->next) x += (uint64_t)e->key;",
            "drop(q, x);",
            f"{{ int64_t *t = rows[{self.index()} & 3]; "
            "rows[0][x & 15] ^= t[3]; t[x & 7] = 1; }",
            "for (int t = 0; t < (int)(x & 3); t++) { free(rows[t]); "
            "rows[t] = (int64_t *)calloc(16, 8); rows[t][t]++; }",
        ]
        if self.cpp:
            forms.append("{ owner o(x); if (x % 29 == 3) leave(x); "
                         "o.p[1] += (int)x & 3; x += (uint64_t)o.p[0]; }")
            forms.append("try { b[6]++; owner o(x); for (int t = 0; t < 9; t++) { c[t]++; "
                         "if (x % 13 == (uint64_t)t) leave(x); b[7] += o.p[0]; } } "
                         "catch (stop &e) { b[8] += (int64_t)(e.x & 7); c[9]++; }")
        elif not self.loops:
            forms.append("{ jmp_buf here; b[1]++; if (!setjmp(here)) { "
                         "b[2]++; jump(here, b, x); b[3]++; } else b[4]++; }")
            forms.append("{ jmp_buf here; volatile int t = 0; if (setjmp(here) < 9) { t++; b[t & 7]++; "
                         "for (int k = 0; k < t; k++) a[k & 63]++; if (t < 5) jump(here, b, x | 2); c[t & 63]++; } }")
        self.put(self.r.choice(forms))

    def body(self, count):
        self.depth += 1
        for _ in range(count):
            choice = self.r.random()
            if choice < 0.2 and self.loops < 3 and self.depth < 6:
                self.loop()
            elif choice < 0.35 and self.depth < 7:
                self.condition()
            elif choice < 0.38 and self.depth < 6:
                self.choose()
            elif choice < 0.43:
                self.kernel()
            elif choice < 0.5:
                self.scan()
            elif choice < 0.57:
                self.call()
            else:
                for _ in range(self.r.randrange(1, 4)):
                    self.access()
        self.depth -= 1

    def function(self, name):
        self.put(f"static NOINLINE uint64_t {name}(int *a, int64_t *b, "
                 "uint8_t *c, double *d,")
        self.put("    struct node *p, struct node **r, int64_t **rows, int n, "
                 "long m, long s, uint64_t x) {")
        self.variables, self.bounded, self.loops = ["n", "m"], {"n", "m"}, 0
        self.depth = 1
        self.put("struct node *q = *r;")
        self.put("int64_t *w = b + (x & 31);")
        self.depth = 0
        self.body(self.r.randrange(3, 7))
        self.put("out:")
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
}
static struct node *push(struct node *q, uint64_t x) {
  static int pushed;
  if (++pushed > 400)
    return q;
  struct node *fresh = (struct node *)calloc(1, sizeof *fresh);
  fresh->key = (int64_t)(x & 255);
  fresh->next = q;
  return fresh;
}
static NOINLINE void drop(struct node *q, uint64_t x) {
  while (q->next) {
    struct node *rest = q->next->next;
    if (q->next->key == (int64_t)(x & 255))
      return;
    free(q->next);
    q->next = rest;
  }
}
static NOINLINE int64_t *choose(int64_t *b, uint64_t x) {
  return b + (x & 31) + (x & 1 ? b[x & 63] & 7 : 0);
}
static uint64_t add(int *a, int n, int step) {
  uint64_t sum = 0;
  for (int i = step < 0 ? n - 1 : 0; step < 0 ? i >= 0 : i < n; i += step)
    sum += (uint64_t)a[i];
  return sum;
}
static NOINLINE void fill(uint8_t *c, long n) {
  do
    *c++ = (uint8_t)n;
  while (n-- > 0);
}""")
        if self.cpp:
            self.put("""struct owner {
  int *p;
  explicit owner(uint64_t x) : p(new int[4]()) { p[0] = (int)(x & 15); }
  ~owner() { sink = (uint64_t)p[1]; delete[] p; }
};""")
        else:
            self.put("""static NOINLINE void jump(jmp_buf here, int64_t *b, uint64_t x) {
  b[5]++;
  if (x & 2)
    longjmp(here, 1);
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
        self.put("  int64_t **rows = (int64_t **)malloc(4 * sizeof *rows);")
        self.put("  for (int i = 0; i < 4; i++)")
        self.put("    rows[i] = (int64_t *)calloc(16, sizeof **rows);")
        self.put(f"  for (volatile int turn = 0; turn < 12; turn++) {{ {guard[0]}")
        for name in functions:
            n = self.r.choice(["32", "turn", "turn * 5"])
            m = self.r.choice(["0", "1", "turn * 2", "17"])
            self.put(f"    x += {name}(a, b, c, d, p, r, rows, {n}, {m}, "
                     f"1 + (turn & 3), x);")
        self.put(f"  {guard[1]} }}")
        self.put("  *(uint64_t *)start = x;")
        self.put("  for (int i = 0; i < 4; i++) free(rows[i]);")
        self.put("  free(a); free(b); free(c); free(p); free(rows);")
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
