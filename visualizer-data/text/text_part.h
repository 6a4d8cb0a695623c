/* text_part.h - a stretch of a text that goes on behind it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TEXT_PART_H
#define HP_TEXT_PART_H

#include <stdbool.h>
#include <stddef.h>

/* LENGTH bytes at BEGIN, which the text owns; NULL only where it is 0. */
struct hp_text_part {
  const char *begin;
  size_t length;
};

/* From BEGIN up to END, which is no longer of it. */
struct hp_text_part hp_part(const char *begin, const char *end);

bool hp_part_equals(struct hp_text_part a, struct hp_text_part b);

/* PART is TEXT, begins or ends so, or has it anywhere. */
bool hp_part_is(struct hp_text_part part, const char *text);
bool hp_part_begins(struct hp_text_part part, const char *text);
bool hp_part_ends(struct hp_text_part part, const char *text);
bool hp_part_has(struct hp_text_part part, const char *text);

#endif
