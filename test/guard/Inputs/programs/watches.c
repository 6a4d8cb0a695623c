/* watches.c - prints another line when it is profiled.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  puts(getenv("HEAPPROF_OPTIONS") ? "profiled" : "plain");
  return 0;
}
