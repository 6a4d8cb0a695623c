/* zstd_blocks.c - zstd_blocks ROUNDS: compresses a text by Zstandard at several levels, reads it back and compares.
   Uses the library's public interface only; the text repeats words, as prose does.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zstd.h"

enum { TEXT_SIZE = 1 << 20 };

static char *make_text(unsigned seed) {
  static const char *const words[] = {"heap",  "of",    "the",  "chunk",
                                      "point", "freed", "late", "a"};
  char *text = malloc(TEXT_SIZE + 16);
  if (!text)
    return NULL;
  size_t length = 0;
  while (length < TEXT_SIZE) {
    seed = seed * 1664525u + 1013904223u;
    length += (size_t)sprintf(text + length, "%s%u ", words[seed >> 29],
                              seed >> 16 & 255);
  }
  return text;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  const unsigned rounds = (unsigned)strtoul(argv[1], NULL, 10);
  static const int levels[] = {1, 3, 9};
  size_t total = 0;
  for (unsigned round = 0; round < rounds; round++) {
    char *text = make_text(round);
    const size_t room = ZSTD_compressBound(TEXT_SIZE);
    char *packed = malloc(room);
    char *unpacked = malloc(TEXT_SIZE);
    if (!text || !packed || !unpacked)
      return 1;
    size_t size =
        ZSTD_compress(packed, room, text, TEXT_SIZE, levels[round % 3]);
    if (ZSTD_isError(size) ||
        ZSTD_decompress(unpacked, TEXT_SIZE, packed, size) != TEXT_SIZE ||
        memcmp(text, unpacked, TEXT_SIZE) != 0)
      return 1;
    total += size;
    free(text);
    free(packed);
    free(unpacked);
  }
  printf("%zu\n", total);
}
