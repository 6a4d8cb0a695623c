/* freed.h - where the chunks of a point were freed.
   Frames are looked up like those of the stack.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FREED_H
#define HP_FREED_H

#include "profile/profile_inside.h"

bool hp_is_same_function(const struct hp_frame *a, const struct hp_frame *b);

/* In one line and column: what is inlined has a frame of its caller for each of its
   addresses. */
bool hp_is_same_call(const struct hp_frame *a, const struct hp_frame *b);

/* Where FRAME is in POINT's stack; the stack's size if it is not. */
size_t hp_frame_depth(const struct hp_point *point,
                      const struct hp_frame *frame);

/* How much of the stacks of POINT and FREED is left where they part, from the
   outermost frame inward. */
void hp_freed_fork(const struct hp_point *point, const struct hp_freed *freed,
                   size_t *made, size_t *gone);

/* Sets freed, freed_count and freed_chunks of POINT's view, whose stack is
   there; PROCESS is the first of its dump. */
hp_status hp_freed_find(struct hp_profile *profile,
                        const struct hp_profile_process *process,
                        const struct hp_dump_point *raw,
                        struct hp_profile_point *point, struct hp_error *error);

#endif
