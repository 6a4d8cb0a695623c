/* text_part.c - see text_part.h: what <string.h> does, of texts without an end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/text_part.h"

#include <string.h>

struct hp_text_part hp_part(const char *begin, const char *end) {
  return (struct hp_text_part){begin, (size_t)(end - begin)};
}

bool hp_part_equals(struct hp_text_part a, struct hp_text_part b) {
  return a.length == b.length &&
         (!a.length || memcmp(a.begin, b.begin, a.length) == 0);
}

bool hp_part_is(struct hp_text_part part, const char *text) {
  return part.length == strlen(text) && hp_part_begins(part, text);
}

bool hp_part_begins(struct hp_text_part part, const char *text) {
  const size_t length = strlen(text);
  return part.length >= length && memcmp(part.begin, text, length) == 0;
}

bool hp_part_ends(struct hp_text_part part, const char *text) {
  const size_t length = strlen(text);
  return part.length >= length &&
         memcmp(part.begin + part.length - length, text, length) == 0;
}

bool hp_part_has(struct hp_text_part part, const char *text) {
  return part.length && memmem(part.begin, part.length, text, strlen(text));
}
