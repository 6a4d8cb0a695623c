/* member_name.c - one pass over the brackets of a demangled name.
   A name that is not understood has empty parts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/member_name.h"

#include <string.h>

/* Nor has it the module of C++20 that it is declared in: "Box@shapes<int>" is "Box". */
static struct hp_text_part without_arguments(struct hp_text_part name) {
  const char *open = memchr(name.begin, '<', name.length);
  if (open)
    name = hp_part(name.begin, open);
  const char *module = memchr(name.begin, '@', name.length);
  return module ? hp_part(name.begin, module) : name;
}

static bool begins_as(struct hp_text_part all, struct hp_text_part begin) {
  return all.length >= begin.length &&
         memcmp(all.begin, begin.begin, begin.length) == 0;
}

/* A class without a name, as three demanglers write it. */
static bool is_lambda(struct hp_text_part name) {
  return hp_part_begins(name, "$_") || hp_part_begins(name, "'lambda'") ||
         hp_part_begins(name, "{lambda(");
}

/* The last component of a::b<c::d>::e<f> and what is before it. */
static void split(struct hp_text_part all, struct hp_text_part *scope,
                  struct hp_text_part *last) {
  int depth = 0;
  *scope = hp_part(all.begin, all.begin);
  *last = all;
  for (const char *at = all.begin + all.length; at > all.begin + 1;) {
    at--;
    depth += *at == '>' || *at == ')' || *at == '}';
    depth -= *at == '<' || *at == '(' || *at == '{';
    if (depth == 0 && at[0] == ':' && at[-1] == ':') {
      *scope = hp_part(all.begin, at - 1);
      *last = hp_part(at + 1, all.begin + all.length);
      return;
    }
  }
}

/* "operator<", "operator->" and their like have brackets that are none, and
   "operator[]<int>" has some behind them. */
static const char *skip_operator(const char *at) {
  static const char *const symbols[] = {
      "<<=", ">>=", "<=>", "->*", "()", "[]", "<<", ">>", "->", "<=",
      ">=",  "==",  "!=",  "&&",  "||", "++", "--", "+=", "-=", "*=",
      "/=",  "%=",  "^=",  "&=",  "|=", "<",  ">",  "=",  "-",  "!",
      "+",   "*",   "/",   "&",   "|",  "^",  "%",  ","};
  if (strncmp(at, "operator", strlen("operator")) != 0)
    return at;
  at += strlen("operator");
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strncmp(at, symbols[i], strlen(symbols[i])) == 0)
      return at + strlen(symbols[i]);
  return at;
}

/* "map[abi:ne200100]" of libc++ is "map", a constructor. */
static struct hp_text_part without_tags(struct hp_text_part name) {
  static const char tag[] = "[abi:";
  const char *at = memmem(name.begin, name.length, tag, sizeof tag - 1);
  return at && at > name.begin ? hp_part(name.begin, at) : name;
}

/* "Pool!(long)", a template, but not "operator!(item)". */
static bool opens_arguments_of_d(const char *at, const char *behind_operator) {
  return at[-1] == '!' && at != behind_operator;
}

static struct hp_member_name parse(const char *function) {
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
    name.scope = hp_part(begin, named > begin + 2 ? named - 2 : begin);
    name.member = hp_part(named, open);
  } else {
    split(hp_part(begin, open), &name.scope, &name.member);
  }
  name.member = without_tags(name.member);
  name.parameters = hp_part(open + 1, close && close > open ? close : open + 1);
  return name;
}

static const char *past_const(const char *at) {
  static const char constant[] = " const";
  return strncmp(at, constant, sizeof constant - 1) == 0
             ? at + sizeof constant - 1
             : at;
}

/* What is declared in the function of NAME, as text; NULL: nothing is. */
static const char *inside_of(const struct hp_member_name *name) {
  const char *at = name->parameters.begin;
  int depth = 1;
  if (!name->member.length)
    return NULL;
  for (; *at && depth; at++)
    depth += (*at == '(') - (*at == ')');
  at = past_const(at);
  return depth == 0 && strncmp(at, "::", 2) == 0 ? at + 2 : NULL;
}

static const char *begin_of(const struct hp_member_name *name) {
  return name->scope.length ? name->scope.begin : name->member.begin;
}

/* "f()::'lambda'()::('lambda'() const&)": a lambda has no name that its constructor could
   have. */
static struct hp_member_name parse_local(const char *function,
                                         const char *local) {
  const char *close = strrchr(local, ')');
  if (*local != '(' || !close) {
    struct hp_member_name name = parse(local);
    if (begin_of(&name) == local && name.scope.length)
      name.scope = hp_part(function, name.scope.begin + name.scope.length);
    return name;
  }
  return (struct hp_member_name){.scope = hp_part(function, local - 2),
                                 .member = hp_part(local, local),
                                 .parameters = hp_part(local + 1, close)};
}

/* A class that is declared in a function has the name of that, with parameters, for a
   scope.  Who copies one asks for it; else what is inside a function is that function. */
struct hp_member_name hp_member_parse(const char *function) {
  const struct hp_member_name outer = parse(function);
  const char *local = inside_of(&outer);
  if (!local)
    return outer;
  for (const char *next; *local != '(' && *local; local = next) {
    const struct hp_member_name name = parse(local);
    if (!(next = inside_of(&name)))
      break;
  }
  const struct hp_member_name inner = parse_local(begin_of(&outer), local);
  return hp_member_is_constructor(&inner) || hp_member_copies(&inner) ? inner
                                                                      : outer;
}

bool hp_member_is_constructor(const struct hp_member_name *name) {
  struct hp_text_part before, last;
  if (name->scope.length == 0)
    return false;
  split(name->scope, &before, &last);
  if (is_lambda(last)) /* its constructor has any name */
    return !hp_part_is(name->member, "operator()") &&
           begins_as(name->parameters, last);
  last = without_arguments(last);
  return last.length > 0 &&
         hp_part_equals(last, without_arguments(name->member));
}

bool hp_member_is_of_lambda(const struct hp_member_name *name) {
  struct hp_text_part before, last;
  split(name->scope, &before, &last);
  return is_lambda(last) && hp_member_is_constructor(name);
}

/* As parameters have it, without the function that it is declared in. */
static struct hp_text_part own_name(struct hp_text_part scope) {
  struct hp_text_part before, last;
  split(scope, &before, &last);
  if (is_lambda(last))
    return last;
  const char *end = scope.begin + scope.length;
  for (const char *at = end; at > scope.begin; at--) {
    const char *next = at[-1] == ')' ? past_const(at) : NULL;
    if (next && end - next > 2 && memcmp(next, "::", 2) == 0)
      return hp_part(next + 2, end);
  }
  return scope;
}

/* The first of PARAMETERS is "C const&", with C the CLASS. */
static bool takes(struct hp_text_part parameters, struct hp_text_part class) {
  static const char reference[] = " const&";
  if (class.length == 0 || !begins_as(parameters, class))
    return false;
  const char *end = parameters.begin + parameters.length;
  const struct hp_text_part behind =
      hp_part(parameters.begin + class.length, end);
  return hp_part_is(behind, reference) || hp_part_begins(behind, " const&,");
}

bool hp_member_is_assignment(const struct hp_member_name *name) {
  return hp_part_is(name->member, "operator=") ||
         hp_part_is(name->member, "assign");
}

bool hp_member_copies(const struct hp_member_name *name) {
  return (hp_member_is_constructor(name) ||
          hp_part_is(name->member, "operator=")) &&
         (takes(name->parameters, name->scope) ||
          takes(name->parameters, own_name(name->scope)));
}

bool hp_member_is_arithmetic(const struct hp_member_name *name) {
  const char *begin = name->member.begin;
  const char *behind = begin + (hp_part_begins(name->member, "operator")
                                    ? skip_operator(begin) - begin
                                    : 0);
  return behind - begin == sizeof "operator" && strchr("+-*/%|&^", behind[-1]);
}

bool hp_joins_texts(const char *function) {
  if (!function)
    return false;
  const struct hp_member_name name = hp_member_parse(function);
  return hp_part_begins(name.scope, "std") &&
         hp_part_begins(name.member, "operator+") &&
         !hp_part_begins(name.member, "operator+=") &&
         hp_part_has(name.parameters, "basic_string<");
}
