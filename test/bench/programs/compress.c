/* compress.c - compress ROUNDS: a simple LZ77 compressor, which compares bytes one by one until they differ.
   Few chunks, and loops whose number of turns the data decide.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 20, HEADS = 1 << 15, NONE = -1, TRIES = 8, LONGEST = 255 };

static unsigned char *input, *output;
static int32_t *heads, *previous; /* places with one hash, newest first */

static void fill(uint32_t state) {
  for (size_t i = 0; i < BYTES; i++) {
    state = state * 1664525u + 1013904223u;
    uint32_t random = state >> 10;
    input[i] = i > 1000 && random % 8 ? input[i - 1 - random / 8 % 60]
                                      : (unsigned char)('a' + random % 26);
  }
}

static size_t hash(const unsigned char *p) {
  return (p[0] * 2654435761u + p[1] * 40503u + p[2] * 97u) >> 3 & (HEADS - 1);
}

static int match(const unsigned char *a, const unsigned char *b,
                 const unsigned char *end) {
  int length = 0;
  while (b + length < end && length < LONGEST && a[length] == b[length])
    length++;
  return length;
}

static size_t compress(void) {
  memset(heads, 0xff, HEADS * sizeof *heads);
  size_t written = 0;
  for (int32_t i = 0; i + 3 < BYTES;) {
    size_t key = hash(input + i);
    int best = 0;
    int32_t from = heads[key], at = 0;
    for (int tries = TRIES; tries && from != NONE; tries--) {
      int length = match(input + from, input + i, input + BYTES);
      if (length > best) {
        best = length;
        at = from;
      }
      from = previous[from];
    }
    previous[i] = heads[key];
    heads[key] = i;
    if (best > 3) {
      output[written++] = (unsigned char)best;
      output[written++] = (unsigned char)(i - at);
      i += best;
    } else {
      output[written++] = 0;
      output[written++] = input[i++];
    }
  }
  return written;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  input = malloc(BYTES);
  output = malloc(2 * BYTES);
  heads = malloc(HEADS * sizeof *heads);
  previous = malloc(BYTES * sizeof *previous);
  if (!input || !output || !heads || !previous)
    return 1;
  fill(1);
  size_t sum = 0;
  for (unsigned long rounds = strtoul(argv[1], NULL, 10); rounds; rounds--)
    sum = sum * 31 + compress();
  for (size_t i = 0; i < 1000; i++)
    sum = sum * 31 + output[i];
  free(input);
  free(output);
  free(heads);
  free(previous);
  printf("%zu\n", sum);
  return 0;
}
