/* beyond-size-inside-slot.c - an access beyond the requested size but inside the usable one.
   The interval is clamped to the size, the chunk is flagged, and the access counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  volatile char *clean = malloc(20);
  clean[19] = 1; /* the last byte is no overrun */
  volatile char *past = malloc(21);
  past[3] = 1;
  past[24] = 1; /* byte 24 of 21: counts, moves nothing */
  char *across = malloc(22);
  *(volatile uint64_t *)(across + 16) = 1; /* bytes 16..23 of 22 */
  char *only = malloc(23);
  (void)*(volatile char *)(only + 23); /* no byte of the chunk itself */
  return 0;
}
// EXPECT: chunk(size=20).flags & {"OVERRUN"} == set() and chunk(size=20).hi == 20
// EXPECT: (chunk(size=21).lo, chunk(size=21).hi, chunk(size=21).writes) == (3, 4, 2)
// EXPECT: "OVERRUN" in chunk(size=21).flags
// EXPECT: (chunk(size=22).lo, chunk(size=22).hi, chunk(size=22).writes) == (16, 22, 1)
// EXPECT: "OVERRUN" in chunk(size=22).flags
// EXPECT: (chunk(size=23).lo, chunk(size=23).hi, chunk(size=23).reads) == (0, 0, 1)
// EXPECT: "OVERRUN" in chunk(size=23).flags
