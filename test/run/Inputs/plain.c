/* plain.c - ten chunks that are freed and one that is kept; then it ends as it is told.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *volatile kept;

__attribute__((noinline)) static char *make(size_t size) {
  char *volatile chunk = malloc(size);
  memset(chunk, 1, size);
  return chunk;
}

int main(int argc, char **argv) {
  for (volatile int i = 0; i < 10; i++) /* not ten calls */
    free(make(100));
  kept = make(1000);
  puts("done");
  fflush(stdout);
  if (argc > 2 && strcmp(argv[1], "signal") == 0)
    raise(atoi(argv[2]));
  if (argc > 2 && strcmp(argv[1], "_exit") == 0)
    _exit(atoi(argv[2]));
  return argc > 2 ? atoi(argv[2]) : 0;
}
