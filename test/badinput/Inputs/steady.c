/* steady.c - prints a line and exits with 7, whatever becomes of its profile.
   Its arguments: how many chunks it allocates, and how many files it may open from then on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < count; i++) {
    volatile char *p = malloc((size_t)(i * 7919 % 1000 + 1));
    p[0] = (char)i;
    if (i % 3)
      free((void *)p);
  }
  if (argc > 2) {
    rlim_t files = (rlim_t)atoi(argv[2]);
    if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){files, files}))
      return 2;
  }
  return write(1, "steady\n", 7) == 7 ? 7 : 1;
}
