/* align.h - pairs rows of two runs that have one key, each side in the order of its lines.
   No pair crosses another: what stands further down in one run does in the other.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ALIGN_H
#define HP_ALIGN_H

#include "pairing.h"

struct hp_pairs {
  struct hp_pair *items; /* with room for all rows of both sides */
  size_t count;
};

/* Which rows may go together: all, or those of equal lines or numbers alone, or of
   equal numbers alone. */
enum hp_align_which { HP_ALL, HP_ALIKE, HP_SAME_NUMBERS };

/* Adds each row of both sides to TO.  Rows go together that have most in common:
   how many chunks and bytes, and how many frames at the same line, counted from
   where its function begins, as all above that moves it.  False without memory. */
bool hp_align(struct hp_points old_rows, struct hp_points new_rows,
              enum hp_align_which which, struct hp_pairs *to);

#endif
