/* site.h - which frames of a stack belong to the allocator, which is the site.
   What code is whose is told by frame_role.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SITE_H
#define HP_SITE_H

#include "heapprof.h"

/* How many leaf frames to leave out: the allocator's own. */
size_t hp_site_skip(const struct hp_frame *const *frames, size_t count);

/* The innermost frame that asked for memory in its own right: not the
   allocator, not operator new, not the C++ standard library.  If it is all
   library, as where the compiler put a container's work into one function of which no
   caller is known, the outermost frame; NULL if it is all allocator. */
const struct hp_frame *hp_site_of(const struct hp_frame *const *frames,
                                  size_t count);

/* The first frame of the program from DEPTH outward; not the `allocate` and `deallocate`
   of an allocator of its own, which a container of the C++ library asks, but who has the
   container; COUNT if there is none. */
size_t hp_site_outside(const struct hp_frame *const *frames, size_t count,
                       size_t depth);

#define HP_INSIDE_LIBRARY                                                      \
  6u /* functions of a library, from what it calls to who calls it */

/* Inside a library of the system that was stripped only addresses are known: outward of
   DEPTH the function of it that was called, which has a name, or else who called it;
   DEPTH if it has a name, or if these are not near. */
size_t hp_site_past_nameless(const struct hp_frame *const *frames, size_t count,
                             size_t depth);

#endif
