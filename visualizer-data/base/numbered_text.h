/* numbered_text.h - each distinct text once, with a number.
   A profile repeats few files, functions and stacks often.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_NUMBERED_TEXT_H
#define HP_NUMBERED_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Gives each distinct text a number, from 0 in the order of first use. */
struct hp_numbered {
  struct hp_numbered_text *texts;
  size_t count;
};
#define HP_NO_NUMBER SIZE_MAX /* without memory */
size_t hp_number_of(struct hp_numbered *n, const char *text);

/* The table's own copy of TEXT; NULL without memory. */
const char *hp_numbered_copy(struct hp_numbered *n, const char *text);

/* Calls EACH with every text, in the order of the numbers. */
void hp_numbered_each(const struct hp_numbered *n,
                      void (*each)(void *context, const char *text),
                      void *context);
void hp_numbered_free(struct hp_numbered *n);

#endif
