/* chunk_owner.h - whose the chunks of a stack are, and who saw their accesses.
   The owner is all code from the allocator outward to the site.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_OWNER_H
#define HP_CHUNK_OWNER_H

#include "heapprof.h"

/* The innermost frame of FRAMES, which are those of a stack without the
   allocator's, that belongs to the owner and whose accesses nobody sees; NULL:
   they are seen.  HOOKED says of each frame whether its code has hooks. */
const struct hp_frame *hp_unseen_owner(const struct hp_frame *const *frames,
                                       const bool *hooked, size_t count,
                                       const struct hp_frame *site);

/* The number of the first frame that has no hooks, where it asked code with hooks
   to allocate; 0: there is none, or it is the system's. */
size_t hp_handed_to(const struct hp_frame *const *frames, const bool *hooked,
                    size_t count);

#endif
