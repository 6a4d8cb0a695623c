// interceptors_format.cpp - the printf family: what a format and its arguments
// read for and the text that is written; then open, tokens and numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/sanitizer_binding.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/libc_ranges.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

using namespace __sanitizer;

DECLARE_REAL(usize, strlen, const char *s)
DECLARE_REAL(usize, strnlen, const char *s, usize most)
DECLARE_REAL(usize, wcslen, const wchar_t *s)
DECLARE_REAL(usize, wcsnlen, const wchar_t *s, usize most)

static const size_t kAll = ~(size_t)0;

size_t hp_text_bytes(const char *s, size_t most) {
  if (most == kAll)
    return REAL(strlen)(s) + 1;
  const size_t length = REAL(strnlen)(s, most);
  return length < most ? length + 1 : most;
}

size_t hp_wide_bytes(const wchar_t *s, size_t most) {
  if (most == kAll)
    return (REAL(wcslen)(s) + 1) * sizeof *s;
  const size_t length = REAL(wcsnlen)(s, most);
  return (length < most ? length + 1 : most) * sizeof *s;
}

size_t hp_wide_length(const wchar_t *s, size_t most) {
  return REAL(wcsnlen)(s, most);
}

static void read_format(const char *format) { hp_read_text(format, kAll); }
static void read_format(const wchar_t *format) { hp_read_wide(format, kAll); }

// A number of the format at *AT, which moves behind it; -1: none.
template <typename Character> static int digits(const Character **at) {
  if (**at < '0' || **at > '9')
    return -1;
  int number = 0;
  for (; **at >= '0' && **at <= '9'; ++*at)
    number = number < 100000000 ? number * 10 + (int)(**at - '0') : number;
  return number;
}

// Bytes that %n writes, by the letters ahead of it.
static size_t count_bytes(int halves, int longs) {
  return halves >= 2 ? 1
         : halves    ? sizeof(short)
         : longs     ? sizeof(long)
                     : sizeof(int);
}

// All arguments of FORMAT's directives, in order; one that names its argument
// by number, or that libc was taught, ends what can be known.
template <typename Character>
static void count_arguments(const Character *format, va_list given) {
  read_format(format);
  va_list list;
  va_copy(list, given);
  for (const Character *at = format; *at;) {
    if (*at++ != '%')
      continue;
    while (*at == '-' || *at == '+' || *at == ' ' || *at == '#' || *at == '0' ||
           *at == '\'' || *at == 'I')
      at++;
    if (*at == '*') {
      at++;
      (void)va_arg(list, int);
    } else {
      digits(&at);
    }
    if (*at == '$')
      break;
    size_t most = kAll;
    if (*at == '.') {
      at++;
      int precision = 0;
      if (*at == '*') {
        at++;
        precision = va_arg(list, int);
      } else {
        precision = digits(&at);
        precision = precision < 0 ? 0 : precision;
      }
      if (precision >= 0)
        most = (size_t)precision;
    }
    int halves = 0, longs = 0;
    bool is_long_double = false;
    for (;; at++) {
      if (*at == 'h')
        halves++;
      else if (*at == 'l' || *at == 'q' || *at == 'j' || *at == 'z' ||
               *at == 't' || *at == 'Z')
        longs++;
      else if (*at == 'L')
        is_long_double = true;
      else
        break;
    }
    is_long_double |= longs >= 2; // libc takes %llf for %Lf
    const Character directive = *at;
    if (!directive)
      break;
    at++;
    switch (directive) {
    case '%':
    case 'm':
      break;
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
      (void)va_arg(list, long);
      break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      if (is_long_double)
        (void)va_arg(list, long double);
      else
        (void)va_arg(list, double);
      break;
    case 's':
    case 'S': {
      const void *s = va_arg(list, const void *);
      if (directive == 'S' || longs) // precision counts bytes of the result
        hp_read_wide(static_cast<const wchar_t *>(s), most);
      else
        hp_read_text(static_cast<const char *>(s), most);
      break;
    }
    case 'n':
      HP_COUNT_WRITE(va_arg(list, void *), count_bytes(halves, longs));
      break;
    default:
      va_end(list);
      return;
    }
  }
  va_end(list);
}

#define HP_OPEN(...) __VA_ARGS__

// A function that takes a list, and one that takes what is in it.
#define HP_FORMATTED(name, listed, parameters, arguments, after)               \
  INTERCEPTOR(int, listed, HP_OPEN parameters, va_list list) {                 \
    HP_ENTER();                                                                \
    count_arguments(format, list);                                             \
    int r = REAL(listed)(HP_OPEN arguments, list);                             \
    after;                                                                     \
    return r;                                                                  \
  }                                                                            \
  INTERCEPTOR(int, name, HP_OPEN parameters, ...) {                            \
    HP_ENTER();                                                                \
    va_list list;                                                              \
    va_start(list, format);                                                    \
    count_arguments(format, list);                                             \
    int r = REAL(listed)(HP_OPEN arguments, list);                             \
    va_end(list);                                                              \
    after;                                                                     \
    return r;                                                                  \
  }
#define HP_SAID(name, listed, parameters, arguments)                           \
  INTERCEPTOR(void, listed, HP_OPEN parameters, va_list list) {                \
    HP_ENTER();                                                                \
    if (format)                                                                \
      count_arguments(format, list);                                           \
    REAL(listed)(HP_OPEN arguments, list);                                     \
  }                                                                            \
  INTERCEPTOR(void, name, HP_OPEN parameters, ...) {                           \
    HP_ENTER();                                                                \
    va_list list;                                                              \
    va_start(list, format);                                                    \
    if (format)                                                                \
      count_arguments(format, list);                                           \
    REAL(listed)(HP_OPEN arguments, list);                                     \
    va_end(list);                                                              \
  }

// R characters and the end were to be written to ROOM.
static void wrote(char *s, int r, size_t room) {
  if (r >= 0)
    HP_COUNT_WRITE(s, (size_t)r < room ? (size_t)r + 1 : room);
}
static void wrote(wchar_t *s, int r, size_t) {
  if (r >= 0)
    HP_COUNT_WRITE(s, ((size_t)r + 1) * sizeof *s);
}
static void made(char **out, int r) {
  if (r < 0)
    return;
  HP_COUNT_WRITE(out, sizeof *out);
  HP_COUNT_WRITE(*out, (size_t)r + 1);
}

#include "entry/interceptors/libc_formats.def"

#undef HP_FORMATTED
#undef HP_SAID

// ---- open: the mode is there only if it is asked for -----------------------

#define HP_OPEN_FILE(name)                                                     \
  INTERCEPTOR(int, name, const char *path, int flags, ...) {                   \
    HP_ENTER();                                                                \
    va_list list;                                                              \
    va_start(list, flags);                                                     \
    unsigned mode = va_arg(list, unsigned);                                    \
    va_end(list);                                                              \
    hp_read_text(path, kAll);                                                  \
    return REAL(name)(path, flags, mode);                                      \
  }
#define HP_OPEN_FILE_AT(name)                                                  \
  INTERCEPTOR(int, name, int at, const char *path, int flags, ...) {           \
    HP_ENTER();                                                                \
    va_list list;                                                              \
    va_start(list, flags);                                                     \
    unsigned mode = va_arg(list, unsigned);                                    \
    va_end(list);                                                              \
    hp_read_text(path, kAll);                                                  \
    return REAL(name)(at, path, flags, mode);                                  \
  }
#define HP_OPEN_CHECKED(name)                                                  \
  INTERCEPTOR(int, name, const char *path, int flags) {                        \
    HP_ENTER();                                                                \
    hp_read_text(path, kAll);                                                  \
    return REAL(name)(path, flags);                                            \
  }
#define HP_OPEN_AT_CHECKED(name)                                               \
  INTERCEPTOR(int, name, int at, const char *path, int flags) {                \
    HP_ENTER();                                                                \
    hp_read_text(path, kAll);                                                  \
    return REAL(name)(at, path, flags);                                        \
  }

HP_OPEN_FILE(open)
HP_OPEN_FILE(open64)
HP_OPEN_FILE_AT(openat)
HP_OPEN_FILE_AT(openat64)
HP_OPEN_CHECKED(__open_2)
HP_OPEN_CHECKED(__open64_2)
HP_OPEN_AT_CHECKED(__openat_2)
HP_OPEN_AT_CHECKED(__openat64_2)

// Both ask for more only where something is made.
INTERCEPTOR(void *, sem_open, const char *name, int flags, ...) {
  HP_ENTER();
  va_list list;
  va_start(list, flags);
  unsigned mode = va_arg(list, unsigned), value = va_arg(list, unsigned);
  va_end(list);
  hp_read_text(name, kAll);
  return REAL(sem_open)(name, flags, mode, value);
}

INTERCEPTOR(int, mq_open, const char *name, int flags, ...) {
  HP_ENTER();
  va_list list;
  va_start(list, flags);
  unsigned mode = va_arg(list, unsigned);
  void *attributes = va_arg(list, void *);
  va_end(list);
  hp_read_text(name, kAll);
  return REAL(mq_open)(name, flags, mode, attributes);
}

// ---- tokens: up to the end of one, which is written ------------------------

DECLARE_REAL(char *, strtok_r, char *s, const char *ends, char **rest)

static char *token(char *s, const char *ends, char **rest) {
  const char *from = s ? s : *rest;
  hp_read_text(ends, kAll);
  char *found = REAL(strtok_r)(s, ends, rest);
  if (!hp_heap_holds(from))
    return found;
  if (!found) {
    hp_read_text(from, kAll);
    return found;
  }
  const char *end = found + REAL(strlen)(found);
  HP_COUNT_READ(from, (size_t)(end - from) + 1);
  if (*rest != end)
    HP_COUNT_WRITE(end, 1);
  return found;
}

INTERCEPTOR(char *, strtok_r, char *s, const char *ends, char **rest) {
  HP_ENTER();
  char *found = token(s, ends, rest);
  HP_COUNT_WRITE(rest, sizeof *rest);
  return found;
}

INTERCEPTOR(char *, __strtok_r, char *s, const char *ends, char **rest) {
  HP_ENTER();
  char *found = token(s, ends, rest);
  HP_COUNT_WRITE(rest, sizeof *rest);
  return found;
}

// libc's own does the same with a variable of its own.
INTERCEPTOR(char *, strtok, char *s, const char *ends) {
  HP_ENTER();
  static char *rest;
  return token(s, ends, &rest);
}

// ---- numbers: up to the character that ends one ----------------------------

template <typename Character>
static void count_number(const Character *s, Character *end, Character **out) {
  if (!end)
    return;
  HP_COUNT_READ(s, ((size_t)(end - s) + 1) * sizeof *s);
  if (out) {
    *out = end;
    HP_COUNT_WRITE(out, sizeof *out);
  }
}

#define HP_NUMBER(character, type, name, parameters, arguments)                \
  INTERCEPTOR(type, name, const character *s,                                  \
              character **out HP_OPEN parameters) {                            \
    HP_ENTER();                                                                \
    character *end = nullptr;                                                  \
    type number = REAL(name)(s, &end HP_OPEN arguments);                       \
    count_number(s, end, out);                                                 \
    return number;                                                             \
  }

#define HP_NUMBERS(one)                                                        \
  one(wchar_t, long, wcstol, (, int base), (, base)) one(                      \
      wchar_t, long long, wcstoll, (, int base),                               \
      (, base)) one(wchar_t, unsigned long, wcstoul, (, int base), (, base))   \
      one(wchar_t, unsigned long long, wcstoull, (, int base), (, base)) one(  \
          wchar_t, intmax_t, wcstoimax, (, int base),                          \
          (, base)) one(wchar_t, uintmax_t, wcstoumax, (, int base),           \
                        (, base)) one(wchar_t, float, wcstof, (),              \
                                      ()) one(wchar_t, double, wcstod, (), ()) \
          one(wchar_t, long double, wcstold, (), ()) one(                      \
              wchar_t, long, wcstol_l, (, int base, locale_t l), (, base, l))  \
              one(wchar_t, long long, wcstoll_l, (, int base, locale_t l),     \
                  (, base,                                                     \
                   l)) one(wchar_t, unsigned long, wcstoul_l,                  \
                           (, int base, locale_t l),                           \
                           (, base,                                            \
                            l)) one(wchar_t, unsigned long long, wcstoull_l,   \
                                    (, int base, locale_t l), (, base, l))     \
                  one(wchar_t, long long, wcstoq, (, int base), (, base)) one( \
                      wchar_t, unsigned long long, wcstouq, (, int base),      \
                      (, base)) one(wchar_t, float, wcstof_l, (, locale_t l),  \
                                    (, l))                                     \
                      one(wchar_t, double, wcstod_l, (, locale_t l),           \
                          (, l)) one(wchar_t, long double, wcstold_l,          \
                                     (, locale_t l), (, l))                    \
                          one(char, long long, strtoq, (, int base),           \
                              (, base)) one(char, unsigned long long, strtouq, \
                                            (, int base), (, base))            \
                              one(char, long, strtol_l, (, int base, void *l), \
                                  (, base, l))                                 \
                                  one(char, long long, strtoll_l,              \
                                      (, int base, void *l), (, base, l))      \
                                      one(char, unsigned long, strtoul_l,      \
                                          (, int base, void *l), (, base, l))  \
                                          one(char, unsigned long long,        \
                                              strtoull_l,                      \
                                              (, int base, void *l),           \
                                              (, base, l))                     \
                                              one(char, float, strtof_l,       \
                                                  (, void *l), (, l))          \
                                                  one(char, double, strtod_l,  \
                                                      (, void *l), (, l))      \
                                                      one(char, long double,   \
                                                          strtold_l,           \
                                                          (, void *l), (, l))

HP_NUMBERS(HP_NUMBER)

void hp_intercept_formats(void) {
#define HP_FORMATTED(name, listed, parameters, arguments, after)               \
  INTERCEPT_FUNCTION(listed);                                                  \
  INTERCEPT_FUNCTION(name);
#define HP_SAID(name, listed, parameters, arguments)                           \
  INTERCEPT_FUNCTION(listed);                                                  \
  INTERCEPT_FUNCTION(name);
#include "entry/interceptors/libc_formats.def"
  INTERCEPT_FUNCTION(open);
  INTERCEPT_FUNCTION(open64);
  INTERCEPT_FUNCTION(openat);
  INTERCEPT_FUNCTION(openat64);
  INTERCEPT_FUNCTION(__open_2);
  INTERCEPT_FUNCTION(__open64_2);
  INTERCEPT_FUNCTION(__openat_2);
  INTERCEPT_FUNCTION(__openat64_2);
  INTERCEPT_FUNCTION(sem_open);
  INTERCEPT_FUNCTION(mq_open);
  INTERCEPT_FUNCTION(strtok_r);
  INTERCEPT_FUNCTION(__strtok_r);
  INTERCEPT_FUNCTION(strtok);
#define HP_FIND_NUMBER(character, type, name, parameters, arguments)           \
  INTERCEPT_FUNCTION(name);
  HP_NUMBERS(HP_FIND_NUMBER)
}
