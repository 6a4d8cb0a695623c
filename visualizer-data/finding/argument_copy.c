/* argument_copy.c - see argument_copy.h.  What calls a function copies its arguments, so that
   the copy constructor's caller is what the library calls by, not what is called.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/argument_copy.h"

#include <string.h>

#include "text/member_name.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Classes of both libraries that compare or hash, or call what they are made of, and copy
   nothing for themselves. */
static bool is_calling_class(struct hp_text_part scope) {
  static const char *const ends[] = {"::_Rb_tree",
                                     "::_Hashtable",
                                     "::_Hash_code_base",
                                     "::__tree",
                                     "::_Hashtable_base",
                                     "::__unordered_map_hasher",
                                     "::__hash_table",
                                     "::__map_value_compare",
                                     "::__unordered_map_equal",
                                     "::__lazy_compare_result"};
  const char *open = memchr(scope.begin, '<', scope.length);
  const struct hp_text_part class = open ? hp_part(scope.begin, open) : scope;
  if (hp_part_begins(class, "__gnu_cxx::__ops::"))
    return true;
  for (size_t i = 0; i < COUNT(ends); i++)
    if (hp_part_begins(class, "std::") && hp_part_ends(class, ends[i]))
      return true;
  return false;
}

/* Functions that give elements to what they are given; of libstdc++ the others do so by
   __gnu_cxx::__ops. */
static bool is_algorithm(struct hp_text_part member) {
  static const char *const begins[] = {
      "for_each", "transform", "accumulate", "inner_product", "reduce",
      "find_if",  "count_if",  "any_of",     "all_of",        "none_of",
      "copy_if",  "remove_if", "partition"};
  for (size_t i = 0; i < COUNT(begins); i++)
    if (hp_part_begins(member, begins[i]))
      return true;
  return false;
}

/* FUNCTION calls what it was given.  What makes a CLASS itself may copy what that returns,
   and a pointer to a member may be one to what is copied. */
static bool calls_back(const char *function, struct hp_text_part class) {
  if (strncmp(function, class.begin, class.length) == 0 ||
      strstr(function, "std::__invoke_memobj"))
    return false;
  /* It returns what it calls: a lambda's type names the function that has it. */
  if (strstr(function, " std::for_each<"))
    return true;
  const struct hp_member_name name = hp_member_parse(function);
  if (hp_member_is_constructor(&name) || hp_member_is_assignment(&name))
    return false;
  if (is_calling_class(name.scope))
    return true;
  return (hp_part_is(name.scope, "std") ||
          hp_part_is(name.scope, "std::__1")) &&
         (hp_part_begins(name.member, "__invoke") || is_algorithm(name.member));
}

bool hp_copies_argument(const struct hp_point *point, size_t *depth) {
  for (size_t i = *depth; i-- > 1;) {
    const char *function = point->stack[i - 1]->function;
    const char *caller = point->stack[i]->function;
    if (!function || !caller)
      continue;
    const struct hp_member_name name = hp_member_parse(function);
    if (hp_member_is_constructor(&name) && hp_member_copies(&name) &&
        hp_part_begins(name.scope, "std::") && calls_back(caller, name.scope)) {
      *depth = i;
      return true;
    }
  }
  return false;
}
