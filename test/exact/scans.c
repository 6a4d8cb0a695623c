/* scans.c - loops that end by what they find, of no turn up to many thousands: counted as by one hook for each access.
   Heapprof counts them at each of their exits.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: %forms %t -O1 -pthread %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread %s && %compare %t | FileCheck %s
// RUN: %compare %t --samples | FileCheck %s
// RUN: %forms %t -O2 -pthread -mllvm -heapprof-expect-samples %s && %compare %t | FileCheck %s
// RUN: %forms %t -O2 -pthread -mllvm -heapprof-inline=0 %s && %compare %t | FileCheck %s
// CHECK: {{[1-9][0-9]*}} chunks, {{[0-9]+}} reads, {{[0-9]+}} writes, 0 differ
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

struct wide {
  long key;
  char rest[9000];
};

static NOINLINE long match(const char *in, long from, long at, long n) {
  long length = 0;
  while (at + length < n && length < 200 &&
         in[from + length] == in[at + length])
    length++;
  return length;
}

static NOINLINE char *copy(char *to, const char *from) {
  while ((*to = *from++))
    to++;
  return to;
}

static NOINLINE long both(const int *a, long *b, long n) {
  long i = 0;
  do {
    b[i] += a[i];
    if (a[i] == 3)
      return i;
    b[i + 1]++;
  } while (++i < n && b[i] < 1000);
  return -i;
}

static NOINLINE const short *last(const short *p, long n, short what) {
  const short *end = p;
  for (p += n; p != end;)
    if (*--p == what)
      return p;
  return end;
}

/* No turn is complete, or the first byte is the last. */
static NOINLINE unsigned skip(const unsigned char *p, unsigned n) {
  unsigned i = 0;
  for (;; i += 2) {
    if (i >= n)
      return i;
    switch (p[i]) {
    case 0:
      return n + p[i + 1];
    case 1:
      continue;
    case 2:
      goto out;
    default:
      if (p[i + 1] == 9)
        return i + 1;
    }
  }
out:
  return i * 3;
}

/* More than fits into one call, each turn. */
static NOINLINE long far(struct wide *p, long n, long what) {
  for (long i = 0; i < n; i++) {
    if (p[i].key == what)
      return i;
    p[i].rest[8000]++;
  }
  return n;
}

static NOINLINE void *all(void *shared) {
  long sum = skip(shared, 200) + match(shared, 0, 100, 200);
  for (long n = 1; n < 100000; n = n * 3 / 2 + 1)
    for (int turn = 0; turn < 4; turn++) {
      char *text = malloc((size_t)n + 1), *to = malloc((size_t)n + 300);
      memset(text, 'a' + turn % 2, (size_t)n);
      text[n] = 0;
      for (long at = 0; at < n && at < 40; at++)
        text[at * 7 % n] = (char)(1 + at % (3 + turn));
      to[299] = 1;
      sum += copy(to + turn, text) - to;
      sum += match(text, 0, n / 3, n) + match(text, turn, n - 1, n);
      int *a = calloc((size_t)n, sizeof *a);
      long *b = calloc((size_t)n + 1, sizeof *b);
      short *c = calloc((size_t)n, sizeof *c);
      a[n - 1 - n / 4 * turn] = turn;
      c[n / 5 * turn] = 7;
      sum += both(a, b, n) + both(a, b, n / 2 + 1);
      sum += last(c, n, 7) - c + (last(c, n / 2, 8) == c);
      sum += skip((unsigned char *)text, (unsigned)n & ~1u);
      sum += skip((unsigned char *)to, turn ? (unsigned)n & ~1u : 0);
      struct wide *wide = calloc((size_t)n % 60 + 1, sizeof *wide);
      wide[n % 60].key = 5;
      sum += far(wide, n % 60 + 1, 5) + far(wide, n % 60, 5) + far(wide, 0, 5);
      free(text);
      free(to);
      free(a);
      free(b);
      free(c);
      free(wide);
    }
  return (void *)sum;
}

int main(void) {
  void *theirs;
  pthread_t thread;
  char *shared = calloc(200, 1);
  shared[0] = shared[2] = shared[4] = 1;
  long mine = (long)all(shared);
  pthread_create(&thread, NULL, all, shared);
  pthread_join(thread, &theirs);
  free(shared);
  printf("%ld %ld\n", mine, (long)theirs);
}
