// memory-limits.c - ulimit -d and -v: the program gets what the plain one gets, but for what is known, and the dump is written.
// What it frees it may have again, for other sizes too, and zeroed where it is to be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: for size in 70000 100000 1000000 10000000; do for limit in DATA=300000000 AS=1000000000; do \
// RUN:   %limited $limit 95 21000000 fill $size || exit 1; done; done
// RUN: for limit in DATA=100000000 AS=100000000; do for way in again grow; do \
// RUN:   %limited $limit 100 0 $way || exit 1; done; done
// Small chunks have records, as far as there is a budget for these; a hard limit leaves room for the dump, too.
// RUN: for pair in "24 60" "100 65" "1000 80" "5000 80" "40000 80"; do \
// RUN:   %limited AS=300000000 ${pair#* } 20000000 fill ${pair% *} || exit 1; done
// RUN: for limit in SOFT_AS=300000000 DATA=300000000; do %limited $limit 80 20000000 fill 1000 || exit 1; done
// So little that before there were 44 lines, or a signal.
// RUN: for limit in AS=20000000 AS=13500000 DATA=12000000; do %limited $limit 100 0 little || exit 1; done
// What is mapped before the program has done anything, and what the thread that begins the dump has mapped by then: half a megabyte comes and goes.
// RUN: %limited AS=1000000000 100 20000000 mapped
// RUN: %limited AS=20000000 100 12000000 mapped
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t fill(size_t size) {
  size_t sum = 0;
  for (char *p; (p = malloc(size)); sum += size)
    p[0] = p[size - 1] = 1;
  return sum;
}

// Each time 40 MiB, in chunks of another size: what was given back must be there for them.
static size_t again(void) {
  static char *p[2000];
  size_t sum = 0;
  for (size_t size = 70000; size < 20000000; size += size / 5) {
    int count = 0;
    for (; count < 2000 && (count + 1) * size < 40u << 20; count++) {
      p[count] = count % 2 ? malloc(size) : calloc(1, size);
      if (!p[count])
        return sum;
      for (size_t k = 0; count % 2 == 0 && k < size; k += 500)
        if (p[count][k])
          exit(1);
      memset(p[count], 1, size);
      sum += size;
    }
    while (count)
      free(p[--count]);
  }
  return sum;
}

static size_t grow(void) {
  char *p = NULL;
  size_t size = 60000;
  for (; size < 30u << 20; size += size / 5) {
    char *new = realloc(p, size);
    if (!new || (p && new[59999] != 7))
      return 0;
    p = new;
    memset(p, 7, size);
  }
  return size;
}

// How much less than 1 GiB.
static size_t mapped(void) {
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  fscanf(f, "%lu", &pages);
  fclose(f);
  return (1ul << 30) - pages * 4096;
}

int main(int argc, char **argv) {
  size_t got = 0;
  if (!strcmp(argv[1], "fill"))
    got = fill(strtoul(argv[2], NULL, 0));
  if (!strcmp(argv[1], "again"))
    got = again();
  if (!strcmp(argv[1], "grow"))
    got = grow();
  if (!strcmp(argv[1], "mapped"))
    got = mapped();
  for (size_t size = 1; !strcmp(argv[1], "little") && size < 100000;
       size *= 2) {
    char *volatile p = malloc(size);
    got += p ? size : 0;
    free(p);
  }
  char line[40];
  return write(1, line, sprintf(line, "%zu\n", got)) < 0;
}
