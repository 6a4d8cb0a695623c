// page.c - a report of this program, opened and used in a headless browser.
// Without Chromium and its driver there is no such test; document.test has the numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver, llvm-22
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_report %dump/heapprof.* -o %t.html && %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %python %S/Inputs/use_page.py %t.html %t.json
#include <stdlib.h>

static char *kept[10];

__attribute__((noinline)) void keep(int i) {
  char *unread = malloc(700);
  kept[i] = unread;
}

__attribute__((noinline)) int churn(int i) {
  int *numbers = malloc(16 * sizeof *numbers);
  for (int k = 0; k < 16; k++)
    numbers[k] = i + k;
  int sum = 0;
  for (int k = 0; k < 16; k++)
    sum += numbers[k];
  free(numbers);
  return sum;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    keep(i);
  for (int i = 0; i < 300; i++)
    sum += churn(i);
  return sum == 1;
}
