/* enlarging.c - whether a stack ends in code that makes a container larger.
   Only frames up to the first one of the program are asked.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/enlarging.h"

#include <string.h>

#include "resolve/frame_role.h"
#include "resolve/site.h"

/* FUNCTION is a member NAME of a class in SPACE. */
static bool is_member(const char *function, const char *space,
                      const char *name) {
  const size_t length = strlen(name);
  const char *at = function;
  if (!strstr(function, space))
    return false;
  while ((at = strstr(at, name))) {
    const char *end = at + length;
    if (at - function > 2 && at[-1] == ':' && at[-2] == ':' &&
        (*end == '(' || *end == '<' || *end == '[' || !*end))
      return true;
    at = end;
  }
  return false;
}

/* libstdc++'s, then libc++'s. */
static const char *const moving[] = {
    "_M_realloc_insert",     "_M_realloc_append",        "_M_default_append",
    "_M_fill_insert",        "_M_range_insert",          "_M_insert_aux",
    "_M_fill_append",        "_M_reallocate_map",        "reserve",
    "__push_back_slow_path", "__emplace_back_slow_path", "__append",
    "__insert_with_size",    "__insert_with_sentinel",   "__add_back_capacity",
    "__add_front_capacity"};
/* Of texts. */
static const char *const lengthening[] = {"_M_mutate", "_M_append", "__grow_by",
                                          "__grow_by_and_replace",
                                          "__grow_by_without_replace"};

static bool is_one_of(const char *function, const char *const *names,
                      size_t count) {
  for (size_t n = 0; n < count; n++)
    if (is_member(function, "std::", names[n]))
      return true;
  return false;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

bool hp_is_outgrown(const struct hp_frame *const *frames, size_t count) {
  const size_t outside = hp_site_outside(frames, count, 0);
  for (size_t i = 0; i < outside; i++)
    if (frames[i]->function &&
        (is_one_of(frames[i]->function, moving, COUNT(moving)) ||
         is_one_of(frames[i]->function, lengthening, COUNT(lengthening))))
      return true;
  return false;
}

bool hp_is_by_member(const struct hp_frame *const *frames, size_t count,
                     const char *name) {
  const size_t outside = hp_site_outside(frames, count, 0);
  return outside && frames[outside - 1]->function &&
         is_member(frames[outside - 1]->function, "std::", name);
}

/* Of other libraries, which have hooks where they are templates. */
static const struct {
  const char *space, *name;
  enum hp_enlarging how;
} others[] = {{"boost::container::", "priv_forward_range_insert_no_capacity",
               HP_ENLARGES_BY_MOVES},
              {"boost::container::", "priv_insert_forward_range_no_capacity",
               HP_ENLARGES_BY_MOVES},
              {"boost::unordered::", "create_buckets", HP_ENLARGES_BY_LINKS},
              {"absl::", "EmplaceBackSlow", HP_ENLARGES_BY_MOVES},
              {"absl::", "resize", HP_ENLARGES_BY_MOVES}};

static enum hp_enlarging enlarging_of_other(const char *function) {
  for (size_t i = 0; function && i < COUNT(others); i++)
    if (is_member(function, others[i].space, others[i].name))
      return others[i].how;
  return HP_ENLARGES_NOTHING;
}

/* Those of a header that is installed, or of a copy in the program's own sources. */
static bool is_of_other(const struct hp_frame *frame) {
  if (!hp_frame_is_of_program(frame) || hp_frame_is_included(frame))
    return true;
  for (size_t i = 0; frame->function && i < COUNT(others); i++)
    if (strstr(frame->function, others[i].space))
      return true;
  return false;
}

enum hp_enlarging hp_enlarging_of(const struct hp_point *point) {
  static const char *const linking[] = {"_M_rehash", "_M_rehash_aux",
                                        "__rehash", "__do_rehash"};
  const size_t outside = hp_site_outside(point->stack, point->stack_count, 0);
  for (size_t i = 0; i < outside; i++) {
    const char *function = point->stack[i]->function;
    if (function && is_one_of(function, linking, COUNT(linking)))
      return HP_ENLARGES_BY_LINKS;
    if (function && is_one_of(function, moving, COUNT(moving)))
      return HP_ENLARGES_BY_MOVES;
  }
  for (size_t i = 0; i < point->stack_count && is_of_other(point->stack[i]);
       i++) {
    const enum hp_enlarging how = enlarging_of_other(point->stack[i]->function);
    if (how != HP_ENLARGES_NOTHING)
      return how;
  }
  return HP_ENLARGES_NOTHING;
}
