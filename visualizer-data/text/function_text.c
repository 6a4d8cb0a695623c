/* function_text.c - the scope and the member of a demangled name.
   What is not understood stays as it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "function_text.h"

#include <stdlib.h>
#include <string.h>

#include "text/member_name.h"
#include "type_text.h"

char *hp_function_short(const char *function) {
  struct hp_member_name name = hp_member_parse(function);
  const char *end = name.member.begin + name.member.length;
  const char *begin = name.scope.length ? name.scope.begin : name.member.begin;
  if (end <= begin) {
    const char *clone = strstr(function, " [clone ");
    begin = function;
    end = clone ? clone : function + strlen(function);
  }
  char *whole = strndup(begin, (size_t)(end - begin));
  char *brief = whole ? hp_type_short(whole) : NULL;
  free(whole);
  return brief;
}

size_t hp_template_arguments(const char *text, const char *at) {
  static const char word[] = "operator";
  const size_t before = (size_t)(at - text), length = sizeof word - 1;
  size_t depth = 0;
  if (*at != '<' ||
      (before >= length && memcmp(at - length, word, length) == 0) ||
      (before > length &&
       memcmp(at - length - 1, "operator<", length + 1) == 0))
    return 0;
  for (const char *end = at; *end; end++) {
    depth += *end == '<';
    depth -= *end == '>' && end[-1] != '-';
    if (depth == 0)
      return (size_t)(end + 1 - at);
  }
  return 0;
}

char *hp_template_outline(const char *name, size_t size, size_t most) {
  static const char dots[] = HP_OUTLINED;
  char *outline = malloc(size + 1), *to = outline;
  for (const char *at = name; outline && at < name + size;) {
    const size_t length = hp_template_arguments(name, at);
    if (length > most && length <= size - (size_t)(at - name)) {
      memcpy(to, dots, sizeof dots - 1);
      to += sizeof dots - 1;
      at += length;
    } else {
      *to++ = *at++;
    }
  }
  if (outline)
    *to = '\0';
  return outline;
}

/* Behind arguments that begin at AT, which is in TEXT, and any behind them. */
static const char *past_arguments(const char *text, const char *at) {
  for (size_t length; (length = hp_template_arguments(text, at));)
    at += length;
  return at;
}

static bool is_same_but_arguments(const char *a, const char *b) {
  const char *at = a, *other = b;
  for (;;) {
    at = past_arguments(a, at);
    other = past_arguments(b, other);
    if (*at != *other)
      return false;
    if (!*at)
      return true;
    at++;
    other++;
  }
}

bool hp_functions_are_of_one_template(const char *a, const char *b) {
  char *brief = hp_function_short(a), *other = hp_function_short(b);
  const bool are = brief && other && strcmp(brief, other) != 0 &&
                   is_same_but_arguments(brief, other);
  free(brief);
  free(other);
  return are;
}
