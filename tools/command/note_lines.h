/* note_lines.h - the notes of a profile on a terminal: of many that are alike, as those of
   a server's hundred children, the first few.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_NOTE_LINES_H
#define HP_NOTE_LINES_H

#include "heapprof.h"

#include <stdio.h>

/* Lines of WIDTH columns, "note: " first. */
void hp_put_notes(FILE *out, const hp_profile *profile, size_t width);

#endif
