// overwritten-record.c - a program that writes ahead of its chunks and beyond their ends goes on as it would.
// The records there lose what they knew: one line says so, and the dump names the chunks; all others are as ever.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O2; do %clang_heapprof $level -g %s -o %t; for wrong in "0 32 0" "255 32 0" "7 32 0" "7 32 31" "0 32 24"; do \
// RUN:   %run %t $wrong > %t.out 2> %t.err || exit 1; \
// RUN:   echo 4950 | diff - %t.out && grep -c . %t.err | grep -x 1 && \
// RUN:   FileCheck --check-prefix=LINE --input-file=%t.err %s && %expect %dump || exit 1; done; done
// LINE: the program wrote ahead of a chunk of 88 bytes or beyond the end of its neighbour; what is known of its accesses is lost
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 100, SIZE = 88 };

__attribute__((noinline)) static unsigned char *row(void) {
  return malloc(SIZE);
}
__attribute__((noinline)) static unsigned char *other(void) {
  return malloc(4000);
}

int main(int argc, char **argv) {
  unsigned char *rows[COUNT], *whole = other();
  const int byte = atoi(argv[1]);
  const volatile size_t ahead = (size_t)atoi(argv[2]),
                        less = (size_t)atoi(argv[3]);
  for (int i = 0; i < COUNT; i++) {
    rows[i] = row();
    memset(rows[i], i, SIZE);
  }
  memset(whole, 1, 4000);
  for (int i = 10; i < 20; i++)
    memset(rows[i] - ahead, byte, ahead - less);
  unsigned sum = 0;
  for (int i = 0; i < COUNT; i++) {
    sum += rows[i][7];
    if (i != 15)
      rows[i] = realloc(rows[i], 100); /* the record is asked once more */
  }
  for (int i = 0; i < COUNT; i++)
    if (i != 15)
      free(rows[i]);
  free(whole);
  printf("%u\n", sum);
  return 0;
}
// EXPECT: len(chunks(size=88)) == 100
// EXPECT: sum("OVERRUN" in c.flags for c in chunks(size=88)) == 10
// EXPECT: all(c.writes == 0 and c.hi == 0 for c in chunks(size=88) if "OVERRUN" in c.flags and "REALLOC" not in c.flags)
// EXPECT: sum(c.writes == 1 and c.hi == 88 for c in chunks(size=88)) == 90
// EXPECT: (chunk(size=4000).writes, chunk(size=4000).hi) == (1, 4000)
