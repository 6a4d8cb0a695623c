// format_directive.h - one directive of a format of printf's kind: which
// arguments it takes, and of what class each is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HP_FORMAT_DIRECTIVE_H
#define HP_FORMAT_DIRECTIVE_H

#include "entry/interceptors/libc_ranges.h"

#include <stddef.h>

// Where an argument comes from: nowhere, the next one, or by its number.
enum { HP_FROM_NOWHERE = -1, HP_FROM_NEXT = 0 };

enum hp_argument_class {
  HP_ARGUMENT_NONE,
  HP_ARGUMENT_INTEGER, // or a pointer
  HP_ARGUMENT_DOUBLE,
  HP_ARGUMENT_LONG_DOUBLE,
  HP_ARGUMENT_UNKNOWN // that libc was taught, or is wrong
};

struct hp_directive {
  int width, precision_from, value; // arguments
  int precision;                    // -1: none is written
  int halves, longs;                // letters h and l ahead of the last one
  bool is_long_double;
  int letter;

  hp_argument_class argument_class() const {
    switch (letter) {
    case '%':
    case 'm':
      return HP_ARGUMENT_NONE;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'c':
    case 'C':
    case 'p':
    case 'b':
    case 'B':
    case 's':
    case 'S':
    case 'n':
      return HP_ARGUMENT_INTEGER;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': // libc takes %llf for %Lf
      return is_long_double || longs >= 2 ? HP_ARGUMENT_LONG_DOUBLE
                                          : HP_ARGUMENT_DOUBLE;
    default:
      return HP_ARGUMENT_UNKNOWN;
    }
  }
};

// A number at *AT, which moves behind it; -1: none.
template <typename Character> inline int hp_digits(const Character **at) {
  if (**at < '0' || **at > '9')
    return -1;
  int number = 0;
  for (; **at >= '0' && **at <= '9'; ++*at)
    number = number < 100000000 ? number * 10 + (int)(**at - '0') : number;
  return number;
}

template <typename Character> inline void hp_skip_flags(const Character **at) {
  while (**at == '-' || **at == '+' || **at == ' ' || **at == '#' ||
         **at == '0' || **at == '\'' || **at == 'I')
    ++*at;
}

// Behind a star: the argument's number and a dollar, or nothing.
template <typename Character> inline int hp_star(const Character **at) {
  const Character *ahead = *at;
  const int number = hp_digits(&ahead);
  if (number <= 0 || *ahead != '$')
    return HP_FROM_NEXT;
  *at = ahead + 1;
  return number;
}

// The next directive from *AT on, which moves behind it; false: there is none.
template <typename Character>
inline bool hp_next_directive(const Character **at, hp_directive *found) {
  while (**at && **at != '%')
    ++*at;
  if (!**at)
    return false;
  ++*at;
  *found = {HP_FROM_NOWHERE, HP_FROM_NOWHERE, HP_FROM_NEXT, -1, 0, 0, false, 0};
  const Character *ahead = *at;
  const int number = hp_digits(&ahead);
  if (number > 0 && *ahead == '$') {
    found->value = number;
    *at = ahead + 1;
  }
  hp_skip_flags(at);
  if (**at == '*') {
    ++*at;
    found->width = hp_star(at);
  } else {
    hp_digits(at);
  }
  if (**at == '.') {
    ++*at;
    if (**at == '*') {
      ++*at;
      found->precision_from = hp_star(at);
    } else {
      const int precision = hp_digits(at);
      found->precision = precision < 0 ? 0 : precision;
    }
  }
  for (;; ++*at) {
    if (**at == 'h')
      found->halves++;
    else if (**at == 'l' || **at == 'q' || **at == 'j' || **at == 'z' ||
             **at == 't' || **at == 'Z')
      found->longs++;
    else if (**at == 'L')
      found->is_long_double = true;
    else
      break;
  }
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): it is compared with letters only
  found->letter = (int)**at;
  if (!**at)
    return false;
  ++*at;
  return true;
}

#endif
