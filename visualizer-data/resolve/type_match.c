/* type_match.c - see type_match.h: both are read side by side, name by name.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/type_match.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define PARTS_MAX 32u
#define DEPTH_MAX 48u /* nested arguments */

/* One of the names between "::"; arguments are without their brackets. */
struct part {
  const char *begin, *end, *arguments, *arguments_end; /* NULL: none */
};
struct name {
  struct part parts[PARTS_MAX];
  unsigned count;
};

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static const char *past_blanks(const char *at, const char *end) {
  while (at < end && *at == ' ')
    at++;
  return at;
}

/* Past the bracket that closes the one at AT. */
static const char *past_brackets(const char *at, const char *end) {
  unsigned depth = 0;
  for (; at < end; at++) {
    if (*at == '<' || *at == '(' || *at == '[' || *at == '{')
      depth++;
    else if ((*at == '>' && at[-1] != '-') || *at == ')' || *at == ']' ||
             *at == '}')
      if (--depth == 0)
        return at + 1;
  }
  return end;
}

/* "(anonymous namespace)" and "(lambda at FILE:3:4)" are names. */
static bool is_described(const char *at, const char *end) {
  static const char *const words[] = {"(anonymous", "(lambda", "(unnamed"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const size_t length = strlen(words[i]);
    if ((size_t)(end - at) > length && memcmp(at, words[i], length) == 0)
      return true;
  }
  return false;
}

static bool is_name(const char *at, const char *end) {
  return at < end && ((is_word(*at) && !isdigit((unsigned char)*at)) ||
                      is_described(at, end));
}

/* Reads NAME at AT, where is_name() is true; what follows it. */
static const char *read_name(const char *at, const char *end,
                             struct name *name) {
  name->count = 0;
  while (name->count < PARTS_MAX) {
    struct part *part = &name->parts[name->count++];
    *part = (struct part){.begin = at};
    if (is_described(at, end))
      at = past_brackets(at, end);
    else
      while (at < end && is_word(*at))
        at++;
    part->end = at;
    if (at < end && *at == '<') {
      const char *past = past_brackets(at, end);
      part->arguments = at + 1;
      part->arguments_end = past - 1;
      at = past;
    }
    if (end - at < 3 || at[0] != ':' || at[1] != ':' || !is_name(at + 2, end))
      break;
    at += 2;
  }
  return at;
}

static bool same_arguments(const char *a, const char *a_end, const char *b,
                           const char *b_end, unsigned depth);

/* B is spelled out.  One that debug information has without its arguments
   (-gsimple-template-names) may be with any. */
static bool same_part(const struct part *a, const struct part *b,
                      unsigned depth) {
  if (a->end - a->begin != b->end - b->begin ||
      memcmp(a->begin, b->begin, (size_t)(a->end - a->begin)) != 0)
    return false;
  return !b->arguments ||
         (a->arguments &&
          same_arguments(a->arguments, a->arguments_end, b->arguments,
                         b->arguments_end, depth + 1));
}

static bool same_name(const struct name *a, const struct name *b,
                      uint64_t optional, unsigned depth) {
  unsigned i = a->count - 1, k = b->count - 1;
  if (!same_part(&a->parts[i], &b->parts[k], depth))
    return false;
  while (k-- > 0) {
    if (i > 0 && same_part(&a->parts[i - 1], &b->parts[k], depth))
      i--;
    else if (!(optional >> k & 1))
      return false;
  }
  return i == 0;
}

/* "7UL" is 7. */
static const char *past_number(const char *at, const char *end,
                               const char **digits_end) {
  while (at < end && isxdigit((unsigned char)*at))
    at++;
  *digits_end = at;
  while (at < end && is_word(*at))
    at++;
  return at;
}

/* "(app::Colour)1", where the dump has the enumerator's name. */
static bool is_cast(const char *at, const char *end) {
  if (at >= end || *at != '(' || is_described(at, end))
    return false;
  const char *past = past_brackets(at, end);
  return past < end && (isdigit((unsigned char)*past) || *past == '-');
}

static bool same_argument(const char *a, const char *a_end, const char *b,
                          const char *b_end, unsigned depth) {
  if (is_cast(b, b_end))
    return is_name(a, a_end) || is_cast(a, a_end);
  for (;;) {
    a = past_blanks(a, a_end);
    b = past_blanks(b, b_end);
    if (a == a_end || b == b_end)
      return a == a_end && b == b_end;
    if (is_name(a, a_end) && is_name(b, b_end)) {
      struct name left, right;
      a = read_name(a, a_end, &left);
      b = read_name(b, b_end, &right);
      if (!same_name(&left, &right, UINT64_MAX, depth))
        return false;
    } else if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
      const char *a_begin = a, *b_begin = b, *a_digits, *b_digits;
      a = past_number(a, a_end, &a_digits);
      b = past_number(b, b_end, &b_digits);
      if (a_digits - a_begin != b_digits - b_begin ||
          memcmp(a_begin, b_begin, (size_t)(a_digits - a_begin)) != 0)
        return false;
    } else if (*a++ != *b++) {
      return false;
    }
  }
}

static const char *argument_end(const char *at, const char *end) {
  while (at < end && *at != ',')
    at = *at == '<' || *at == '(' || *at == '[' || *at == '{'
             ? past_brackets(at, end)
             : at + 1;
  return at;
}

/* All of A's; what B has beyond are defaults. */
static bool same_arguments(const char *a, const char *a_end, const char *b,
                           const char *b_end, unsigned depth) {
  if (depth > DEPTH_MAX)
    return false;
  a = past_blanks(a, a_end);
  while (a < a_end) {
    const char *a_stop = argument_end(a, a_end), *b_stop;
    b = past_blanks(b, b_end);
    b_stop = argument_end(b, b_end);
    if (b >= b_end || !same_argument(a, a_stop, b, b_stop, depth))
      return false;
    a = past_blanks(a_stop < a_end ? a_stop + 1 : a_end, a_end);
    b = b_stop < b_end ? b_stop + 1 : b_end;
  }
  return true;
}

bool hp_type_matches(const char *name, const char *spelled, uint64_t optional) {
  const char *a_end = name + strlen(name), *b_end = spelled + strlen(spelled);
  struct name a, b;
  return is_name(name, a_end) && is_name(spelled, b_end) &&
         read_name(name, a_end, &a) == a_end &&
         read_name(spelled, b_end, &b) == b_end &&
         same_name(&a, &b, optional, 0);
}

const char *hp_type_last_part(const char *name, unsigned *length) {
  const char *end = name + strlen(name);
  struct name n;
  *length = 0;
  if (!is_name(name, end) || read_name(name, end, &n) != end)
    return name;
  const struct part *last = &n.parts[n.count - 1];
  *length = (unsigned)(last->end - last->begin);
  return last->begin;
}
