// interceptors_string.cpp - text functions that sanitizer_common leaves out.
// A text is read with its final NUL; what libc writes is counted as written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry/entry.h"
#include "origin/type.h"
#include "system/platform.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/interception.h"
#include "entry/replaced.h"

#include <regex.h>

using namespace __sanitizer;

DECLARE_REAL(void *, memcpy, void *to, const void *from, usize n)
DECLARE_REAL(usize, strlen, const char *s)
DECLARE_REAL(usize, strnlen, const char *s, usize most)

static uptr text_size(const char *s) { return REAL(strlen)(s) + 1; }

// Bytes of S that a function reads which stops after MOST.
static uptr text_size_within(const char *s, uptr most) {
  uptr length = REAL(strnlen)(s, most);
  return length < most ? length + 1 : most;
}

// ---- copies ----------------------------------------------------------------

static void count_copy(char *to, const char *from) {
  uptr n = text_size(from);
  HP_COUNT_COPY(to, from, n);
}

// strncpy fills all of TO's MOST bytes.
static void count_copy_within(char *to, const char *from, uptr most) {
  HP_COUNT_READ(from, text_size_within(from, most));
  HP_COUNT_WRITE(to, most);
}

static void count_append(char *to, const char *from, uptr read, uptr written) {
  uptr end = REAL(strlen)(to);
  HP_COUNT_READ(to, end + 1);
  HP_COUNT_READ(from, read);
  HP_COUNT_WRITE(to + end, written);
}

static void count_append_within(char *to, const char *from, uptr most) {
  count_append(to, from, text_size_within(from, most),
               REAL(strnlen)(from, most) + 1);
}

#define HP_COPY(name)                                                          \
  INTERCEPTOR(char *, name, char *to, const char *from) {                      \
    HP_ENTER();                                                                \
    count_copy(to, from);                                                      \
    return REAL(name)(to, from);                                               \
  }
#define HP_COPY_CHECKED(name)                                                  \
  INTERCEPTOR(char *, name, char *to, const char *from, usize room) {          \
    HP_ENTER();                                                                \
    count_copy(to, from);                                                      \
    return REAL(name)(to, from, room);                                         \
  }
#define HP_COPY_WITHIN(name)                                                   \
  INTERCEPTOR(char *, name, char *to, const char *from, usize most) {          \
    HP_ENTER();                                                                \
    count_copy_within(to, from, most);                                         \
    return REAL(name)(to, from, most);                                         \
  }
#define HP_COPY_WITHIN_CHECKED(name)                                           \
  INTERCEPTOR(char *, name, char *to, const char *from, usize most,            \
              usize room) {                                                    \
    HP_ENTER();                                                                \
    count_copy_within(to, from, most);                                         \
    return REAL(name)(to, from, most, room);                                   \
  }

HP_COPY(strcpy)
HP_COPY(stpcpy)
HP_COPY(__stpcpy)
HP_COPY_CHECKED(__strcpy_chk)
HP_COPY_CHECKED(__stpcpy_chk)
HP_COPY_WITHIN(strncpy)
HP_COPY_WITHIN(stpncpy)
HP_COPY_WITHIN(__stpncpy)
HP_COPY_WITHIN_CHECKED(__strncpy_chk)
HP_COPY_WITHIN_CHECKED(__stpncpy_chk)

INTERCEPTOR(char *, strcat, char *to, const char *from) {
  HP_ENTER();
  uptr n = text_size(from);
  count_append(to, from, n, n);
  return REAL(strcat)(to, from);
}

INTERCEPTOR(char *, __strcat_chk, char *to, const char *from, usize room) {
  HP_ENTER();
  uptr n = text_size(from);
  count_append(to, from, n, n);
  return REAL(__strcat_chk)(to, from, room);
}

INTERCEPTOR(char *, strncat, char *to, const char *from, usize most) {
  HP_ENTER();
  count_append_within(to, from, most);
  return REAL(strncat)(to, from, most);
}

INTERCEPTOR(char *, __strncat_chk, char *to, const char *from, usize most,
            usize room) {
  HP_ENTER();
  count_append_within(to, from, most);
  return REAL(__strncat_chk)(to, from, most, room);
}

// ---- duplicates ------------------------------------------------------------

HP_NOINLINE HP_ALIGNS_STACK static char *
duplicate(const char *s, uptr length, uptr read,
          const struct hp_caller *caller) {
  struct hp_caller typed = *caller;
  typed.type = &hp_type_char;
  char *copy = static_cast<char *>(
      HP_UNLIKELY(hp_replaced_any) && hp_malloc_is_replaced()
          ? hp_replaced_malloc(length + 1)
          : hp_entry_malloc(length + 1, HP_ENTRY_STRDUP, &typed));
  if (!copy)
    return nullptr;
  HP_COUNT_READ(s, read);
  HP_COUNT_WRITE(copy, length + 1);
  REAL(memcpy)(copy, s, length);
  copy[length] = 0;
  return copy;
}

#define HP_DUPLICATE(name)                                                     \
  INTERCEPTOR(char *, name, const char *s) {                                   \
    struct hp_caller caller = HP_CALLER();                                     \
    HP_ENTER();                                                                \
    uptr n = text_size(s);                                                     \
    return duplicate(s, n - 1, n, &caller);                                    \
  }
#define HP_DUPLICATE_WITHIN(name)                                              \
  INTERCEPTOR(char *, name, const char *s, usize most) {                       \
    struct hp_caller caller = HP_CALLER();                                     \
    HP_ENTER();                                                                \
    return duplicate(s, REAL(strnlen)(s, most), text_size_within(s, most),     \
                     &caller);                                                 \
  }

HP_DUPLICATE(strdup)
HP_DUPLICATE(__strdup)
HP_DUPLICATE_WITHIN(strndup)
HP_DUPLICATE_WITHIN(__strndup)

// ---- search ----------------------------------------------------------------

INTERCEPTOR(char *, index, const char *s, int c) {
  HP_ENTER();
  char *found = REAL(index)(s, c);
  HP_COUNT_READ(s, found ? (uptr)(found - s) + 1 : text_size(s));
  return found;
}

INTERCEPTOR(char *, rindex, const char *s, int c) {
  HP_ENTER();
  HP_COUNT_READ(s, text_size(s));
  return REAL(rindex)(s, c);
}

// Up to the end of what was FOUND; all of S if nothing was.
static void count_search(const char *s, const char *wanted, const char *found) {
  uptr n = text_size(wanted);
  HP_COUNT_READ(wanted, n);
  HP_COUNT_READ(s, found ? (uptr)(found - s) + n - 1 : text_size(s));
}

INTERCEPTOR(char *, strstr, const char *s, const char *wanted) {
  HP_ENTER();
  char *found = REAL(strstr)(s, wanted);
  count_search(s, wanted, found);
  return found;
}

INTERCEPTOR(char *, strcasestr, const char *s, const char *wanted) {
  HP_ENTER();
  char *found = REAL(strcasestr)(s, wanted);
  count_search(s, wanted, found);
  return found;
}

INTERCEPTOR(void *, memmem, const void *p, usize n, const void *wanted,
            usize size) {
  HP_ENTER();
  void *found = REAL(memmem)(p, n, wanted, size);
  HP_COUNT_READ(wanted, size);
  HP_COUNT_READ(p, found ? (uptr)((char *)found - (const char *)p) + size : n);
  return found;
}

INTERCEPTOR(void *, rawmemchr, const void *p, int c) {
  HP_ENTER();
  void *found = REAL(rawmemchr)(p, c);
  HP_COUNT_READ(p, (uptr)((char *)found - (const char *)p) + 1);
  return found;
}

INTERCEPTOR(int, strcoll, const char *a, const char *b) {
  HP_ENTER();
  HP_COUNT_READ(a, text_size(a));
  HP_COUNT_READ(b, text_size(b));
  return REAL(strcoll)(a, b);
}

// ---- numbers ---------------------------------------------------------------

// END is where libc stopped, a byte that it read too; null if it read nothing,
// as for a base that means nothing.
template <typename Character>
static void count_number(const Character *s, Character *end, Character **out) {
  if (!end)
    return;
  HP_COUNT_READ(s, ((uptr)(end - s) + 1) * sizeof *s);
  if (out) {
    *out = end;
    HP_COUNT_WRITE(out, sizeof *out);
  }
}

#define HP_INTEGER(type, name)                                                 \
  INTERCEPTOR(type, name, const char *s, char **out, int base) {               \
    HP_ENTER();                                                                \
    char *end = nullptr;                                                       \
    type number = REAL(name)(s, &end, base);                                   \
    count_number(s, end, out);                                                 \
    return number;                                                             \
  }
#define HP_REAL_NUMBER(type, name)                                             \
  INTERCEPTOR(type, name, const char *s, char **out) {                         \
    HP_ENTER();                                                                \
    char *end = nullptr;                                                       \
    type number = REAL(name)(s, &end);                                         \
    count_number(s, end, out);                                                 \
    return number;                                                             \
  }

HP_INTEGER(long, strtol)
HP_INTEGER(long long, strtoll)
HP_INTEGER(unsigned long, strtoul)
HP_INTEGER(unsigned long long, strtoull)
HP_INTEGER(long, __isoc23_strtol)
HP_INTEGER(long long, __isoc23_strtoll)
HP_INTEGER(unsigned long, __isoc23_strtoul)
HP_INTEGER(unsigned long long, __isoc23_strtoull)
HP_REAL_NUMBER(float, strtof)
HP_REAL_NUMBER(double, strtod)
HP_REAL_NUMBER(long double, strtold)

// libc defines these as strtol, strtoll and strtod, errno included.

INTERCEPTOR(int, atoi, const char *s) {
  HP_ENTER();
  char *end = nullptr;
  int number = (int)REAL(strtol)(s, &end, 10);
  count_number<char>(s, end, nullptr);
  return number;
}

INTERCEPTOR(long, atol, const char *s) {
  HP_ENTER();
  char *end = nullptr;
  long number = REAL(strtol)(s, &end, 10);
  count_number<char>(s, end, nullptr);
  return number;
}

INTERCEPTOR(long long, atoll, const char *s) {
  HP_ENTER();
  char *end = nullptr;
  long long number = REAL(strtoll)(s, &end, 10);
  count_number<char>(s, end, nullptr);
  return number;
}

INTERCEPTOR(double, atof, const char *s) {
  HP_ENTER();
  char *end = nullptr;
  double number = REAL(strtod)(s, &end);
  count_number<char>(s, end, nullptr);
  return number;
}

// ---- regular expressions ---------------------------------------------------

INTERCEPTOR(int, regcomp, regex_t *compiled, const char *expression,
            int flags) {
  HP_ENTER();
  HP_COUNT_READ(expression, text_size(expression));
  return REAL(regcomp)(compiled, expression, flags);
}

// With REG_STARTEND the text is a part of S, which need not end at all.
INTERCEPTOR(int, regexec, const regex_t *compiled, const char *s, usize count,
            regmatch_t *matches, int flags) {
  HP_ENTER();
  if (!(flags & REG_STARTEND)) {
    HP_COUNT_READ(s, text_size(s));
  } else {
    HP_COUNT_READ(matches, sizeof *matches);
    HP_COUNT_READ(s + matches->rm_so, (uptr)(matches->rm_eo - matches->rm_so));
  }
  int result = REAL(regexec)(compiled, s, count, matches, flags);
  if (result == 0 && !compiled->no_sub)
    HP_COUNT_WRITE(matches, count * sizeof *matches);
  return result;
}

// ---- arrays and paths ------------------------------------------------------

// The elements move; what the comparison reads is its own affair.
INTERCEPTOR(void, qsort, void *base, usize count, usize size,
            int (*compare)(const void *, const void *)) {
  HP_ENTER();
  uptr bytes;
  if (count > 1 && !__builtin_mul_overflow(count, size, &bytes))
    hp_access_range(base, bytes, HP_ACCESS_BOTH);
  REAL(qsort)(base, count, size, compare);
}

INTERCEPTOR(void, qsort_r, void *base, usize count, usize size,
            int (*compare)(const void *, const void *, void *), void *arg) {
  HP_ENTER();
  uptr bytes;
  if (count > 1 && !__builtin_mul_overflow(count, size, &bytes))
    hp_access_range(base, bytes, HP_ACCESS_BOTH);
  REAL(qsort_r)(base, count, size, compare, arg);
}

// RESULT null: libc allocates it.
INTERCEPTOR(char *, realpath, const char *path, char *result) {
  HP_ENTER();
  if (path)
    HP_COUNT_READ(path, text_size(path));
  char *resolved = REAL(realpath)(path, result);
  if (resolved)
    HP_COUNT_WRITE(resolved, text_size(resolved));
  return resolved;
}

void hp_intercept_strings(void) {
  INTERCEPT_FUNCTION(strcpy);
  INTERCEPT_FUNCTION(stpcpy);
  INTERCEPT_FUNCTION(__stpcpy);
  INTERCEPT_FUNCTION(__strcpy_chk);
  INTERCEPT_FUNCTION(__stpcpy_chk);
  INTERCEPT_FUNCTION(strncpy);
  INTERCEPT_FUNCTION(stpncpy);
  INTERCEPT_FUNCTION(__stpncpy);
  INTERCEPT_FUNCTION(__strncpy_chk);
  INTERCEPT_FUNCTION(__stpncpy_chk);
  INTERCEPT_FUNCTION(strcat);
  INTERCEPT_FUNCTION(__strcat_chk);
  INTERCEPT_FUNCTION(strncat);
  INTERCEPT_FUNCTION(__strncat_chk);
  INTERCEPT_FUNCTION(strdup);
  INTERCEPT_FUNCTION(__strdup);
  INTERCEPT_FUNCTION(strndup);
  INTERCEPT_FUNCTION(__strndup);
  INTERCEPT_FUNCTION(index);
  INTERCEPT_FUNCTION(rindex);
  INTERCEPT_FUNCTION(strstr);
  INTERCEPT_FUNCTION(strcasestr);
  INTERCEPT_FUNCTION(memmem);
  INTERCEPT_FUNCTION(rawmemchr);
  INTERCEPT_FUNCTION(strcoll);
  INTERCEPT_FUNCTION(strtol);
  INTERCEPT_FUNCTION(strtoll);
  INTERCEPT_FUNCTION(strtoul);
  INTERCEPT_FUNCTION(strtoull);
  INTERCEPT_FUNCTION(__isoc23_strtol);
  INTERCEPT_FUNCTION(__isoc23_strtoll);
  INTERCEPT_FUNCTION(__isoc23_strtoul);
  INTERCEPT_FUNCTION(__isoc23_strtoull);
  INTERCEPT_FUNCTION(strtof);
  INTERCEPT_FUNCTION(strtod);
  INTERCEPT_FUNCTION(strtold);
  INTERCEPT_FUNCTION(atoi);
  INTERCEPT_FUNCTION(atol);
  INTERCEPT_FUNCTION(atoll);
  INTERCEPT_FUNCTION(atof);
  INTERCEPT_FUNCTION(qsort);
  INTERCEPT_FUNCTION(qsort_r);
  INTERCEPT_FUNCTION(regcomp);
  // Unversioned look-up may find the form that knows no REG_STARTEND, and the
  // one that cannot allocate.
  if (!INTERCEPT_FUNCTION_VER(regexec, "GLIBC_2.3.4"))
    INTERCEPT_FUNCTION(regexec);
  if (!INTERCEPT_FUNCTION_VER(realpath, "GLIBC_2.3"))
    INTERCEPT_FUNCTION(realpath);
}
