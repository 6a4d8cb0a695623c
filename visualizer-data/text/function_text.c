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
