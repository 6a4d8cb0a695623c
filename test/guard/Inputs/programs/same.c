/* same.c - behaves the same with heapprof; its variables are accessed in loops, by pointers and by calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <string.h>
static int squares[16];
static struct {
  int sum;
  char name[8];
} total = {1, "total"};
static int add(const int *numbers, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += numbers[i];
  return sum;
}
int main(void) {
  char copy[8];
  for (int i = 0; i < 16; i++)
    squares[i] = i * i;
  total.sum += add(squares, 16);
  memcpy(copy, total.name, sizeof copy);
  printf("%s %d\n", copy, total.sum);
  return 0;
}
