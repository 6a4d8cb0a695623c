/* arrays.c - arrays ELEMENTS ROUNDS: loops over heap arrays that the compiler vectorises.
   A profiler must leave them vectorised.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>

static void combine(float *restrict to, const float *restrict a,
                    const float *restrict b, float factor, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = a[i] + factor * b[i];
}

static unsigned sum(const unsigned *values, size_t n) {
  unsigned total = 0;
  for (size_t i = 0; i < n; i++)
    total += values[i];
  return total;
}

static void step(unsigned *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    values[i] = values[i] * 3 + 1;
}

static unsigned differences(const unsigned *values, size_t n) {
  unsigned count = 0;
  for (size_t i = n - 1; i > 0; i--)
    count += (values[i] ^ values[i - 1]) & 1;
  return count;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  size_t n = strtoul(argv[1], NULL, 10);
  unsigned rounds = (unsigned)strtoul(argv[2], NULL, 10);
  float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  float *to = malloc(n * sizeof *to);
  unsigned *values = calloc(n, sizeof *values);
  if (!a || !b || !to || !values)
    return 1;
  for (size_t i = 0; i < n; i++) {
    a[i] = (float)(i % 16);
    b[i] = (float)(i % 5);
    values[i] = (unsigned)i;
  }
  unsigned total = 0;
  for (unsigned round = 0; round < rounds; round++) {
    combine(to, a, b, (float)(round % 4), n);
    step(values, n);
    total += sum(values, n) + differences(values, n);
  }
  printf("%u %.1f\n", total, (double)to[n / 2]);
  free(a);
  free(b);
  free(to);
  free(values);
  return 0;
}
