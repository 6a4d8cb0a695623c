/* marks.h - moments of the window to which the program gives names.
   Kept in order until the window ends; so many and no more.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MARKS_H
#define HP_MARKS_H

#include "system/platform.h"

#define HP_MARKS 1024u
#define HP_MARK_NAME 120u /* bytes with the NUL; a longer name is cut */

struct hp_program_mark {
  uint64_t time; /* ticks, absolute */
  char name[HP_MARK_NAME];
};
_Static_assert(sizeof(struct hp_program_mark) == 128, "two cache lines");

/* Now is called NAME. */
void hp_marks_add(const char *name);

/* Those there are, the COUNT of them, and how many were too many. */
const struct hp_program_mark *hp_marks(uint32_t *count, uint64_t *lost);

/* A window begins; only while nobody adds any. */
void hp_marks_reset(void);

#endif
