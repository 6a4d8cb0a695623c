/* own_chunks.h - who both allocates and frees: a function whose own the chunks of a point are.
   Whoever calls it has nothing to do with them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_PROFILE_OWN_CHUNKS_H
#define HEAPPROF_PROFILE_OWN_CHUNKS_H

#include "heapprof.h"
#include "profile/passage.h"
#include "text/text_part.h"

/* Depth of the outermost frame of POINT's stack in one call of which chunks are both
   made and freed, all but 1/8; the stack's size if there is none, or if it is not
   known.  A chunk that takes over from another is none, as what makes room for
   others allocates and frees, too. */
size_t hp_owner_depth(const struct hp_point *point);

/* The function of the program at DEPTH joins texts by +, and drops what that makes itself,
   at once or when it is called again, as by s = s + t: whoever calls it cannot do so
   otherwise. */
bool hp_joins_for_itself(const struct hp_point *point, size_t depth);

/* So it drops what it made, each time it is called again, and has few at a time, as a lexer
   that keeps the text of a token until the next.  Not if one call frees and another
   allocates, as of what does both for others. */
bool hp_keeps_one_for_itself(const struct hp_passages *passages,
                             const struct hp_point *point, size_t depth);

/* Of a POINT whose chunks the call frees that allocates them: the innermost function,
   from its place outward, whose code does both, as one that was inlined there may only
   allocate.  The place if there is none. */
const struct hp_frame *hp_owner_frame(const struct hp_point *point);

/* The class of the program that makes them, where its destructor frees them all: OWNER, as
   hp_owner_frame has it, only has objects of it.  Of no length where there is none. */
struct hp_text_part hp_owner_class(const struct hp_point *point,
                                   const struct hp_frame *owner);

#endif
