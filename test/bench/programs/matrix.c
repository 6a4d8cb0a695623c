/* matrix.c - matrix SIDE ROUNDS: products of square matrices, each row a chunk of its own.
   The inner loop's base pointers come from memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>

static double **make(size_t side, unsigned seed) {
  double **rows = malloc(side * sizeof *rows);
  if (!rows)
    exit(1);
  for (size_t y = 0; y < side; y++) {
    rows[y] = malloc(side * sizeof **rows);
    if (!rows[y])
      exit(1);
    for (size_t x = 0; x < side; x++)
      rows[y][x] = (double)((y * 7 + x * 3 + seed) % 11);
  }
  return rows;
}

static void discard(double **rows, size_t side) {
  for (size_t y = 0; y < side; y++)
    free(rows[y]);
  free(rows);
}

/* In the order that walks along rows. */
static void multiply(double **to, double **a, double **b, size_t side) {
  for (size_t y = 0; y < side; y++) {
    for (size_t x = 0; x < side; x++)
      to[y][x] = 0;
    for (size_t k = 0; k < side; k++) {
      double factor = a[y][k];
      for (size_t x = 0; x < side; x++)
        to[y][x] += factor * b[k][x];
    }
  }
}

/* In the order of the definition, down the columns of B. */
static double trace(double **a, double **b, size_t side) {
  double total = 0;
  for (size_t y = 0; y < side; y++)
    for (size_t k = 0; k < side; k++)
      total += a[y][k] * b[k][y];
  return total;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  size_t side = strtoul(argv[1], NULL, 10);
  unsigned rounds = (unsigned)strtoul(argv[2], NULL, 10);
  double total = 0;
  for (unsigned round = 0; round < rounds; round++) {
    double **a = make(side, round), **b = make(side, 5), **to = make(side, 0);
    multiply(to, a, b, side);
    total += trace(to, b, side);
    discard(a, side);
    discard(b, side);
    discard(to, side);
  }
  printf("%.1f\n", total);
  return 0;
}
