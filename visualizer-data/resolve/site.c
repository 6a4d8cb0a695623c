/* site.c - passes over the allocator and the C++ library, leaf to outermost.
   What code is whose, frame_role.c knows.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/site.h"

#include <stdbool.h>
#include <string.h>

#include "resolve/frame_role.h"
#include "text/member_name.h"

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

static size_t past_libraries(const struct hp_frame *const *frames, size_t count,
                             size_t depth) {
  while (depth < count && !hp_frame_is_of_program(frames[depth]))
    depth++;
  return depth;
}

/* The frame AT is what a container of the C++ library calls for memory. */
static bool is_asked(const struct hp_frame *const *frames, size_t count,
                     size_t at) {
  if (at + 1 >= count || !frames[at]->function ||
      !(hp_frame_roles(frames[at + 1]) & HP_ROLE_PLUMBING))
    return false;
  const struct hp_member_name name = hp_member_parse(frames[at]->function);
  return name.scope.length && (hp_part_is(name.member, "allocate") ||
                               hp_part_is(name.member, "deallocate"));
}

#define INSIDE_ALLOCATOR 4u /* functions of one */

size_t hp_site_outside(const struct hp_frame *const *frames, size_t count,
                       size_t depth) {
  const size_t begin = past_libraries(frames, count, depth);
  for (size_t i = begin; i < count && i < begin + INSIDE_ALLOCATOR &&
                         hp_frame_is_of_program(frames[i]);
       i++)
    if (is_asked(frames, count, i)) {
      const size_t to = past_libraries(frames, count, i + 1);
      return to < count ? to : begin;
    }
  return begin;
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
