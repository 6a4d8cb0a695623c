/* member_name.c - one pass over the brackets of a demangled name.
   A name that is not understood has empty parts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/member_name.h"

#include <string.h>

static bool is_text(struct hp_text_part part, const char *text) {
  return part.length == strlen(text) &&
         memcmp(part.begin, text, part.length) == 0;
}

static bool is_same(struct hp_text_part a, struct hp_text_part b) {
  return a.length == b.length && memcmp(a.begin, b.begin, a.length) == 0;
}

static struct hp_text_part part(const char *begin, const char *end) {
  return (struct hp_text_part){begin, (size_t)(end - begin)};
}

static struct hp_text_part without_arguments(struct hp_text_part name) {
  const char *open = memchr(name.begin, '<', name.length);
  return open ? part(name.begin, open) : name;
}

/* The last component of a::b<c::d>::e<f> and what is before it. */
static void split(struct hp_text_part all, struct hp_text_part *scope,
                  struct hp_text_part *last) {
  int depth = 0;
  *scope = part(all.begin, all.begin);
  *last = all;
  for (const char *at = all.begin + all.length; at > all.begin + 1;) {
    at--;
    depth += *at == '>' || *at == ')' || *at == '}';
    depth -= *at == '<' || *at == '(' || *at == '{';
    if (depth == 0 && at[0] == ':' && at[-1] == ':') {
      *scope = part(all.begin, at - 1);
      *last = part(at + 1, all.begin + all.length);
      return;
    }
  }
}

/* "operator<", "operator->" and their like have brackets that are none. */
static const char *skip_operator(const char *at) {
  if (strncmp(at, "operator", strlen("operator")) != 0)
    return at;
  at += strlen("operator");
  if (strncmp(at, "()", 2) == 0)
    return at + 2;
  return at + strspn(at, "<>=-!+*/&|^%[],");
}

/* "map[abi:ne200100]" of libc++ is "map", a constructor. */
static struct hp_text_part without_tags(struct hp_text_part name) {
  static const char tag[] = "[abi:";
  const char *at = memmem(name.begin, name.length, tag, sizeof tag - 1);
  return at && at > name.begin ? part(name.begin, at) : name;
}

/* "Pool!(long)", a template, but not "operator!(item)". */
static bool opens_arguments_of_d(const char *at, const char *behind_operator) {
  return at[-1] == '!' && at != behind_operator;
}

struct hp_member_name hp_member_parse(const char *function) {
  struct hp_member_name name = {{"", 0}, {"", 0}, {"", 0}};
  const char *begin = function, *open = NULL;
  const char *named = NULL; /* "operator new", "operator a::b const*" */
  const char *behind_operator = NULL;
  int depth = 0;
  for (const char *at = function; *at && !open;) {
    const char *next = skip_operator(at);
    if (next != at) {
      if (*next == ' ' && depth == 0)
        named = at;
      at = behind_operator = next;
      continue;
    }
    if (*at == '(' && depth == 0 && at > begin &&
        !opens_arguments_of_d(at, behind_operator) &&
        strncmp(at, "(anonymous", strlen("(anonymous")) != 0)
      open = at;
    else if (*at == ' ' && depth == 0 && !named)
      begin = at + 1; /* what was before is the type of the result */
    depth += *at == '<' || *at == '(' || *at == '{';
    depth -= *at == '>' || *at == ')' || *at == '}';
    at++;
  }
  if (!open)
    return name;
  const char *close = strrchr(open, ')');
  if (named) {
    name.scope = part(begin, named > begin + 2 ? named - 2 : begin);
    name.member = part(named, open);
  } else {
    split(part(begin, open), &name.scope, &name.member);
  }
  name.member = without_tags(name.member);
  name.parameters = part(open + 1, close && close > open ? close : open + 1);
  return name;
}

bool hp_member_is_constructor(const struct hp_member_name *name) {
  struct hp_text_part before, last;
  if (name->scope.length == 0)
    return false;
  split(name->scope, &before, &last);
  last = without_arguments(last);
  return last.length > 0 && is_same(last, without_arguments(name->member));
}

/* The first parameter is "C const&", with C the scope. */
bool hp_member_copies(const struct hp_member_name *name) {
  static const char reference[] = " const&";
  size_t length = name->scope.length, rest = strlen(reference);
  if (!hp_member_is_constructor(name) && !is_text(name->member, "operator="))
    return false;
  if (length == 0 || name->parameters.length < length + rest ||
      memcmp(name->parameters.begin, name->scope.begin, length) != 0 ||
      memcmp(name->parameters.begin + length, reference, rest) != 0)
    return false;
  return name->parameters.length == length + rest ||
         name->parameters.begin[length + rest] == ',';
}
