/* wrapper_name.c - see wrapper_name.h: stems of libc's names, and the few ends they have.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/wrapper_name.h"

#include <ctype.h>
#include <string.h>

struct hp_text_part hp_bare_name(const char *function) {
  struct hp_text_part name = hp_member_parse(function).member;
  if (!name.length) {
    const char *clone = strstr(function, " [clone ");
    const size_t length = strcspn(function, "(<");
    return (struct hp_text_part){function,
                                 clone && (size_t)(clone - function) < length
                                     ? (size_t)(clone - function)
                                     : length};
  }
  const char *open = memchr(name.begin, '<', name.length);
  if (open && open > name.begin)
    name.length = (size_t)(open - name.begin);
  return name;
}

/* An alloc_aligned_int64_array: its callers say how long. */
static bool is_array_allocator(const char *lower, size_t length) {
  static const char end[] = "array";
  const size_t of_end = sizeof end - 1;
  return length > of_end && strcmp(lower + length - of_end, end) == 0 &&
         strstr(lower, "alloc");
}

bool hp_is_wrapper_name(struct hp_text_part name) {
  static const char *const stems[] = {
#define HP_WRAPPER_STEM(name) name,
#include "profile/plumbing.def"
  };
  static const char *const ends[] = {
#define HP_WRAPPER_END(name) name,
#include "profile/plumbing.def"
  };
  char lower[128];
  if (name.length >= sizeof lower)
    return false;
  for (size_t i = 0; i < name.length; i++)
    lower[i] = (char)tolower((unsigned char)name.begin[i]);
  lower[name.length] = '\0';
  for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
    const char *at = strstr(lower, stems[i]);
    for (size_t k = 0; at && k < sizeof ends / sizeof *ends; k++)
      if (strcasecmp(at + strlen(stems[i]), ends[k]) == 0)
        return true;
  }
  return is_array_allocator(lower, name.length);
}

bool hp_says_it_makes_room(const char *function) {
  static const char *const words[] = {
#define HP_MAKES_ROOM(name) name,
#include "profile/plumbing.def"
  };
  for (size_t i = 0; i < sizeof words / sizeof *words && !strchr(function, '(');
       i++)
    if (strcasestr(function, words[i]))
      return true;
  return false;
}

/* All that stands in PARAMETERS, and something does, are integers. */
static bool are_sizes(const char *parameters) {
  static const char *const words[] = {"unsigned", "long", "int"};
  const char *at = parameters;
  while (*at && *at != ')') {
    size_t i = 0, length = 0;
    while (i < sizeof words / sizeof *words &&
           strncmp(at, words[i], length = strlen(words[i])) != 0)
      i++;
    if (i == sizeof words / sizeof *words)
      return false;
    at += length;
    at += strspn(at, ", ");
  }
  return at > parameters && strcmp(at, ")") == 0;
}

bool hp_is_size_allocator_name(const char *function) {
  const struct hp_text_part name = hp_bare_name(function);
  const char *open = name.begin + name.length,
             *at = strcasestr(name.begin, "alloc");
  return *open == '(' && at && at < open && are_sizes(open + 1);
}

bool hp_is_same_scope(const char *a, const char *b) {
  const struct hp_text_part scope = hp_member_parse(a).scope;
  return b && scope.length && hp_part_equals(scope, hp_member_parse(b).scope);
}

#define HP_PREFIX 2u /* letters ahead of an array's kind */

bool hp_is_array_name(const char *function) {
  static const char *const kinds[] = {
#define HP_ARRAY_NAME(name) name,
#include "profile/plumbing.def"
  };
  const size_t length = strcspn(function, "(<:");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t of_kind = strlen(kinds[i]);
    if (length >= of_kind && length <= of_kind + HP_PREFIX &&
        memcmp(function + length - of_kind, kinds[i], of_kind) == 0)
      return true;
  }
  return false;
}

bool hp_is_array_maker_name(const char *function) {
  const char *at = strcasestr(function, "alloc");
  return (at && at < function + strcspn(function, "(<:")) ||
         hp_is_array_name(function);
}

/* The last name of "a::SmallVector<int, 4>": what the class is called. */
static struct hp_text_part class_of(struct hp_text_part scope) {
  struct hp_text_part name = scope;
  int depth = 0;
  for (size_t i = scope.length; i-- > 0;) {
    const char c = scope.begin[i];
    depth += c == '>';
    depth -= c == '<';
    if (depth == 0 && c == '<')
      name.length = i;
    if (depth == 0 && c == ':') {
      name.begin = scope.begin + i + 1;
      name.length -= i + 1;
      break;
    }
  }
  return name;
}

/* Of a template the class without what goes on in the argument: a RefVectorOf<T> is a
   RefVector. */
static struct hp_text_part without_of(struct hp_text_part scope) {
  struct hp_text_part name = class_of(scope);
  if (scope.length && scope.begin[scope.length - 1] == '>' && name.length > 2 &&
      memcmp(name.begin + name.length - 2, "Of", 2) == 0)
    name.length -= 2;
  return name;
}

/* What a class keeps its insides in: ByteVectorPrivate is as ByteVector. */
static struct hp_text_part without_inside(struct hp_text_part name) {
  static const char *const ends[] = {"private", "impl", "rep", "data"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const size_t length = strlen(ends[i]);
    if (name.length > length &&
        strncasecmp(name.begin + name.length - length, ends[i], length) == 0)
      return (struct hp_text_part){name.begin, name.length - length};
  }
  return name;
}

bool hp_is_container_name(struct hp_text_part scope) {
  return scope.length && scope.begin[scope.length - 1] == '>' &&
         hp_ends_as_container(scope);
}

bool hp_is_inside_container(struct hp_text_part scope) {
  const struct hp_text_part name = class_of(scope);
  return without_inside(name).length < name.length &&
         hp_ends_as_container(scope);
}

bool hp_ends_as_container(struct hp_text_part scope) {
  static const char *const ends[] = {
#define HP_CONTAINER_END(name) name,
#include "profile/plumbing.def"
  };
  const struct hp_text_part name = without_inside(without_of(scope));
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const size_t length = strlen(ends[i]);
    if (name.length >= length &&
        strncasecmp(name.begin + name.length - length, ends[i], length) == 0)
      return true;
  }
  return false;
}
