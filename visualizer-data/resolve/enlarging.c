/* enlarging.c - whether a stack ends in code that makes a container larger.
   Only frames up to the first one of the program are asked.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/enlarging.h"

#include <string.h>

#include "resolve/site.h"

/* FUNCTION is a member NAME of a class in std. */
static bool is_member(const char *function, const char *name) {
  const size_t length = strlen(name);
  const char *at = function;
  if (!strstr(function, "std::"))
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
    if (is_member(function, names[n]))
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
  return HP_ENLARGES_NOTHING;
}
