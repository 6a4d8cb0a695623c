/* form.c - reads a variable once more in the form that has one hook for each access.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>
#include <unistd.h>
static volatile int variable;
int main(void) {
  char path[4096] = "";
  readlink("/proc/self/exe", path, sizeof path - 1);
  if (strstr(path, "naive"))
    variable++;
  return 0;
}
