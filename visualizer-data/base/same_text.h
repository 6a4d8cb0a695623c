/* same_text.h - texts that may be missing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SAME_TEXT_H
#define HP_SAME_TEXT_H

#include <stdbool.h>
#include <string.h>

/* NULL is no text, and the same as no other. */
static inline bool hp_is_same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

#endif
