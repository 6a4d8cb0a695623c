/* demangle_declaring.c - see demangle_declaring.h: the name is cut where the arguments begin.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/demangle_declaring.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Past what begins at AT and is one thing: a name with its length ahead, a number as an
   argument, a reference to what came before, a constructor; or else a letter. */
static const char *past_part(const char *at) {
  static const char digits[] = "0123456789";
  char *end;
  if (at[0] == 'L') {
    const char *value = at + 1 + strspn(at + 1, "PKRO");
    value += strspn(value, "abcdefhijlmnostvwxyzD");
    const size_t length = strspn(value, digits);
    if (value > at + 1 && length && value[length] == 'E')
      return value + length + 1;
  }
  if (at[0] == 'S' && (at[1] == '_' || isupper((unsigned char)at[1]) ||
                       isdigit((unsigned char)at[1])))
    return strchr(at, '_') ? strchr(at, '_') + 1 : at + 1;
  if (at[0] == 'T')
    return at + 1 + strspn(at + 1, digits);
  if ((at[0] == 'C' || at[0] == 'D') && isdigit((unsigned char)at[1]))
    return at + 2;
  if (!isdigit((unsigned char)at[0]))
    return at + 1;
  const unsigned long length = strtoul(at, &end, 10);
  return length <= strlen(end) ? end + length : end;
}

#define NESTED_MOST 64u

/* Clang 18 and later write the declaration of some parameters ahead of their arguments,
   which libiberty cannot read: of one without a type of its own, as of
   enable_if_t<..> = nullptr, "Tn", and of a template "Tt"; inside this are "Tp" and "Ty".  Where the arguments of SYMBOL's function begin that have one; NULL: nowhere.
   Where it only requires something, behind its parameters, it is where that begins: "Q". */
static const char *find_declaring(const char *symbol) {
  const bool is_nested = symbol[2] == 'N';
  const char *open[NESTED_MOST];
  size_t depth = 0;
  for (const char *at = symbol + 2, *next; *at; at = next) {
    next = past_part(at);
    if (at[0] == 'Q' && depth == 0)
      return at;
    if (at[0] == 'T' && at[1] && strchr("nptyk", at[1]))
      return depth > is_nested && *open[is_nested] == 'I' ? open[is_nested]
                                                          : NULL;
    if (next > at + 1)
      continue;
    if (strchr("INXJLFZ", *at) || (at[0] == 'U' && at[1] == 'l')) {
      if (depth == NESTED_MOST)
        return NULL;
      open[depth++] = at;
    } else if (*at == 'E') {
      if (depth-- == 0)
        return NULL;
    }
  }
  return NULL;
}

/* Of the C++ library other code knows some names as they are, but none of its ranges. */
static bool stays(const char *symbol) {
  static const char *const library[] = {"_ZSt", "_ZNSt", "_ZNKSt"};
  for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
    const size_t length = strlen(library[i]);
    if (strncmp(symbol, library[i], length) == 0)
      return strncmp(symbol + length, "6ranges", strlen("6ranges")) != 0;
  }
  return false;
}

char *hp_demangle_declaring(const char *symbol) {
  const char *end = find_declaring(symbol);
  if (!end || (*end != 'Q' && stays(symbol)))
    return NULL;
  const char *rest = *end == 'Q' ? "" : symbol[2] == 'N' ? "Ev" : "v";
  char *plain, *name;
  if (asprintf(&plain, "%.*s%s", (int)(end - symbol), symbol, rest) < 0)
    return NULL;
  name = cplus_demangle(plain, HP_DEMANGLE_OPTIONS);
  free(plain);
  return name;
}
