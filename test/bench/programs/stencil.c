/* stencil.c - stencil SIDE ROUNDS: each inner point of a square grid becomes the mean of its five neighbours.
   Two grids on the heap change places after each round.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>

static void relax(const double *from, double *to, size_t side) {
  for (size_t y = 1; y + 1 < side; y++)
    for (size_t x = 1; x + 1 < side; x++) {
      size_t at = y * side + x;
      to[at] = 0.2 * (from[at] + from[at - 1] + from[at + 1] + from[at - side] +
                      from[at + side]);
    }
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  size_t side = strtoul(argv[1], NULL, 10);
  unsigned rounds = (unsigned)strtoul(argv[2], NULL, 10);
  double *from = calloc(side * side, sizeof *from);
  double *to = calloc(side * side, sizeof *to);
  if (!from || !to)
    return 1;
  for (size_t i = 0; i < side; i++)
    from[i] = to[i] = (double)i;
  for (unsigned round = 0; round < rounds; round++) {
    relax(from, to, side);
    double *done = to;
    to = from;
    from = done;
  }
  printf("%.9f\n", from[side + side / 2]);
  free(from);
  free(to);
  return 0;
}
