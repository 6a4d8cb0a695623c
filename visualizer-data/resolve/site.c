/* site.c - passes over the allocator and the C++ library, leaf to outermost.
   What code is whose, frame_role.c knows.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/site.h"

#include <stdbool.h>
#include <string.h>

#include "resolve/frame_role.h"

size_t hp_site_skip(const struct hp_frame *const *frames, size_t count) {
  size_t skip = 0;
  while (skip < count && hp_frame_roles(frames[skip]) & HP_ROLE_ALLOCATOR)
    skip++;
  return skip;
}

const struct hp_frame *hp_site_of(const struct hp_frame *const *frames,
                                  size_t count) {
  const struct hp_frame *library = NULL;
  for (size_t i = 0; i < count; i++) {
    unsigned roles = hp_frame_roles(frames[i]);
    if (roles & HP_ROLE_ALLOCATOR)
      continue;
    if (!(roles & HP_ROLE_PLUMBING))
      return frames[i];
    library = frames[i];
  }
  return library;
}

static bool is_nameless(const struct hp_frame *frame) {
  return !frame->function && hp_frame_roles(frame) & HP_ROLE_INSTALLED;
}

size_t hp_site_past_nameless(const struct hp_frame *const *frames, size_t count,
                             size_t depth) {
  size_t to = depth;
  while (to < count && to < depth + HP_INSIDE_LIBRARY &&
         is_nameless(frames[to]) &&
         strcmp(frames[to]->module, frames[depth]->module) == 0)
    to++;
  return to < count && frames[to]->function &&
                 hp_frame_is_of_program(frames[to])
             ? to
             : depth;
}
