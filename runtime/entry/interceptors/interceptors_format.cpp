// interceptors_format.cpp - the printf family: what a format and its arguments
// read for and the text that is written; then a queue, tokens and numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/platform.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/format_directive.h"
#include "entry/interceptors/libc_ranges.h"

#include <fcntl.h>
#include <mqueue.h>
#include <obstack.h>
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

// Bytes that %n writes, by the letters ahead of it.
static size_t count_bytes(int halves, int longs) {
  return halves >= 2 ? 1
         : halves    ? sizeof(short)
         : longs     ? sizeof(long)
                     : sizeof(int);
}

// What DIRECTIVE does with its VALUE; PRECISION is negative if there is none.
static void count_value(const hp_directive &directive, int precision,
                        void *value) {
  const size_t most = precision < 0 ? kAll : (size_t)precision;
  if (directive.letter == 'n')
    HP_COUNT_WRITE(value, count_bytes(directive.halves, directive.longs));
  else if (directive.letter == 'S' ||
           (directive.letter == 's' && directive.longs))
    // The precision counts bytes of the result.
    hp_read_wide(static_cast<const wchar_t *>(value), most);
  else if (directive.letter == 's')
    hp_read_text(static_cast<const char *>(value), most);
}

// The next argument of LIST; false: nobody knows what it is.
static bool take(va_list *list, hp_argument_class kind, void **value) {
  switch (kind) {
  case HP_ARGUMENT_INTEGER:
    *value = va_arg(*list, void *);
    return true;
  // NOLINTNEXTLINE(bugprone-branch-clone): long double is another type
  case HP_ARGUMENT_DOUBLE:
    (void)va_arg(*list, double);
    return true;
  case HP_ARGUMENT_LONG_DOUBLE:
    (void)va_arg(*list, long double);
    return true;
  default:
    return kind == HP_ARGUMENT_NONE;
  }
}

// Arguments that can be named by number; what names a greater one is not
// counted.
enum { kNumbered = 64 };

static void note_class(hp_argument_class *classes, int number,
                       hp_argument_class kind) {
  if (number > 0 && number <= kNumbered)
    classes[number - 1] = kind;
}

template <typename Character>
static void count_numbered(const Character *format, va_list *list) {
  hp_argument_class classes[kNumbered] = {};
  void *values[kNumbered] = {};
  hp_directive one;
  for (const Character *at = format; hp_next_directive(&at, &one);) {
    note_class(classes, one.width, HP_ARGUMENT_INTEGER);
    note_class(classes, one.precision_from, HP_ARGUMENT_INTEGER);
    if (one.argument_class() != HP_ARGUMENT_NONE)
      note_class(classes, one.value, one.argument_class());
  }
  // As libc does, no further than to the greatest number, since nothing need be
  // behind; what no directive names is an int.
  int last = kNumbered;
  while (last > 0 && !classes[last - 1])
    last--;
  for (int i = 0; i < last; i++)
    if (!take(list, classes[i] ? classes[i] : HP_ARGUMENT_INTEGER, &values[i]))
      break;
  for (const Character *at = format; hp_next_directive(&at, &one);) {
    int precision = one.precision;
    if (one.precision_from > 0 && one.precision_from <= kNumbered)
      precision = (int)(intptr_t)values[one.precision_from - 1];
    if (one.value > 0 && one.value <= kNumbered)
      count_value(one, precision, values[one.value - 1]);
  }
}

// All arguments of FORMAT's directives; one that libc was taught ends what can
// be known.
template <typename Character>
static void count_arguments(const Character *format, va_list given) {
  if (!hp_access_hooked)
    return;
  read_format(format);
  va_list list;
  va_copy(list, given);
  hp_directive one;
  for (const Character *at = format; hp_next_directive(&at, &one);) {
    if (one.value != HP_FROM_NEXT) {
      count_numbered(format, &list);
      break;
    }
    void *value = nullptr;
    int precision = one.precision;
    if (one.width == HP_FROM_NEXT)
      (void)va_arg(list, int);
    if (one.precision_from == HP_FROM_NEXT)
      precision = va_arg(list, int);
    if (!take(&list, one.argument_class(), &value))
      break;
    count_value(one, precision, value);
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

// R characters were put to the end of the object that grows in S.
static void grown(const struct obstack *s, int r) {
  HP_COUNT_WRITE(s, sizeof *s);
  if (r > 0)
    HP_COUNT_WRITE(s->next_free - r, (size_t)r);
}

#include "entry/interceptors/libc_formats.def"

#undef HP_FORMATTED
#undef HP_SAID

// libc's other name for asprintf, which has no form with a list.
INTERCEPTOR(int, __asprintf, char **s, const char *format, ...) {
  HP_ENTER();
  va_list list;
  va_start(list, format);
  count_arguments(format, list);
  int r = REAL(vasprintf)(s, format, list);
  va_end(list);
  made(s, r);
  return r;
}

// ---- a queue: more is there only if it is made ------------------------------

INTERCEPTOR(int, mq_open, const char *name, int flags, ...) {
  HP_ENTER();
  va_list list;
  va_start(list, flags);
  unsigned mode = va_arg(list, unsigned);
  void *attributes = va_arg(list, void *);
  va_end(list);
  hp_read_text(name, kAll);
  if (flags & O_CREAT)
    HP_COUNT_READ(attributes, sizeof(struct mq_attr));
  return REAL(mq_open)(name, flags, mode, attributes);
}

// ---- tokens: up to the end of one, which is written ------------------------

DECLARE_REAL(char *, strtok_r, char *s, const char *ends, char **rest)

static char *token(char *s, const char *ends, char **rest) {
  const char *from = s ? s : *rest;
  hp_read_text(ends, kAll);
  char *found = REAL(strtok_r)(s, ends, rest);
  if (!hp_heap_may_hold(from))
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
  INTERCEPT_FUNCTION(__asprintf);
  INTERCEPT_FUNCTION(mq_open);
  INTERCEPT_FUNCTION(strtok_r);
  INTERCEPT_FUNCTION(__strtok_r);
  INTERCEPT_FUNCTION(strtok);
#define HP_FIND_NUMBER(character, type, name, parameters, arguments)           \
  INTERCEPT_FUNCTION(name);
  HP_NUMBERS(HP_FIND_NUMBER)
}
