/* arrays.c - arrays of int: width 4, each access has 4 bytes.
   Totals: 14 blocks, 4860 bytes in 6 stacks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

enum { N = 100 };

static int *filled(int n) {
  int *a = malloc((size_t)n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
  return a;
}

static int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

int main(void) {
  int result = 0;
  int *a = filled(N); /* 400 bytes; 100 writes, 300 reads in all */
  result += sum(a, N) - sum(a, N) + sum(a, N);
  int *zero = calloc(N, sizeof *zero); /* 400; 100 reads */
  result += sum(zero, N);
  int *sparse = malloc(N * sizeof *sparse); /* 400; 10 read-writes */
  for (int i = 0; i < N; i += 10)
    sparse[i] = 0;
  for (int i = 0; i < N; i += 10)
    sparse[i]++;
  for (int i = 1; i <= 9; i++) { /* 9 blocks, 180 bytes */
    int *growing = filled(i);
    result += growing[i - 1] - (i - 1);
    free(growing);
  }
  int *last = malloc(0); /* a block of no bytes */
  int *half = filled(870);
  half[0] = half[869];
  free(half);
  free(last);
  free(sparse);
  free(zero);
  free(a);
  return result == 4950 ? 0 : 1;
}
