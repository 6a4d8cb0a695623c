/* utf8.c - one character of UTF-8 text that may be anything.
   The table of well-formed sequences is that of the Unicode standard.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "utf8.h"

size_t hp_utf8_decode(const char *s, uint32_t *code_point) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *u = (const unsigned char *)s;
  size_t size = u[0] < 0x80   ? 1
                : u[0] < 0xc2 ? 0
                : u[0] < 0xe0 ? 2
                : u[0] < 0xf0 ? 3
                : u[0] < 0xf5 ? 4
                              : 0;
  uint32_t value = size == 1 ? u[0] : u[0] & (0x7fu >> size);
  for (size_t i = 1; i < size; i++) {
    if ((u[i] & 0xc0) != 0x80) /* also stops at the string's end */
      return 0;
    value = value << 6 | (u[i] & 0x3fu);
  }
  if (size > 1 && (value < least[size] || value > 0x10ffff ||
                   (value >= 0xd800 && value < 0xe000)))
    return 0;
  *code_point = value;
  return size;
}
