/* utf8.h - one character of UTF-8 text that may be anything.
   Overlong forms, surrogates and values above U+10FFFF are invalid.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UTF8_H
#define HP_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at S (not at its end), 1 to 4, and its code point;
   0 if they are no UTF-8: skip one byte then. */
size_t hp_utf8_decode(const char *s, uint32_t *code_point);

#endif
