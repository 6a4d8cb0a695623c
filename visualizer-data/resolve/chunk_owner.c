/* chunk_owner.c - see chunk_owner.h.
   Code without hooks owns chunks that nobody can say anything about.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/chunk_owner.h"

#include "resolve/frame_role.h"

const struct hp_frame *hp_unseen_owner(const struct hp_frame *const *frames,
                                       const bool *hooked, size_t count,
                                       const struct hp_frame *site) {
  bool reached = false;
  for (size_t i = 0; i < count; i++) {
    unsigned roles = hp_frame_roles(frames[i]);
    if (roles & HP_ROLE_ALLOCATOR)
      continue;
    if (!hooked[i] && !(roles & HP_ROLE_COUNTED))
      return frames[i];
    reached = reached || frames[i] == site;
    if (reached && !(roles & HP_ROLE_COUNTED))
      break; /* what is counted works for its caller */
  }
  return NULL;
}

size_t hp_handed_to(const struct hp_frame *const *frames, const bool *hooked,
                    size_t count) {
  const unsigned others =
      HP_ROLE_SYSTEM | HP_ROLE_START | HP_ROLE_PLUMBING | HP_ROLE_ALLOCATOR;
  size_t i = 0;
  while (i < count && hooked[i])
    i++;
  return i < count && !(hp_frame_roles(frames[i]) & others) ? i : 0;
}
