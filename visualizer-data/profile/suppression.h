/* suppression.h - which leaks are not to be told of, in LeakSanitizer's syntax.
   A line is leak:PATTERN; it is matched against what each frame is called.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SUPPRESSION_H
#define HP_SUPPRESSION_H

#include "heapprof.h"

/* Whether a line of TEXT holds for a frame of POINT: for its function, source
   file or module.  "*" is any text, "^" in front and "$" at the end bind the
   pattern there; else it may match any part.  Lines of other kinds, empty ones
   and those that begin with "#" say nothing. */
bool hp_is_suppressed(const char *text, const struct hp_point *point);

#endif
