// interceptors_scan.cpp - the scanf family: the text that is read, and what the
// directives that matched have written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/platform.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/libc_ranges.h"

#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

using namespace __sanitizer;

static const size_t kAll = ~(size_t)0;

static void read_text(const char *s) { hp_read_text(s, kAll); }
static void read_text(const wchar_t *s) { hp_read_wide(s, kAll); }

// What stands between % and the letter of a directive.
struct hp_scan {
  bool suppressed, allocates;
  size_t width; // 0: none
  int halves, longs;
  bool is_long_double;
};

static bool is_in(unsigned c, const char *set) {
  for (; *set; set++)
    if (c == (unsigned char)*set)
      return true;
  return false;
}

// Behind the set of a directive %[, which begins at AT.
template <typename Character>
static const Character *behind_set(const Character *at) {
  if (*at == '^')
    at++;
  if (*at == ']')
    at++;
  while (*at && *at != ']')
    at++;
  return *at ? at + 1 : at;
}

static size_t number_bytes(const hp_scan &scan) {
  return scan.halves >= 2 ? 1
         : scan.halves    ? sizeof(short)
         : scan.longs     ? sizeof(long)
                          : sizeof(int);
}

static size_t real_bytes(const hp_scan &scan) {
  return scan.is_long_double || scan.longs >= 2 ? sizeof(long double)
         : scan.longs                           ? sizeof(double)
                                                : sizeof(float);
}

static void wrote_characters(char *to, unsigned letter, const hp_scan &scan) {
  const bool wide = letter == 'S' || letter == 'C' || scan.longs;
  const bool counted = letter == 'c' || letter == 'C';
  if (scan.allocates) {
    HP_COUNT_WRITE(to, sizeof(char *));
    to = *reinterpret_cast<char **>(to);
  }
  if (counted)
    HP_COUNT_WRITE(to, (scan.width ? scan.width : 1) *
                           (wide ? sizeof(wchar_t) : 1));
  else if (wide)
    hp_wrote_wide(reinterpret_cast<wchar_t *>(to));
  else
    hp_wrote_text(to);
}

// MATCHED directives have written to their arguments.  A directive that names
// its argument by number ends what can be known.
template <typename Character>
static void count_written(const Character *format, int matched, va_list given) {
  va_list list;
  va_copy(list, given);
  for (const Character *at = format; *at && matched >= 0;) {
    if (*at++ != '%')
      continue;
    hp_scan scan = {};
    if (*at == '*') {
      scan.suppressed = true;
      at++;
    }
    if (*at == '\'' || *at == 'I')
      at++;
    for (; *at >= '0' && *at <= '9'; at++)
      scan.width = scan.width * 10 + (size_t)(*at - '0');
    if (*at == '$')
      break;
    if (*at == 'm') {
      scan.allocates = true;
      at++;
    }
    for (; *at && is_in((unsigned)*at, "hlqjztL"); at++) {
      scan.halves += *at == 'h';
      scan.longs += *at != 'h' && *at != 'L';
      scan.is_long_double |= *at == 'L';
    }
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): it is compared with letters only
    const unsigned letter = (unsigned)*at;
    if (!letter)
      break;
    at++;
    if (letter == '%')
      continue;
    if (letter == '[')
      at = behind_set(at);
    if (scan.suppressed)
      continue;
    if (letter != 'n' && matched-- == 0)
      break;
    char *to = va_arg(list, char *);
    if (is_in(letter, "diouxXnbB"))
      HP_COUNT_WRITE(to, number_bytes(scan));
    else if (letter == 'p')
      HP_COUNT_WRITE(to, sizeof(void *));
    else if (is_in(letter, "aAeEfFgG"))
      HP_COUNT_WRITE(to, real_bytes(scan));
    else if (is_in(letter, "sScC["))
      wrote_characters(to, letter, scan);
    else
      break;
  }
  va_end(list);
}

#define HP_OPEN(...) __VA_ARGS__
#define HP_SCANNED(name, listed, parameters, arguments, before)                \
  INTERCEPTOR(int, listed, HP_OPEN parameters, va_list list) {                 \
    HP_ENTER();                                                                \
    read_text(format);                                                         \
    before;                                                                    \
    va_list copy;                                                              \
    va_copy(copy, list);                                                       \
    int r = REAL(listed)(HP_OPEN arguments, list);                             \
    count_written(format, r, copy);                                            \
    va_end(copy);                                                              \
    return r;                                                                  \
  }                                                                            \
  INTERCEPTOR(int, name, HP_OPEN parameters, ...) {                            \
    HP_ENTER();                                                                \
    read_text(format);                                                         \
    before;                                                                    \
    va_list list, copy;                                                        \
    va_start(list, format);                                                    \
    va_copy(copy, list);                                                       \
    int r = REAL(listed)(HP_OPEN arguments, list);                             \
    count_written(format, r, copy);                                            \
    va_end(copy);                                                              \
    va_end(list);                                                              \
    return r;                                                                  \
  }

#define HP_SCANNERS(one, prefix)                                               \
  one(prefix##scanf, prefix##vscanf, (const char *format), (format), )         \
      one(prefix##fscanf, prefix##vfscanf, (FILE * file, const char *format),  \
          (file, format), )                                                    \
          one(prefix##sscanf, prefix##vsscanf,                                 \
              (const char *s, const char *format), (s, format), read_text(s))  \
              one(prefix##wscanf, prefix##vwscanf, (const wchar_t *format),    \
                  (format), )                                                  \
                  one(prefix##fwscanf, prefix##vfwscanf,                       \
                      (FILE * file, const wchar_t *format), (file, format), )  \
                      one(prefix##swscanf, prefix##vswscanf,                   \
                          (const wchar_t *s, const wchar_t *format),           \
                          (s, format), read_text(s))

#undef scanf
HP_SCANNERS(HP_SCANNED, )
HP_SCANNERS(HP_SCANNED, __isoc99_)
HP_SCANNERS(HP_SCANNED, __isoc23_)

void hp_intercept_scanners(void) {
#define HP_FIND(name, listed, parameters, arguments, before)                   \
  INTERCEPT_FUNCTION(listed);                                                  \
  INTERCEPT_FUNCTION(name);
  HP_SCANNERS(HP_FIND, )
  HP_SCANNERS(HP_FIND, __isoc99_)
  HP_SCANNERS(HP_FIND, __isoc23_)
}
